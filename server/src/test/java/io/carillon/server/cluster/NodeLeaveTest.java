package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.member.MemberState;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node that was told to leave may end its process; on a clock of its own. */
class NodeLeaveTest {
    private static final Duration UNNOTICED = Duration.ofSeconds(6);

    private Duration now = Duration.ZERO;
    private Duration goneAt = Duration.ofSeconds(5);
    private Duration wholeAt = Duration.ZERO;
    private Duration alone = Duration.ofDays(1);
    private Duration cutOff = Duration.ofDays(1);
    private boolean given;

    private final NodeLeave leave =
            new NodeLeave(
                    new NodeLeave.Member() {
                        @Override
                        public MemberState state() {
                            return now.compareTo(goneAt) < 0
                                    ? MemberState.LEAVING
                                    : MemberState.GONE;
                        }

                        @Override
                        public boolean holds() {
                            return now.compareTo(cutOff) < 0;
                        }

                        @Override
                        public boolean othersTakeCalls() {
                            return now.compareTo(alone) < 0;
                        }

                        @Override
                        public int withoutCopy() {
                            return now.compareTo(wholeAt) < 0 ? 7 : 0;
                        }
                    },
                    () -> now.toNanos(),
                    millis -> now = now.plusMillis(millis));

    @BeforeEach
    void begins() {
        now = Duration.ZERO;
    }

    private Duration leaves() throws InterruptedException {
        given = leave.within(60, UNNOTICED.toNanos());
        return now;
    }

    @Test
    void whenItsPartitionsAreWithOthersAndNobodyMayHaveDiedUnnoticed() throws Exception {
        assertThat(leaves()).isEqualTo(goneAt.plus(UNNOTICED));
        assertThat(given).isTrue();
    }

    /** Another node has died, and what it had is copied. */
    @Test
    void notBeforeEachRecordHasTwoHolders() throws Exception {
        wholeAt = Duration.ofSeconds(9);
        assertThat(leaves()).isEqualTo(wholeAt.plus(UNNOTICED));
        assertThat(given).isTrue();
    }

    /** They may never come: nobody is left, say. */
    @Test
    void itDoesNotWaitForCopiesWithoutEnd() throws Exception {
        wholeAt = Duration.ofDays(1);
        assertThat(leaves()).isBetween(goneAt.plusSeconds(20), goneAt.plusSeconds(21));
        assertThat(given).isTrue();
    }

    @Test
    void atOnceWhereNobodyTakesItsPartitions() throws Exception {
        alone = Duration.ofSeconds(1);
        assertThat(leaves()).isEqualTo(alone);
        assertThat(given).isFalse();
    }

    /** What says that there are others may be old. */
    @Test
    void whenNoMajorityAnswersAnyMore() throws Exception {
        cutOff = Duration.ofSeconds(1);
        assertThat(leaves()).isBetween(cutOff.plusSeconds(3), cutOff.plusMillis(3_200));
        assertThat(given).isFalse();
    }

    @Test
    void withinItsTime() throws Exception {
        goneAt = Duration.ofDays(1);
        assertThat(leaves()).isEqualTo(Duration.ofSeconds(60));
        assertThat(given).isFalse();
    }
}
