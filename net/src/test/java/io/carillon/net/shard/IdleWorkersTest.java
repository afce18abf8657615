package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which threads are kept for the next handler. */
class IdleWorkersTest {
    private static final long SECOND = 1_000_000_000;

    private final List<Object> ended = new ArrayList<>();
    private final IdleWorkers<Worker> idle = new IdleWorkers<>();

    private final class Worker implements IdleWorkers.Kept {
        private final Object owner;

        Worker(Object owner) {
            this.owner = owner;
        }

        @Override
        public Object owner() {
            return owner;
        }

        @Override
        public void end() {
            ended.add(owner);
        }
    }

    @Test
    void eachOwnerHasItsOwnAndEachIsTakenOnce() {
        Worker first = new Worker("first");
        Worker second = new Worker("second");
        idle.keep(first, 0);
        idle.keep(second, 0);
        assertThat(idle.take("third")).isNull();
        assertThat(idle.take("first")).isSameAs(first);
        assertThat(idle.take("first")).isNull();
        assertThat(idle.take("second")).isSameAs(second);
        assertThat(ended).isEmpty();
    }

    @Test
    void beyondTheMostTheOneUnusedForLongestEnds() {
        for (int i = 0; i <= IdleWorkers.MOST; i++) {
            idle.keep(new Worker(i), i);
        }
        assertThat(ended).containsExactly(0);
    }

    /** Else the class loader of an application that is gone would stay with its thread. */
    @Test
    void whatNobodyUsesEndsWithTheNextOneThatIsKept() {
        idle.keep(new Worker("gone"), 0);
        idle.keep(new Worker("used"), 10 * SECOND);
        assertThat(ended).isEmpty();
        Worker used = idle.take("used");
        idle.keep(used, 10 * SECOND + 1);
        assertThat(ended).containsExactly("gone");
    }

    @Test
    void allEndWithTheLoop() {
        idle.keep(new Worker("first"), 0);
        idle.keep(new Worker("second"), 0);
        idle.endAll();
        assertThat(ended).containsExactlyInAnyOrder("first", "second");
        assertThat(idle.take("first")).isNull();
    }
}
