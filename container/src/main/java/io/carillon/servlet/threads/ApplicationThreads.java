package io.carillon.servlet.threads;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where application code that may block runs. An interface so that tests run it in one thread, in a
 * known order.
 */
public interface ApplicationThreads extends AutoCloseable {
    /**
     * Runs the task soon, on a thread that may block. Callable from any thread; never runs it on
     * the caller's stack.
     */
    void execute(Runnable task);

    /**
     * As {@link #execute(Runnable)}, for work that a source has asked for: one source does not take
     * the threads of all others, however long its work sleeps.
     *
     * @param place where the source is counted, of {@link io.carillon.sip.guard.Sources}
     */
    default void execute(Runnable task, int place) {
        execute(task);
    }

    /**
     * Runs on what a virtual thread with a scheduler of its own has to do, soon, on a platform
     * thread: of a handler that has waited, and whose application computes. One source does not
     * take the threads of all others.
     *
     * @param rest returns when the virtual thread waits or ends
     * @param place where the source is counted, of {@link io.carillon.sip.guard.Sources}
     * @return false where there are no such threads: nothing happens then
     */
    default boolean goOn(Runnable rest, int place) {
        return false;
    }

    /** The calling thread is an event loop: what it runs for applications never ends it. */
    default void loop() {}

    /** Application code begins on the calling thread. Every call is matched by {@link #ended}. */
    default void began(Work work) {}

    /** The work given to {@link #began} is over. */
    default void ended(Work work) {}

    /**
     * What the calling thread runs for an application, the outermost of what is nested; null for
     * nothing.
     */
    default @Nullable Work current() {
        return null;
    }

    /** Handlers that have been running for longer than the given time. */
    default List<RunningHandler> runningLongerThan(long nanos) {
        return List.of();
    }

    /** Tasks that a platform thread ran, since their virtual thread did not get to run. */
    default long rescued() {
        return 0;
    }

    /**
     * How much longer work takes that begins now, in nanoseconds, as handlers hold the processors,
     * so that virtual threads do not run; 0 while they do. A platform thread begins it soon all the
     * same, and it shares the processors.
     */
    default long delayNanos() {
        return 0;
    }

    @Override
    default void close() {}

    /** What is said about running code; asked for only when somebody looks. */
    interface Work {
        String application();

        String servlet();

        String method();

        String callId();
    }

    /** Virtual threads with the platform threads' rescue: the production choice. */
    static ApplicationThreads virtual() {
        return new VirtualApplicationThreads();
    }
}
