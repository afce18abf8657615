package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for records that are being looked through, and for how long. */
class LoadingPartitionsTest {
    private static final Sources SOURCES = new Sources(source -> false, 0x1234_5678_9ABC_DEF0L);

    private final LoadingPartitions loading =
            new LoadingPartitions(() ->
                    new SessionShares(100, 25, 100, SOURCES)
                            .smallOf(LoadingPartitions.MOST_WAITING));
    private final List<String> done = new ArrayList<>();

    private boolean await(int partition, String who) {
        return loading.await(partition, () -> done.add(who), LoadingPartitions.NOBODY);
    }

    @Test
    void aMessageWaitsForItsOwnPartitionAlone() {
        loading.begin(5, 1, 0);
        loading.begin(6, 1, 0);
        await(5, "five");
        await(6, "six");
        await(LoadingPartitions.UNKNOWN, "all");

        loading.end(5, 1);
        assertThat(done).containsExactly("five");
        assertThat(loading.has(5)).isFalse();
        assertThat(loading.has(6)).isTrue();

        loading.end(6, 1);
        assertThat(done).containsExactly("five", "six", "all");
        assertThat(loading.isEmpty()).isTrue();
    }

    @Test
    void whatIsNotUnderWayIsDoneAtOnce() {
        loading.begin(5, 1, 0);
        assertThat(await(7, "seven")).isTrue();
        assertThat(done).containsExactly("seven");
    }

    @Test
    void whoWaitsGoesOnWaitingWhenItBeginsAgainInALaterTerm() {
        loading.begin(5, 1, 0);
        await(5, "five");
        assertThat(loading.begin(5, 2, 0)).isTrue();
        loading.end(5, 1);
        assertThat(done).isEmpty();
        loading.end(5, 2);
        assertThat(done).containsExactly("five");
    }

    @Test
    void noMoreWaitThanThereIsRoomForAndRoomComesBack() {
        loading.begin(5, 1, 0);
        loading.begin(6, 1, 0);
        int waiting = 0;
        while (await(waiting % 2 == 0 ? 5 : LoadingPartitions.UNKNOWN, "one")) {
            waiting++;
        }
        assertThat(waiting).isEqualTo(10_000);
        loading.end(5, 1);
        assertThat(done).hasSize(5_000);
        assertThat(await(6, "one")).isTrue();
    }

    private int ofSource(int number) {
        int place = SOURCES.place(SourceKey.ofInet4(number));
        int count = 0;
        while (count < LoadingPartitions.MOST_WAITING
                && loading.await(7, () -> done.add("x"), place)) {
            count++;
        }
        return count;
    }

    @Test
    void whatOneSourceSendsMeanwhileKeepsTheCallsOfOthersInNoQueue() {
        loading.begin(7, 1, 0);
        int taken = 0;
        for (int i = 1; i < 50; i++) {
            taken += ofSource(i);
        }
        assertThat(taken).isLessThan(LoadingPartitions.MOST_WAITING - 50);
        assertThat(ofSource(50)).isGreaterThan(1);

        loading.end(7, 1);
        assertThat(done).hasSizeGreaterThan(taken);
    }

    @Test
    void whatWaitedCountsNoLongerWhenItIsOver() {
        for (int round = 1; round < 4; round++) {
            loading.begin(7, round, 0);
            assertThat(ofSource(1)).isEqualTo(LoadingPartitions.MOST_WAITING / 2);
            loading.end(7, round);
        }
    }
}
