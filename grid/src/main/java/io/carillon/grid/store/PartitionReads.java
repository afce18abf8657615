package io.carillon.grid.store;

import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings of whole partitions that wait, some hundreds when a node has died. They are done
 * together: to ask the grid for one partition costs nearly as much as to ask it for many.
 *
 * <p>Any thread. Each reading stays until it is taken; who brings them bounds how many wait.
 */
final class PartitionReads {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionReads.class);

    /** Who waits for the first of them waits for all of them. */
    static final int TOGETHER = 64;

    /** Reads the records of partitions, and tells in one sentence what went wrong. */
    interface Source {
        @Nullable String read(Set<Integer> partitions, Consumer<State> each);
    }

    /**
     * A reading.
     *
     * @param each gets each record
     * @param end is called once behind them
     */
    record Read(int partition, Consumer<State> each, Consumer<@Nullable String> end) {}

    private final Source source;
    private final ConcurrentLinkedQueue<Read> waiting = new ConcurrentLinkedQueue<>();

    PartitionReads(Source source) {
        this.source = source;
    }

    void add(Read read) {
        waiting.add(read);
    }

    /** False where somebody does it already. */
    boolean takeBack(Read read) {
        return waiting.remove(read);
    }

    /** Does the next ones, on this thread; nothing where all were done together with others. */
    void next() {
        Map<Integer, List<Read>> together = new HashMap<>();
        Read read;
        while (together.size() < TOGETHER && (read = waiting.poll()) != null) {
            together.computeIfAbsent(read.partition(), _ -> new ArrayList<>(1)).add(read);
        }
        if (together.isEmpty()) {
            return;
        }
        IdentityHashMap<Read, String> broken = new IdentityHashMap<>();
        String failure = read(together, broken);
        for (List<Read> all : together.values()) {
            for (Read one : all) {
                String own = broken.get(one);
                end(one, own == null ? failure : own);
            }
        }
    }

    /** Whatever befalls it, each of them has its end. */
    private @Nullable String read(
            Map<Integer, List<Read>> together, IdentityHashMap<Read, String> broken) {
        try {
            return source.read(
                    together.keySet(),
                    state ->
                            together.getOrDefault(state.partition(), List.of())
                                    .forEach(one -> give(one, state, broken)));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Partitions {} could not be read", together.keySet(), e);
            return e.toString();
        }
    }

    /** Who fails over a record has not had all; the others go on. */
    private static void give(Read read, State state, IdentityHashMap<Read, String> broken) {
        if (broken.containsKey(read)) {
            return;
        }
        try {
            read.each().accept(state);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Who reads partition {} failed over {}", read.partition(), state.id(), e);
            broken.put(read, e.toString());
        }
    }

    /** What one of them makes of its end must not keep the others from theirs. */
    private static void end(Read read, @Nullable String failure) {
        try {
            read.end().accept(failure);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Who reads partition {} failed", read.partition(), e);
        }
    }
}
