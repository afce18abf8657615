package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.servlet.port.CallStore.Found;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A grid that is cut: its parts go on unprotected, and the later state stays. */
class DividedGridTest {
    private final InfinispanCluster nodes = new InfinispanCluster(3);

    /** What the others hold has not gone because this node does not see them. */
    @Test
    void aNodeThatIsAloneDoesNotSayThatThereIsNothing() throws Exception {
        try (nodes) {
            int others = of(List.of(1, 2));
            int own = of(List.of(0, 1));
            assertThat(write(0, others, "theirs", 1).isProtected()).isTrue();
            assertThat(write(0, own, "ours", 1).isProtected()).isTrue();
            DISCARD cut = nodes.cut(0);
            Loopback.until("alone", () -> nodes.store(0).holders(own) == 1);
            assertThat(readAll(others)).startsWith("failed").contains("partition " + others);
            assertThat(readAll(own)).isEqualTo("[ours]");
            assertThat(readOne(others).failure()).contains("partition " + others);
            assertThat(readOne(own)).isEqualTo(Found.of(null));
            cut.discardAll(false);
            Loopback.until("together again", () -> nodes.store(0).holders(own) == 2);
            Loopback.until("all of it", () -> readAll(others).equals("[theirs]"));
            assertThat(readAll(own)).isEqualTo("[ours]");
        }
    }

    /** Both reach the third, which passes on what they write to each other. */
    @Test
    void twoThatDoNotReachEachOtherKeepEachOthersCopies() throws Exception {
        try (nodes) {
            int theirs = of(List.of(0, 1));
            List<Integer> holders = placed(theirs);
            ignore(0, 1);
            ignore(1, 0);
            long begin = System.nanoTime();
            // Longer than a silent node is taken for dead.
            for (int i = 1; System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(8); i++) {
                int writer = i % 2;
                Outcome outcome = write(writer, theirs, "call " + i, 1);
                assertThat(outcome).isEqualTo(new Outcome(2, null));
                assertThat(readAll(theirs)).contains("call " + i);
            }
            assertThat(placed(theirs)).isEqualTo(holders);
        }
    }

    private List<Integer> placed(int partition) {
        return Arrays.stream(nodes.store(0).placement(partition)).boxed().toList();
    }

    private void ignore(int node, int other) throws Exception {
        nodes.store(node)
                .channel()
                .getProtocolStack()
                .insertProtocol(
                        new DISCARD().addIgnoreMember(nodes.store(other).channel().getAddress()),
                        ProtocolStack.Position.ABOVE,
                        TP.class);
    }

    /** A partition that these nodes hold. */
    private int of(List<Integer> holders) {
        for (int partition = 0; ; partition++) {
            if (placed(partition).containsAll(holders)) {
                return partition;
            }
        }
    }

    private String readAll(int partition) {
        Set<String> found = new TreeSet<>();
        AtomicReference<@Nullable String> end = new AtomicReference<>();
        nodes.store(0)
                .readAll(
                        partition,
                        state -> found.add(state.id()),
                        failure -> end.set(failure == null ? "" : "failed: " + failure));
        Loopback.until("the end", () -> end.get() != null);
        return end.get().isEmpty() ? found.toString() : end.get();
    }

    /** Of a record that there is not. */
    private Found readOne(int partition) {
        AtomicReference<@Nullable Found> found = new AtomicReference<>();
        nodes.store(0).read(partition, "nobody's", found::set);
        Loopback.until("the record", () -> found.get() != null);
        return found.get();
    }

    @Test
    void halvesGoOnAndTheLaterStateStays() throws Exception {
        try (nodes) {
            nodes.close(2);
            assertThat(write(0, "both", 1).isProtected()).isTrue();
            DISCARD zero = nodes.cut(0);
            DISCARD one = nodes.cut(1);
            Loopback.until(
                    "each alone",
                    () -> nodes.store(0).holders(9) == 1 && nodes.store(1).holders(9) == 1);
            assertThat(write(0, "both", 2).isProtected()).isFalse();
            assertThat(write(1, "both", 3).isProtected()).isFalse();
            assertThat(write(0, "here", 5).failure()).isNull();
            assertThat(write(1, "there", 5).failure()).isNull();
            AtomicInteger meetings = new AtomicInteger();
            nodes.store(0).onMeeting(meetings::incrementAndGet);
            nodes.store(1).onMeeting(meetings::incrementAndGet);
            zero.discardAll(false);
            one.discardAll(false);
            Loopback.until(
                    "both again",
                    () -> nodes.store(0).holders(9) == 2 && nodes.store(1).holders(9) == 2);
            for (int node = 0; node < 2; node++) {
                int at = node;
                Loopback.until("the later one", () -> sequence(at, "both") == 3);
                Loopback.until("what one half wrote", () -> sequence(at, "here") == 5);
                Loopback.until("what the other half wrote", () -> sequence(at, "there") == 5);
            }
            Loopback.until("both are told that they met", () -> meetings.get() == 2);
        }
    }

    /**
     * While halves that have met compare what they have, each partition has both for holders, and
     * one of them may have nothing of it: who believed in two copies would leave the other alone.
     */
    @Test
    void whatOneHalfHasAloneHasTwoHoldersOnlyWhenTheOtherHalfHasIt() throws Exception {
        try (nodes) {
            nodes.close(2);
            DISCARD zero = nodes.cut(0);
            DISCARD one = nodes.cut(1);
            Loopback.until(
                    "each alone",
                    () -> nodes.store(0).holders(9) == 1 && nodes.store(1).holders(9) == 1);
            List<State> many = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                many.add(new State(i % 1_024, "alone" + i, 1, 1, new byte[] {1}));
            }
            AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
            nodes.store(0).write(many, told::set);
            Loopback.until("the outcome", () -> told.get() != null);
            zero.discardAll(false);
            one.discardAll(false);
            Loopback.until("two holders", () -> nodes.store(0).partitionsWithoutCopy() == 0);
            assertThat(nodes.store(1).entries()).isEqualTo(nodes.store(0).entries());
        }
    }

    private Outcome write(int node, String id, long sequence) {
        return write(node, 9, id, sequence);
    }

    private Outcome write(int node, int partition, String id, long sequence) {
        AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
        nodes.store(node)
                .write(List.of(new State(partition, id, 1, sequence, new byte[] {1})), told::set);
        Loopback.until("the outcome", () -> told.get() != null);
        return told.get();
    }

    private long sequence(int node, String id) {
        AtomicReference<@Nullable Long> found = new AtomicReference<>();
        nodes.store(node)
                .read(
                        9,
                        id,
                        read -> found.set(read.state() == null ? -1L : read.state().sequence()));
        Loopback.until("the record", () -> found.get() != null);
        return found.get();
    }
}
