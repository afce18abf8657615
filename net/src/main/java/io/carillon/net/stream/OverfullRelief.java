package io.carillon.net.stream;

import io.carillon.net.shard.ShardLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Closes connections where all together hold too many bytes: of the source that holds most the one
 * that holds most, until a part of the room is free. Whoever only came last keeps his. Connections
 * of trusted sources are closed where closing all others does not help.
 *
 * <p>Any thread; one at a time chooses. It looks at all connections, and frees so much that it does
 * not do so for every message.
 *
 * @param <C> the connections
 */
final class OverfullRelief<C extends OverfullRelief.Holder> {
    private static final int PART = 64;

    /** A connection that holds bytes. Any thread, but for {@link #close}. */
    interface Holder {
        /** By {@link io.carillon.sip.guard.SourceKey}. */
        long source();

        /** Of a trusted source. */
        boolean spared();

        /** When something last came or left. */
        long activeNanos();

        /** It is to be closed for others. */
        void giveWay();

        /** Is it to be closed for others? */
        boolean givesWay();

        /** Where it lives. */
        ShardLoop loop();

        /** Ends it, on its loop. */
        void close(CloseCause why);
    }

    private final long limit;
    private final Supplier<List<C>> connections;
    private final ToLongFunction<C> bytes;
    private final CloseCause cause;
    private final AtomicLong leaving = new AtomicLong();
    private final AtomicBoolean choosing = new AtomicBoolean();

    /** What one source holds. Dies with the choice. */
    private static final class Source {
        final boolean spared;
        final List<Held> all = new ArrayList<>();
        long bytes;

        Source(boolean spared) {
            this.spared = spared;
        }
    }

    private record Held(Holder connection, long bytes) {}

    /**
     * @param limit bytes
     * @param connections all that there are
     * @param bytes what one holds, perhaps a little earlier
     * @param cause of those that are closed
     */
    OverfullRelief(
            long limit, Supplier<List<C>> connections, ToLongFunction<C> bytes, CloseCause cause) {
        this.limit = limit;
        this.connections = connections;
        this.bytes = bytes;
        this.cause = cause;
    }

    long limit() {
        return limit;
    }

    /**
     * So much is held; closes connections where it is too much.
     *
     * @param held by all, those that are being closed included
     */
    void check(long held) {
        if (held - leaving.get() <= limit || !choosing.compareAndSet(false, true)) {
            return;
        }
        try {
            choose(held - leaving.get() - (limit - limit / PART));
        } finally {
            choosing.set(false);
        }
    }

    private void choose(long wanted) {
        Map<Long, Source> sources = new HashMap<>();
        for (C one : connections.get()) {
            long held = one.givesWay() ? 0 : bytes.applyAsLong(one);
            if (held > 0) {
                Source source =
                        sources.computeIfAbsent(one.source(), s -> new Source(one.spared()));
                source.all.add(new Held(one, held));
                source.bytes += held;
            }
        }
        PriorityQueue<Source> most =
                new PriorityQueue<>(
                        Comparator.comparing((Source source) -> source.spared)
                                .thenComparing(source -> -source.bytes));
        for (Source source : sources.values()) {
            source.all.sort(
                    Comparator.comparingLong(Held::bytes)
                            .thenComparing(held -> held.connection().activeNanos()));
            most.add(source);
        }
        long freed = 0;
        while (freed < wanted && !most.isEmpty()) {
            Source source = most.remove();
            Held largest = source.all.removeLast();
            freed += largest.bytes();
            source.bytes -= largest.bytes();
            close(largest);
            if (!source.all.isEmpty()) {
                most.add(source);
            }
        }
    }

    private void close(Held held) {
        leaving.addAndGet(held.bytes());
        held.connection().giveWay();
        ShardLoop loop = held.connection().loop();
        loop.execute(() -> {
            held.connection().close(cause);
            leaving.addAndGet(-held.bytes());
        });
    }
}
