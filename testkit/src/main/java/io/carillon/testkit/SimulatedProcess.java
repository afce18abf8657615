package io.carillon.testkit;

import io.carillon.sip.event.CarriedWork;
import java.util.ArrayDeque;

/**
 * The process of a {@link SimulatedNode}: it ends, gets no processor for a while, is cut off from
 * the network. Owner: the test's thread.
 */
public final class SimulatedProcess {
    /** What waits while it is stopped; ends with that. */
    private final ArrayDeque<Runnable> stillness = new ArrayDeque<>();

    private boolean ended;
    private boolean stopped;
    private boolean deaf;
    private boolean mute;

    SimulatedProcess() {}

    void end() {
        ended = true;
        stillness.clear();
    }

    boolean ended() {
        return ended;
    }

    boolean runs() {
        return !ended && !stopped;
    }

    boolean hears() {
        return !ended && !deaf;
    }

    boolean isHeard() {
        return !ended && !mute;
    }

    /** It gets no processor (SIGSTOP) until {@link #goOn}. */
    public void stop() {
        stopped = true;
    }

    /** What came meanwhile happens now, in its order (SIGCONT). */
    public void goOn() {
        stopped = false;
        while (runs() && !stillness.isEmpty()) {
            stillness.poll().run();
        }
    }

    /** Nothing reaches it and nothing of it leaves, and nobody is told; or all does again. */
    public void cut(boolean off) {
        deaf(off);
        mute(off);
    }

    /** Nothing reaches it, and nobody is told; what it sends arrives. Or it hears again. */
    public void deaf(boolean off) {
        deaf = off;
    }

    /** Nothing of it leaves, and nobody is told; all reaches it. Or it is heard again. */
    public void mute(boolean off) {
        mute = off;
    }

    void carry(CarriedWork work) {
        whenItRuns(() -> {
            if (work.stays(0)) {
                work.run();
            }
        });
    }

    /** Runs it now, or when the process goes on; never once that has ended. */
    public void whenItRuns(Runnable task) {
        if (stopped && !ended) {
            stillness.add(() -> whenItRuns(task));
        } else if (!ended) {
            task.run();
        }
    }
}
