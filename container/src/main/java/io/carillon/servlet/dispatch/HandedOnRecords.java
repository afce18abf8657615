package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where requests were handed on to, as small records in the partition where they came in: so the
 * next owner of that partition knows where their CANCELs go. Who owns the partition when the time
 * of one is over removes it. Any thread; nothing here waits.
 */
final class HandedOnRecords {
    /** No id of a session begins with it and has no colon. */
    private static final char MARK = '@';

    private static final int ID_LENGTH = 17;
    private static final int VERSION = 1;

    private final CallStore store;
    private final SessionHost host;
    private final AtomicLong sequence = new AtomicLong();

    HandedOnRecords(CallStore store, SessionHost host) {
        this.store = store;
        this.host = host;
    }

    private static String id(long key) {
        return MARK + HexFormat.of().toHexDigits(key);
    }

    private static boolean isOne(String id) {
        return id.length() == ID_LENGTH && id.charAt(0) == MARK && id.indexOf(':') < 0;
    }

    /**
     * A request was handed on.
     *
     * @param from partition that it came in by; -1 for none
     * @param to partition that it went to
     * @param forNanos so long its CANCEL may come
     */
    void write(long key, int from, int to, long forNanos) {
        if (from < 0) {
            return;
        }
        StateWriter out = new StateWriter(24);
        int section = out.begin(VERSION);
        out.putVarint(to).putVarint(host.millis() + TimeUnit.NANOSECONDS.toMillis(forNanos));
        out.end(section);
        write(state(from, id(key), out.toByteArray()));
        removeAfter(from, id(key), forNanos);
    }

    private void write(State state) {
        // Where it is not kept a CANCEL gets 481 should this node die meanwhile.
        store.write(List.of(state), outcome -> {});
    }

    private void removeAfter(int partition, String id, long nanos) {
        Shard home = shard(partition);
        home.perform(() -> home.timers().schedule(new Over(partition, id), home.now() + nanos));
    }

    /** On the shard of its partition; where that is another node's by then, it does nothing. */
    private final class Over extends WheelTimer {
        private final int partition;
        private final String id;

        Over(int partition, String id) {
            this.partition = partition;
            this.id = id;
        }

        @Override
        protected int partition() {
            return partition;
        }

        @Override
        protected void fire(long nowNanos) {
            write(state(partition, id, null));
        }
    }

    private State state(int partition, String id, byte @Nullable [] bytes) {
        return new State(
                partition,
                id,
                shard(partition).config().tokens().term(partition),
                sequence.incrementAndGet(),
                bytes);
    }

    private Shard shard(int partition) {
        return host.shards().ofPartition(partition);
    }

    /** Takes what another node wrote; false for what is something else. */
    boolean read(State state, HandedOn handed) {
        byte[] bytes = state.bytes();
        if (!isOne(state.id()) || bytes == null) {
            return false;
        }
        StateReader in = new StateReader(bytes);
        in.begin();
        int to = in.getCount(Integer.MAX_VALUE);
        long until = in.getVarint();
        in.end();
        long left = TimeUnit.MILLISECONDS.toNanos(Math.max(1, until - host.millis()));
        long now = shard(state.partition()).executor().nanoTime();
        long key = HexFormat.fromHexDigitsToLong(state.id(), 1, ID_LENGTH);
        handed.add(key, to, now + left, now);
        removeAfter(state.partition(), state.id(), left);
        return true;
    }
}
