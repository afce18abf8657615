package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.turn.Turn;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A session for which much waits is no pause for the other calls of its event loop: after a bounded
 * piece of it the loop has its turn, and the order stays.
 */
class LongMailboxTest {
    private static final long MILLIS = 1_000_000;

    /** Of an application on the event loop; one that is taken by somebody else at first. */
    private static final class Busy extends Turn {
        final List<Integer> ran = new ArrayList<>();
        int scheduled;
        long nanos;
        boolean loop = true;
        boolean shared;

        @Override
        protected void schedule() {
            scheduled++;
        }

        @Override
        protected boolean mayRunHere() {
            return loop;
        }

        @Override
        protected boolean onEventLoop() {
            return loop;
        }

        @Override
        protected boolean sharesThread() {
            return shared;
        }

        @Override
        public Origin origin() {
            return Origin.OWN;
        }

        @Override
        protected long nanoTime() {
            return nanos;
        }

        @Override
        protected void turnEnded() {}

        @Override
        public void failed(Throwable error) {
            throw new AssertionError(error);
        }

        @Override
        public Shard home() {
            throw new AssertionError("nothing of it has a weight");
        }

        @Override
        public int countedAt() {
            return 0;
        }

        void wait(int from, int to, long eachNanos) {
            for (int i = from; i < to; i++) {
                int number = i;
                submitLater(
                        TurnTask.of(() -> {
                            ran.add(number);
                            nanos += eachNanos;
                        }));
            }
        }
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private final Busy turn = new Busy();

    @Test
    void theLoopHasItsTurnAfter32Pieces() {
        turn.wait(0, 100, 0);
        turn.run();
        assertThat(turn.ran).isEqualTo(upTo(32));
        assertThat(turn.scheduled).isEqualTo(2);
        assertThat(turn.held()).isFalse();
        assertThat(Turn.current()).isNull();
    }

    @Test
    void whatComesMeanwhileRunsBehindWhatWaits() {
        turn.wait(0, 40, 0);
        turn.run();
        turn.submit(TurnTask.of(() -> turn.ran.add(40)));
        turn.wait(41, 70, 0);
        assertThat(turn.ran).as("nobody else gets the turn").hasSize(32);
        assertThat(turn.scheduled).as("it is scheduled once").isEqualTo(2);
        turn.run();
        turn.run();
        assertThat(turn.ran).isEqualTo(upTo(70));
        turn.submit(TurnTask.of(() -> turn.ran.add(70)));
        assertThat(turn.ran).as("then it is free").hasSize(71);
    }

    @Test
    void theLoopHasItsTurnAfterAMillisecond() {
        turn.wait(0, 10, MILLIS / 2);
        turn.run();
        assertThat(turn.ran).hasSizeBetween(2, 4);
        while (turn.ran.size() < 10) {
            turn.run();
        }
        assertThat(turn.ran).isEqualTo(upTo(10));
    }

    @Test
    void aThreadThatIsCarriedByTheLoopLeavesOthersTheirTurn() {
        turn.loop = false;
        turn.shared = true;
        turn.wait(0, 100, 0);
        turn.run();
        assertThat(turn.ran).isEqualTo(upTo(32));
        assertThat(turn.scheduled).isEqualTo(2);
    }

    @Test
    void aThreadOfTheApplicationGoesOnToTheEnd() {
        turn.loop = false;
        turn.wait(0, 100, MILLIS);
        turn.run();
        assertThat(turn.ran).isEqualTo(upTo(100));
        assertThat(turn.scheduled).isEqualTo(1);
    }
}
