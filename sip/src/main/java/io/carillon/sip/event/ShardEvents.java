package io.carillon.sip.event;

import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.ErrorSink;
import io.carillon.sip.observe.StackCounters;
import java.util.ArrayDeque;

/**
 * The one event or command at work on a shard, the time it has, and what follows it. Inputs of the
 * network and commands of layers above are events; what comes up inside of one is a part of it.
 *
 * <p>Owner: the shard's thread, but for {@link #perform}.
 */
public final class ShardEvents {
    private final ShardExecutor executor;
    private final ErrorSink errors;
    private final StackCounters counters;

    /** Upcalls that came up inside a call from above, to be made after it. */
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();

    private long nowNanos;
    private int depth;

    /**
     * @param startNanos the time now, of the executor's clock
     */
    public ShardEvents(
            ShardExecutor executor, ErrorSink errors, StackCounters counters, long startNanos) {
        this.executor = executor;
        this.errors = errors;
        this.counters = counters;
        this.nowNanos = startNanos;
    }

    public ShardExecutor executor() {
        return executor;
    }

    /** The time of the event or command at work. */
    public long now() {
        return nowNanos;
    }

    /** Is an event or a command at work? Then what comes up is a part of it. */
    public boolean atWork() {
        return depth > 0;
    }

    /** An input begins; {@link #end} ends it. */
    public void begin(long now) {
        nowNanos = Math.max(nowNanos, now);
        depth++;
    }

    /** It is over: what it left for later is done now. */
    public void end() {
        try {
            Runnable next;
            while ((next = later.poll()) != null) {
                next.run();
            }
        } finally {
            depth--;
        }
    }

    /**
     * Something came in by the executor: a result or a command. Inside another event it runs as a
     * part of that.
     */
    public void event(Runnable what) {
        if (depth > 0) {
            what.run();
            return;
        }
        begin(executor.nanoTime());
        try {
            what.run();
        } catch (RuntimeException e) {
            userError("command", e);
        } finally {
            end();
        }
    }

    /** Runs a command on the shard's thread: at once when this is it, else as a task. */
    public void perform(Runnable command) {
        if (enter()) {
            try {
                command.run();
            } finally {
                leave();
            }
        } else {
            executor.execute(() -> event(command));
        }
    }

    /**
     * For what comes with every message: begins a command without an object for it, when this is
     * the shard's thread; then {@link #leave} ends it. False elsewhere.
     */
    public boolean enter() {
        if (!executor.inShard()) {
            return false;
        }
        if (depth == 0) {
            nowNanos = Math.max(nowNanos, executor.nanoTime());
        }
        depth++;
        return true;
    }

    /** Ends what {@link #enter} began. */
    public void leave() {
        depth--;
        if (depth == 0 && !later.isEmpty()) {
            // The caller must not be called back before its call returns.
            executor.execute(() -> event(() -> {}));
        }
    }

    /** Makes an upcall when the event or command at work is done. */
    public void later(Runnable upcall) {
        later.add(upcall);
    }

    /** A layer above threw: counted, and told to the one sink. */
    public void userError(String during, RuntimeException error) {
        counters.add(Counter.USER_ERRORS);
        errors.error(during, error);
    }
}
