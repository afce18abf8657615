package io.carillon.servlettest.store;

import io.carillon.servlet.port.CallStore;
import io.carillon.sip.token.Ownership;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node of a {@link SimulatedGrid}. Owner: the test's thread. */
public final class SimulatedCallStore implements CallStore {
    private static final String LEFT = "this node has left the grid";

    private final SimulatedGrid grid;
    private final int number;

    /** By partition and id; a removed one is a state without bytes. */
    private final Map<Integer, Map<String, State>> held = new TreeMap<>();

    private final Set<PendingWrite> writes = new LinkedHashSet<>();
    private final Set<PendingRead> reads = new LinkedHashSet<>();
    private final Deque<Runnable> late = new ArrayDeque<>();

    /** Lives that had the copies of a partition of which nobody seen has one. */
    private final Map<Integer, Set<SimulatedCallStore>> lost = new HashMap<>();

    private Set<Integer> view = Set.of();

    /** Of the view, by number. */
    private Map<Integer, SimulatedCallStore> lives = Map.of();

    private final List<Runnable> meetings = new ArrayList<>();
    private boolean dead;
    private boolean paused;
    private boolean full;

    SimulatedCallStore(SimulatedGrid grid, int number) {
        this.grid = grid;
        this.number = number;
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        if (dead) {
            soon(() -> done.accept(new Outcome(0, LEFT)));
            return;
        }
        batch.forEach(state -> SimulatedGrid.check(state.partition()));
        PendingWrite write = new PendingWrite(List.copyOf(batch), done);
        writes.add(write);
        grid.time().after(SimulatedGrid.TIME_OUT, () -> run(write::timeOut));
        soon(write::go);
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        readAll(partition, each, false, end);
    }

    private void readAll(
            int partition, Consumer<State> each, boolean removed, Consumer<@Nullable String> end) {
        SimulatedGrid.check(partition);
        if (dead) {
            soon(() -> end.accept(LEFT));
            return;
        }
        PendingRead read = new PendingRead(partition, each, removed, end);
        reads.add(read);
        grid.time().after(SimulatedGrid.TIME_OUT, () -> run(read::timeOut));
        soon(read::go);
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        Map<String, State> one = new HashMap<>();
        readAll(
                partition,
                state -> {
                    if (state.id().equals(id)) {
                        one.put(id, state);
                    }
                },
                true,
                failure -> found.accept(new Found(one.get(id), failure)));
    }

    @Override
    public void onMeeting(Runnable met) {
        meetings.add(met);
    }

    @Override
    public int holders(int partition) {
        SimulatedGrid.check(partition);
        Map<String, State> all = new HashMap<>();
        view.forEach(
                node -> grid.node(node).heldOf(partition).values().forEach(s -> later(all, s)));
        if (all.isEmpty()) {
            return SimulatedGrid.owners(view, partition).size();
        }
        return (int)
                view.stream()
                        .map(grid::node)
                        .filter(node -> all.values().stream().allMatch(node::has))
                        .count();
    }

    @Override
    public void close() {
        if (!dead) {
            List.copyOf(writes).forEach(PendingWrite::leave);
            List.copyOf(reads).forEach(PendingRead::leave);
            grid.kill(number);
        }
    }

    /** Records that lie here, the removed ones not counted. */
    public int size() {
        return records().size();
    }

    /** Ids of the records that lie here, without the removed ones. */
    public List<String> records() {
        return held.values().stream()
                .flatMap(all -> all.values().stream())
                .filter(state -> state.bytes() != null)
                .map(State::id)
                .toList();
    }

    int number() {
        return number;
    }

    Set<Integer> view() {
        return view;
    }

    boolean isDead() {
        return dead;
    }

    boolean isPaused() {
        return paused;
    }

    void die() {
        dead = true;
        held.clear();
        late.clear();
        reads.clear();
        writes.clear();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        while (!paused && !dead && !late.isEmpty()) {
            late.removeFirst().run();
        }
    }

    void full(boolean now) {
        full = now;
    }

    /** Runs here now, or when this node goes on. */
    void run(Runnable task) {
        if (paused) {
            late.add(task);
        } else if (!dead) {
            task.run();
        }
    }

