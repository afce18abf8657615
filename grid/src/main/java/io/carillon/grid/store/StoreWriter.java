package io.carillon.grid.store;

import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes batches of what is to be written. A partition has one batch under way; what comes for it in
 * the meantime waits, and of a record's states the latest alone. Partitions whose copies lie on the
 * same nodes go together, so a node that does not answer holds nothing up but its own.
 *
 * <p>Any thread writes and never waits. Everything else belongs to one thread, which also tells the
 * outcomes: it waits for nothing but its queue. What waits is bounded by bytes, and what is over
 * the bound is refused.
 */
final class StoreWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);

    static final String LEFT = "this node has left the grid";

    /** Where batches go. */
    interface Target {
        /** Begins to write; ends when all nodes have it, or fails in the end. Waits for nothing. */
        CompletionStage<?> put(List<State> batch);

        /** The nodes that hold a partition, as something that can be compared. */
        Object group(int partition);

        /** How many these are. */
        int holders(int partition);
    }

    /**
     * Bounds.
     *
     * @param states of a batch, at most
     * @param bytes of a batch, about
     * @param flights batches to the same nodes at the same time
     * @param waitingBytes of all that waits or is under way
     */
    record Limits(int states, long bytes, int flights, long waitingBytes) {
        static final Limits STANDARD = new Limits(256, 40 << 10, 2, 128L << 20);
    }

    /** What stands around a record on the wire. */
    private static final int STATE_BYTES = 32;

    /** Of the maps and lists around a state. */
    private static final int STATE_WEIGHT = 160;

    private final Target target;
    private final Limits limits;
    private final LinkedTransferQueue<Runnable> inbox = new LinkedTransferQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    // Of the thread.
    private final Map<Integer, Lane> lanes = new HashMap<>();
    private final Queue<Lane> ready = new ArrayDeque<>();
    private final Map<Object, Integer> flights = new HashMap<>();

    StoreWriter(String name, Target target, Limits limits) {
        this.target = target;
        this.limits = limits;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::work);
    }

    void start() {
        thread.start();
    }

    void write(List<State> batch, Consumer<Outcome> done) {
        if (closed) {
            Aside.tell(() -> done.accept(new Outcome(0, LEFT)));
            return;
        }
        long weight = weight(batch);
        if (waitingBytes.addAndGet(weight) > limits.waitingBytes()) {
            waitingBytes.addAndGet(-weight);
            String full = "more waits for the grid than " + limits.waitingBytes() + " bytes";
            inbox.put(() -> tell(done, new Outcome(0, full)));
        } else {
            Ticket ticket = new Ticket(done, weight);
            List<State> copy = List.copyOf(batch);
            inbox.put(() -> take(copy, ticket));
        }
        if (closed) {
            // The thread may have looked for the last time.
            Aside.tell(() -> {
                join();
                leave();
            });
        }
    }

    /** Bytes that wait or are under way, with what is around them. */
    long waitingBytes() {
        return waitingBytes.get();
    }

    @Override
    public void close() {
        closed = true;
        inbox.put(() -> {});
    }

    /** Waits for the thread's end. */
    void join() {
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long weight(List<State> batch) {
        long weight = STATE_WEIGHT;
        for (State state : batch) {
            byte[] bytes = state.bytes();
            weight += STATE_WEIGHT + 2L * state.id().length() + (bytes == null ? 0 : bytes.length);
        }
        return weight;
    }

    private void work() {
        try {
            while (!closed) {
                inbox.take().run();
                for (Runnable next = inbox.poll(); next != null; next = inbox.poll()) {
                    next.run();
                }
                depart();
            }
        } catch (InterruptedException e) {
            LOG.warn("The grid's writer was interrupted: this node writes nothing any more");
        } finally {
            closed = true;
            leave();
        }
    }

    /** Everything that waits has failed. */
    private synchronized void leave() {
        for (Runnable next = inbox.poll(); next != null; next = inbox.poll()) {
            next.run();
        }
        for (Lane lane : List.copyOf(lanes.values())) {
            lane.failure = LEFT;
            lane.tickets.forEach(ticket -> ticket.ended(0, LEFT));
            lane.tickets.clear();
            lane.aboard.forEach(ticket -> ticket.ended(0, LEFT));
            lane.aboard = List.of();
            lane.waiting.clear();
        }
        lanes.clear();
        ready.clear();
    }

    private void take(List<State> batch, Ticket ticket) {
        ticket.open = 1;
        for (State state : batch) {
            Lane lane = lanes.computeIfAbsent(state.partition(), Lane::new);
            if (lane.add(state, ticket)) {
                ready.add(lane);
            }
        }
        ticket.ended(Integer.MAX_VALUE, null);
    }

    private void depart() {
        int looked = ready.size();
        while (looked-- > 0) {
            Lane first = ready.remove();
            Object group = target.group(first.partition);
            if (flights.getOrDefault(group, 0) >= limits.flights()) {
                ready.add(first);
                continue;
            }
            Flight flight = new Flight(group);
            flight.board(first);
            for (Iterator<Lane> rest = ready.iterator(); rest.hasNext() && flight.hasRoom(); ) {
                Lane lane = rest.next();
                if (target.group(lane.partition).equals(group) && flight.takes(lane)) {
                    rest.remove();
                    looked--;
                    flight.board(lane);
                }
            }
            looked = Math.min(looked, ready.size());
            flight.depart();
        }
    }

    private void tell(Consumer<Outcome> done, Outcome outcome) {
        try {
            done.accept(outcome);
        } catch (RuntimeException e) {
            LOG.error("Who wrote to the grid failed on the outcome", e);
        }
    }

    /** A partition of which something waits or is under way. */
    private static final class Lane {
        final int partition;
        final Map<String, State> waiting = new LinkedHashMap<>();
        final List<Ticket> tickets = new ArrayList<>();
        List<Ticket> aboard = List.of();
        @Nullable String failure;
        boolean flying;
        boolean queued;

        Lane(int partition) {
            this.partition = partition;
        }

        /** True when it has to be queued now. */
        boolean add(State state, Ticket ticket) {
            State other = waiting.get(state.id());
            if (other == null || state.follows(other)) {
                waiting.put(state.id(), state);
            }
            if (tickets.isEmpty() || tickets.getLast() != ticket) {
                tickets.add(ticket);
                ticket.open++;
            }
            if (flying || queued) {
                return false;
            }
            queued = true;
            return true;
        }
    }

    /** Someone waits for an outcome. */
    private final class Ticket {
        private final Consumer<Outcome> done;
        private final long weight;
        private int open;
        private int holders = Integer.MAX_VALUE;
        private @Nullable String failure;

        Ticket(Consumer<Outcome> done, long weight) {
            this.done = done;
            this.weight = weight;
        }

        void ended(int holdersOfPart, @Nullable String failureOfPart) {
            holders = Math.min(holders, holdersOfPart);
            failure = failure == null ? failureOfPart : failure;
            if (--open == 0) {
                waitingBytes.addAndGet(-weight);
                boolean nothing = holders == Integer.MAX_VALUE;
                int told = failure != null ? 0 : nothing ? target.holders(0) : holders;
                tell(done, new Outcome(told, failure));
            }
        }
    }

    /** A batch under way. */
    private final class Flight {
        private final Object group;
        private final List<State> states = new ArrayList<>();
        private final List<Lane> lanes = new ArrayList<>();
        private long bytes;

        Flight(Object group) {
            this.group = group;
        }

        boolean hasRoom() {
            return states.size() < limits.states() && bytes < limits.bytes();
        }

        /** Is there room for something of that lane? */
        boolean takes(Lane lane) {
            return takes(lane.waiting.values().iterator().next());
        }

        /** The first one goes however large it is. */
        private boolean takes(State state) {
            return states.isEmpty()
                    || (states.size() < limits.states() && bytes + size(state) <= limits.bytes());
        }

        private static long size(State state) {
            byte[] content = state.bytes();
            return (long) STATE_BYTES
                    + state.id().length()
                    + (content == null ? 0 : content.length);
        }

        void board(Lane lane) {
            lane.queued = false;
            lane.flying = true;
            Iterator<State> waiting = lane.waiting.values().iterator();
            while (waiting.hasNext()) {
                State state = waiting.next();
                if (!takes(state)) {
                    break;
                }
                bytes += size(state);
                states.add(state);
                waiting.remove();
            }
            if (lane.waiting.isEmpty()) {
                lane.aboard = List.copyOf(lane.tickets);
                lane.tickets.clear();
            }
            lanes.add(lane);
        }

        void depart() {
            flights.merge(group, 1, Integer::sum);
            CompletionStage<?> written;
            try {
                written = target.put(states);
            } catch (RuntimeException e) {
                landed(e);
                return;
            }
            written.whenComplete((nothing, failure) -> inbox.put(() -> landed(failure)));
        }

        private void landed(@Nullable Throwable failure) {
            flights.computeIfPresent(group, (same, count) -> count == 1 ? null : count - 1);
            for (Lane lane : lanes) {
                if (failure != null) {
                    lane.failure = InfinispanFailures.sentence(failure);
                }
                int holders = lane.failure == null ? target.holders(lane.partition) : 0;
                List<Ticket> ended = lane.aboard;
                lane.aboard = List.of();
                String text = lane.failure;
                lane.flying = false;
                if (!ended.isEmpty()) {
                    lane.failure = null;
                }
                ended.forEach(ticket -> ticket.ended(holders, text));
                if (lane.waiting.isEmpty()) {
                    StoreWriter.this.lanes.remove(lane.partition, lane);
                } else {
                    lane.queued = true;
                    ready.add(lane);
                }
            }
        }
    }
}
