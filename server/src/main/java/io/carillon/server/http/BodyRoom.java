package io.carillon.server.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of bodies that are coming, of all together. Where they are too many, the oldest body of
 * the source that holds most has to be given up; one of an exempt source only where no other holds
 * any.
 *
 * <p>Any thread, one lock for some steps; nobody is called under it.
 *
 * @param <B> a body, known by its identity
 */
final class BodyRoom<B> {
    /** What comes from one address, as long as something does. */
    private final class Source {
        final boolean exempt;
        long bytes;

        /** With the bytes of each, the oldest first. */
        final LinkedHashMap<B, Integer> bodies = new LinkedHashMap<>();

        Source(boolean exempt) {
            this.exempt = exempt;
        }

        long counted() {
            return exempt ? 0 : bytes;
        }
    }

    private final long room;
    private final LongPredicate exempt;

    // Guarded by this.
    private final Map<Long, Source> sources = new LinkedHashMap<>();

    private long bytes;

    /**
     * @param room bytes of all together
     * @param exempt sources by their {@link io.carillon.sip.guard.SourceKey}
     */
    BodyRoom(long room, LongPredicate exempt) {
        this.room = room;
        this.exempt = exempt;
    }

    /**
     * A body holds more.
     *
     * @return the one to be given up for it, perhaps itself; null where there is room
     */
    synchronized @Nullable B more(long key, B body, int count) {
        Source source = sources.computeIfAbsent(key, k -> new Source(exempt.test(key)));
        source.bodies.merge(body, count, Integer::sum);
        source.bytes += count;
        bytes += count;
        if (bytes <= room) {
            return null;
        }
        Source most = source;
        for (Source other : sources.values()) {
            if (other.counted() > most.counted()) {
                most = other;
            }
        }
        return most.bodies.firstEntry().getKey();
    }

    /** A body holds nothing any more. */
    synchronized void gone(long key, B body) {
        Source source = sources.get(key);
        Integer count = source == null ? null : source.bodies.remove(body);
        if (source != null && count != null) {
            source.bytes -= count;
            bytes -= count;
            if (source.bodies.isEmpty()) {
                sources.remove(key);
            }
        }
    }

    /** Of all bodies together. */
    synchronized long bytes() {
        return bytes;
    }
}