    /** What is told within a call comes after it. */
    private void soon(Runnable task) {
        grid.time()
                .after(
                        0,
                        () -> {
                            if (dead) {
                                task.run();
                            } else {
                                run(task);
                            }
                        });
    }

    /** Who is seen now: what lies here goes to those that should have it. */
    void sees(Set<Integer> now) {
        Map<Integer, SimulatedCallStore> others = new TreeMap<>();
        now.forEach(each -> others.put(each, grid.node(each)));
        if (others.equals(lives)) {
            return;
        }
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            moved(partition, SimulatedGrid.owners(view, partition), others.values());
        }
        boolean met =
                others.values().stream()
                        .anyMatch(each ->
                                each != this && !lives.containsValue(each) && !each.held.isEmpty());
        view = now;
        lives = others;
        held.forEach((partition, all) ->
                SimulatedGrid.owners(view, partition).stream()
                        .filter(owner -> owner != number)
                        .forEach(owner -> copy(owner, List.copyOf(all.values()))));
        List.copyOf(writes).forEach(PendingWrite::go);
        List.copyOf(reads).forEach(PendingRead::go);
        grid.time().after(SimulatedGrid.TIDY, () -> run(this::tidy));
        if (met) {
            grid.time().after(SimulatedGrid.TIDY, () -> run(() -> meetings.forEach(Runnable::run)));
        }
    }

    /** Where all who had copies are gone others have none: they may come back. */
    private void moved(int partition, List<Integer> holders, Collection<SimulatedCallStore> now) {
        Set<SimulatedCallStore> before = new HashSet<>();
        holders.forEach(each -> before.add(lives.get(each)));
        Set<SimulatedCallStore> known = lost.get(partition);
        if (known != null && !Collections.disjoint(known, now)) {
            lost.remove(partition);
        } else if (known == null && !before.isEmpty() && Collections.disjoint(before, now)) {
            lost.put(partition, before);
            grid.time().after(SimulatedGrid.REMEMBERED, () -> lost.remove(partition, before));
        }
    }

    /** What others are to have now, and do, is dropped here. */
    private void tidy() {
        held.entrySet()
                .removeIf(each -> {
                    List<Integer> owners = SimulatedGrid.owners(view, each.getKey());
                    return !owners.contains(number)
                            && owners.stream()
                                    .map(grid::node)
                                    .allMatch(node ->
                                            each.getValue().values().stream()
                                                    .allMatch(node::needsNot));
                });
    }

    private void copy(int owner, List<State> all) {
        SimulatedCallStore target = grid.node(owner);
        grid.send(this, owner, () -> all.forEach(target::keep));
    }

    private Map<String, State> heldOf(int partition) {
        return held.getOrDefault(partition, Map.of());
    }

    private boolean has(State state) {
        State own = heldOf(state.partition()).get(state.id());
        return own != null && !state.follows(own);
    }

    /** It has that state, or has forgotten by now that the record was removed. */
    private boolean needsNot(State state) {
        boolean forgotten =
                state.bytes() == null && !heldOf(state.partition()).containsKey(state.id());
        return forgotten || has(state);
    }

    private static void later(Map<String, State> all, State state) {
        State other = all.get(state.id());
        if (other == null || state.follows(other)) {
            all.put(state.id(), state);
        }
    }

    /** Keeps a state unless a later one is here. False when there is no room. */
    private boolean keep(State state) {
        if (has(state)) {
            return true;
        }
        if (full && state.bytes() != null) {
            return false;
        }
        held.computeIfAbsent(state.partition(), partition -> new TreeMap<>())
                .put(state.id(), state);
        if (state.bytes() == null) {
            grid.time().after(SimulatedGrid.REMEMBERED, () -> forget(state));
        }
        return true;
    }

    private void forget(State removed) {
        Map<String, State> all = held.get(removed.partition());
        if (all != null) {
            all.remove(removed.id(), removed);
            if (all.isEmpty()) {
                held.remove(removed.partition());
            }
        }
    }

    /** A batch, until every node that should have it has answered. */
    private final class PendingWrite {
        private final List<State> batch;
        private final Consumer<Outcome> done;
        private final Map<Integer, Set<State>> has = new HashMap<>();
        private final Set<Integer> refused = new HashSet<>();
        private boolean told;

        PendingWrite(List<State> batch, Consumer<Outcome> done) {
            this.batch = batch;
            this.done = done;
        }

        /** Sends to everybody who should have it and has not said so. */
        void go() {
            Map<Integer, List<State>> missing = missing();
            missing.forEach((node, states) -> {
                SimulatedCallStore target = grid.node(node);
                grid.send(SimulatedCallStore.this, node, () -> target.take(this, states));
            });
            look();
        }

        private Map<Integer, List<State>> missing() {
            Map<Integer, List<State>> all = new TreeMap<>();
            for (State state : batch) {
                for (int owner : SimulatedGrid.owners(view, state.partition())) {
                    if (!has.getOrDefault(owner, Set.of()).contains(state)
                            && !refused.contains(owner)) {
                        all.computeIfAbsent(owner, node -> new ArrayList<>()).add(state);
                    }
                }
            }
            return all;
        }

        void answered(int node, List<State> states, boolean kept) {
            if (kept) {
                has.computeIfAbsent(node, n -> new HashSet<>()).addAll(states);
            } else {
                refused.add(node);
            }
            look();
        }

        private void look() {
            if (missing().isEmpty()) {
                int holders = holders();
                tell(holders == 0 ? "no node took it" : null, holders);
            }
        }

        private int holders() {
            int fewest = Integer.MAX_VALUE;
            for (State state : batch) {
                int holders = 0;
                for (int node : view) {
                    holders += has.getOrDefault(node, Set.of()).contains(state) ? 1 : 0;
                }
                fewest = Math.min(fewest, holders);
            }
            return batch.isEmpty() ? view.size() : fewest;
        }

        SimulatedCallStore writer() {
            return SimulatedCallStore.this;
        }

        void leave() {
            soon(() -> tell(LEFT, 0));
        }

        void timeOut() {
            tell("not known within " + SimulatedGrid.TIME_OUT.toSeconds() + " s", 0);
        }

        private void tell(@Nullable String failure, int holders) {
            if (!told) {
                told = true;
                writes.remove(this);
                done.accept(new Outcome(holders, failure));
            }
        }
    }

    /** On the node that should keep it. */
    private void take(PendingWrite write, List<State> states) {
        boolean kept = true;
        for (State state : states) {
            kept &= keep(state);
        }
        boolean all = kept;
        SimulatedCallStore writer = write.writer();
        grid.send(this, writer.number, () -> write.answered(number, states, all));
    }

    /** All records of a partition, from everybody who is seen. */
    private final class PendingRead {
        private final int partition;
        private final boolean removed;
        private final Consumer<State> each;
        private final Consumer<@Nullable String> end;
        private final Map<String, State> found = new TreeMap<>();
        private final Set<Integer> answered = new HashSet<>();
        private boolean told;

        PendingRead(
                int partition,
                Consumer<State> each,
                boolean removed,
                Consumer<@Nullable String> end) {
            this.removed = removed;
            this.partition = partition;
            this.each = each;
            this.end = end;
        }

        void go() {
            for (int node : view) {
                if (!answered.contains(node)) {
                    SimulatedCallStore target = grid.node(node);
                    grid.send(
                            SimulatedCallStore.this,
                            node,
                            () -> {
                                List<State> all = List.copyOf(target.heldOf(partition).values());
                                grid.send(target, number, () -> answered(node, all));
                            });
                }
            }
            look();
        }

        private void answered(int node, List<State> all) {
            answered.add(node);
            all.forEach(state -> later(found, state));
            look();
        }

        private void look() {
            if (answered.containsAll(view)) {
                tell(lost.containsKey(partition) ? "all nodes that had copies are gone" : null);
            }
        }

        void leave() {
            soon(() -> tell(LEFT));
        }

        void timeOut() {
            tell("not all read within " + SimulatedGrid.TIME_OUT.toSeconds() + " s");
        }

        private void tell(@Nullable String failure) {
            if (!told) {
                told = true;
                reads.remove(this);
                found.values().stream()
                        .filter(state -> removed || state.bytes() != null)
                        .forEach(each);
                end.accept(failure);
            }
        }
    }
}
