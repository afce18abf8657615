package io.carillon.servlet.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work of an application that may never end: an {@code init}, a {@code destroy}, a
 * listener, a static initializer. It runs on a thread of its own, and who wants it waits for a
 * limited time. Over it the thread is interrupted; where that does not help it is left behind, and
 * whatever it does later changes nothing any more.
 *
 * <p>One thread begins and awaits; {@link #giveUp} comes from any.
 */
public final class LimitedCall {
    /** What runs. */
    public interface Work {
        /** Runs on the call's own thread. */
        void run() throws DeploymentException;
    }

    /**
     * Where it was when its time was over.
     *
     * @param step what was being done, as its application says
     * @param at where its thread was, in one line
     */
    public record Late(String step, String at) {}

    private enum State {
        RUNNING,
        ENDED,
        /** Its time was over, or it was given up. */
        OVER
    }

    /** How long an interrupted thread has to end; a healthy one needs less than a millisecond. */
    private static final long OBEYS_MILLIS = 500;

    private final Work work;
    private final Runnable afterOver;
    private final Supplier<String> step;
    private final Thread thread;
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final CountDownLatch decided = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    /** Held to interrupt the work, so that the interrupt never meets what undoes it. */
    private final Object interrupting = new Object();

    /** Guarded by {@link #interrupting}. */
    private boolean working = true;

    private LimitedCall(String name, Work work, Supplier<String> step, Runnable afterOver) {
        this.step = step;
        this.work = work;
        this.afterOver = afterOver;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /**
     * Begins it.
     *
     * @param name of the thread
     * @param step what is being done now, for people
     * @param afterOver runs on that thread when the work ends after all, too late: undoes it
     */
    public static LimitedCall begin(
            String name, Work work, Supplier<String> step, Runnable afterOver) {
        LimitedCall call = new LimitedCall(name, work, step, afterOver);
        call.thread.start();
        return call;
    }

    private void run() {
        try {
            work.run();
        } catch (Throwable e) { // whatever code of the application throws: its caller is told
            failure = e;
        }
        workIsOver();
        try {
            if (!state.compareAndSet(State.RUNNING, State.ENDED)) {
                afterOver.run();
            }
        } finally {
            ended.countDown();
            decided.countDown();
        }
    }

    private void workIsOver() {
        synchronized (interrupting) {
            working = false;
            boolean _ = Thread.interrupted(); // it was for the work
        }
    }

    private void interruptWork() {
        synchronized (interrupting) {
            if (working) {
                thread.interrupt();
            }
        }
    }

    /**
     * Waits for its end.
     *
     * @return null when it ended in time; else where it was, before it was interrupted
     * @throws DeploymentException what the work threw, as is every other exception
     */
    public @Nullable Late await(Duration limit) throws DeploymentException {
        boolean interrupted = false;
        try {
            if (!decided.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                giveUp();
            }
        } catch (InterruptedException e) {
            giveUp();
            interrupted = true;
        }
        if (state.get() == State.ENDED) {
            rethrow();
            return null;
        }
        Late late = new Late(step.get(), doing(thread.getStackTrace()));
        interruptWork();
        if (interrupted) {
            Thread.currentThread().interrupt();
        } else {
            lookIfItObeys();
        }
        return late;
    }

    private void lookIfItObeys() {
        try {
            var _ = ended.await(OBEYS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its time is over now: who waits goes on at once. Nothing when it has ended. */
    public void giveUp() {
        if (state.compareAndSet(State.RUNNING, State.OVER)) {
            decided.countDown();
        }
    }

    /** Is its thread still there? */
    public boolean running() {
        return ended.getCount() > 0;
    }

    /** The name of its thread. */
    public String name() {
        return thread.getName();
    }

    private void rethrow() throws DeploymentException {
        switch (failure) {
            case null -> {}
            case DeploymentException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** The innermost frame, and the innermost that is not the JDK's: who called it. */
    private static String doing(StackTraceElement[] stack) {
        if (stack.length == 0) {
            return "about to end";
        }
        for (int i = 0; i < stack.length; i++) {
            String name = stack[i].getClassName();
            if (stack[i].getModuleName() == null && !name.startsWith("java.")) {
                return i == 0
                        ? "in " + text(stack[0])
                        : "in " + text(stack[0]) + ", called by " + text(stack[i]);
            }
        }
        return "in " + text(stack[0]);
    }

    private static String text(StackTraceElement frame) {
        return frame.getClassName()
                + '.'
                + frame.getMethodName()
                + '('
                + frame.getFileName()
                + ':'
                + frame.getLineNumber()
                + ')';
    }
}
