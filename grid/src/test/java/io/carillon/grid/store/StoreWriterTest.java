package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of batches, with a grid that answers when the test says so. */
class StoreWriterTest {
    /** A batch on its way. */
    private record Flight(List<State> states, CompletableFuture<Void> end) {
        List<String> names() {
            return states.stream().map(state -> state.id() + " " + state.sequence()).toList();
        }
    }

    private final List<Flight> flights = new CopyOnWriteArrayList<>();
    private final List<Outcome> told = new CopyOnWriteArrayList<>();
    private volatile int holders = 2;
    private StoreWriter writer = writer(StoreWriter.Limits.STANDARD);

    private StoreWriter writer(StoreWriter.Limits limits) {
        StoreWriter made = new StoreWriter("test-write", new Grid(), limits);
        made.start();
        return made;
    }

    /** Partitions below 100 lie on the same nodes, the others on others. */
    private final class Grid implements StoreWriter.Target {
        @Override
        public CompletionStage<?> put(List<State> batch) {
            Flight flight = new Flight(List.copyOf(batch), new CompletableFuture<>());
            flights.add(flight);
            return flight.end;
        }

        @Override
        public Object group(int partition) {
            return partition < 100;
        }

        @Override
        public int holders(int partition) {
            return holders;
        }
    }

    @AfterEach
    void close() {
        writer.close();
        writer.join();
    }

    private void write(State... batch) {
        writer.write(List.of(batch), told::add);
    }

    private static State state(int partition, String id, long sequence) {
        return new State(partition, id, 1, sequence, new byte[100]);
    }

    private Flight flight(int number) {
        Loopback.until("batch " + number, () -> flights.size() > number);
        return flights.get(number);
    }

    private void outcomes(int count) {
        Loopback.until(count + " outcomes", () -> told.size() == count);
    }

    @Test
    void aPartitionHasOneBatchUnderWayAndTheNextHasTheLatestOfEachRecord() {
        write(state(1, "a", 1));
        Flight first = flight(0);
        write(state(1, "a", 2), state(1, "b", 1));
        write(state(1, "a", 3));
        write(state(1, "a", 2));
        write(state(500, "elsewhere", 1));
        assertThat(flight(1).names()).containsExactly("elsewhere 1");
        assertThat(flights).hasSize(2);
        first.end.complete(null);
        assertThat(flight(2).names()).containsExactlyInAnyOrder("a 3", "b 1");
        outcomes(1);
        flight(2).end.complete(null);
        outcomes(4);
        assertThat(told).allMatch(Outcome::isProtected);
        flight(1).end.complete(null);
        outcomes(5);
        assertThat(writer.waitingBytes()).isZero();
    }

    @Test
    void aBatchOfSeveralPartitionsIsToldWhenAllOfItIsThere() {
        write(state(1, "a", 1), state(500, "b", 1));
        flight(1);
        flights.get(0).end.complete(null);
        write(state(501, "c", 1));
        flight(2).end.complete(null);
        outcomes(1);
        flights.get(1).end.complete(null);
        outcomes(2);
    }

    @Test
    void aFailureIsToldToThoseWhoseStatesWereInTheBatch() {
        write(state(1, "a", 1));
        Flight first = flight(0);
        write(state(1, "a", 2));
        first.end.completeExceptionally(new IllegalStateException("no answer"));
        flight(1).end.complete(null);
        outcomes(2);
        assertThat(told.getFirst().failure()).contains("no answer");
        assertThat(told.getFirst().holders()).isZero();
        assertThat(told.getLast().failure()).isNull();
    }

    @Test
    void whatOneNodeAloneHoldsIsNotProtected() {
        holders = 1;
        write(state(1, "a", 1));
        flight(0).end.complete(null);
        outcomes(1);
        assertThat(told.getFirst().failure()).isNull();
        assertThat(told.getFirst().isProtected()).isFalse();
    }

