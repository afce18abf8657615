package io.carillon.net.shard;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads with a scheduler of our own. The JDK has them inside only ({@code
 * java.lang.ThreadBuilders.newVirtualThread}, JDK 21 to 25): they are there when Java was started
 * with {@code --add-opens java.base/java.lang=ALL-UNNAMED}. Nothing else touches that. Any thread.
 *
 * <p>What is relied on, held by {@code CarriedThreadsTest}: all that runs of such a thread is a
 * task given to its scheduler; the task returns when the thread blocks, yields or ends; and it is
 * given again, by whatever thread, when it can go on. It is the same object each time. A virtual
 * thread that such a thread starts has the same scheduler, where it is another object: that is for
 * {@link #others}.
 */
final class CarriedThreads {
    private static final @Nullable MethodHandle MAKER;
    private static final @Nullable Executor OTHERS;
    private static final String WHY_NOT;

    static {
        MethodHandle maker = null;
        Executor others = null;
        String whyNot = "";
        try {
            Method method =
                    Class.forName("java.lang.ThreadBuilders")
                            .getDeclaredMethod(
                                    "newVirtualThread",
                                    Executor.class,
                                    String.class,
                                    int.class,
                                    Runnable.class);
            method.setAccessible(true);
            Method pool =
                    Class.forName("java.lang.VirtualThread").getDeclaredMethod("defaultScheduler");
            pool.setAccessible(true);
            others = (Executor) pool.invoke(null);
            // Its virtual threads, which poll for all others, are to have the JDK's scheduler.
            Class.forName("sun.nio.ch.Poller");
            maker = MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException | RuntimeException e) {
            whyNot = String.valueOf(e.getMessage());
        }
        MAKER = maker;
        OTHERS = others;
        WHY_NOT = whyNot;
    }

    private CarriedThreads() {}

    static boolean available() {
        return MAKER != null;
    }

    /** What Java said where they are not available; empty where they are. */
    static String whyNot() {
        return WHY_NOT;
    }

    /**
     * The JDK's own scheduler. It takes what comes to one of ours for a thread that is none of
     * ours.
     *
     * @throws IllegalStateException where there are no carried threads
     */
    static Executor others() {
        Executor known = OTHERS;
        if (known == null) {
            throw new IllegalStateException(WHY_NOT);
        }
        return known;
    }

    /**
     * A thread that has not started.
     *
     * @throws IllegalStateException where there are none
     */
    static Thread unstarted(Executor scheduler, @Nullable String name, Runnable task) {
        MethodHandle maker = MAKER;
        if (maker == null) {
            throw new IllegalStateException(WHY_NOT);
        }
        try {
            return (Thread) maker.invokeExact(scheduler, name, 0, task);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