    @Test
    void nodesThatDoNotAnswerHoldUpTheirOwnPartitionsOnly() {
        write(state(0, "held up", 1));
        flight(0);
        write(state(1, "held up", 1));
        flight(1);
        for (int i = 2; i < 50; i++) {
            write(state(i, "held up", 1));
        }
        for (int i = 500; i < 510; i++) {
            int number = told.size();
            write(state(i, "goes", 1));
            Loopback.until(
                    "the batch to the others",
                    () ->
                            flights.stream()
                                            .filter(f -> f.states.getFirst().partition() >= 500)
                                            .peek(f -> f.end.complete(null))
                                            .count()
                                    > number);
            outcomes(number + 1);
        }
        long held = flights.stream().filter(f -> f.states.getFirst().partition() < 500).count();
        assertThat(held).as("batches at once to the same nodes").isEqualTo(2);
    }

    @Test
    void whatIsOverTheBoundIsRefusedAndTheRoomComesBack() {
        close();
        writer = writer(new StoreWriter.Limits(10, 1 << 20, 2, 2_000));
        write(state(1, "a", 1));
        flight(0);
        for (int i = 0; i < 20; i++) {
            write(state(2 + i, "b", 1));
        }
        Loopback.until(
                "a refusal", () -> told.stream().anyMatch(outcome -> outcome.failure() != null));
        assertThat(told.getFirst().failure()).contains("2000 bytes");
        Loopback.until(
                "all told",
                () -> {
                    flights.forEach(flight -> flight.end.complete(null));
                    return told.size() == 21;
                });
        Loopback.until("room", () -> writer.waitingBytes() == 0);
    }

    @Test
    void aBatchHasABoundAndTheRestFollows() {
        close();
        writer = writer(new StoreWriter.Limits(10, 1 << 20, 2, 1 << 20));
        List<State> many = new ArrayList<>();
        for (int i = 0; i < 35; i++) {
            many.add(state(7, "call " + i, 1));
        }
        writer.write(many, told::add);
        for (int batch = 0; batch < 4; batch++) {
            assertThat(told).isEmpty();
            assertThat(flight(batch).states).hasSizeLessThanOrEqualTo(10);
            flight(batch).end.complete(null);
        }
        outcomes(1);
        assertThat(flights.stream().mapToInt(flight -> flight.states.size()).sum()).isEqualTo(35);
    }

    /** It is one message on the wire; what is larger goes alone. */
    @Test
    void aBatchDoesNotGrowOverItsBytes() {
        close();
        writer = writer(new StoreWriter.Limits(100, 1_000, 1, 1 << 20));
        write(state(1, "begins", 1));
        flight(0);
        State[] many = new State[20];
        for (int i = 0; i < many.length; i++) {
            many[i] = state(2 + i, "n" + i, 1);
        }
        write(many);
        write(new State(50, "large", 1, 1, new byte[5_000]));
        int states = 0;
        for (int batch = 0; states < 22; batch++) {
            List<State> these = flight(batch).states;
            states += these.size();
            int bytes = these.stream().mapToInt(each -> bytes(each)).sum();
            assertThat(bytes <= 1_000 || these.size() == 1).as(these.toString()).isTrue();
            flight(batch).end.complete(null);
        }
        outcomes(3);
    }

    private static int bytes(State state) {
        byte[] bytes = state.bytes();
        return bytes == null ? 0 : bytes.length;
    }

    @Test
    void whatWaitsWhenTheNodeLeavesHasFailed() {
        write(state(1, "a", 1));
        flight(0);
        write(state(1, "a", 2));
        writer.close();
        outcomes(2);
        write(state(1, "a", 3));
        outcomes(3);
        assertThat(told)
                .allSatisfy(outcome -> assertThat(outcome.failure()).isEqualTo(StoreWriter.LEFT));
    }

    @Test
    void aListenerThatFailsHoldsNothingUp() {
        writer.write(
                List.of(state(1, "a", 1)),
                outcome -> {
                    throw new IllegalStateException("as a fault of the caller would");
                });
        flight(0).end.complete(null);
        write(state(1, "a", 2));
        flight(1).end.complete(null);
        outcomes(1);
    }
}
