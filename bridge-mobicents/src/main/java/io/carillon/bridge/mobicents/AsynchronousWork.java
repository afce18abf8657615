package io.carillon.bridge.mobicents;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.turn.TurnTask;
import java.util.List;

/**
 * A piece of an application's work in the turn of an application session: behind everything that
 * waits for it already, never on the stack of the caller, and never beside a handler, a timer or a
 * listener of that session. What it throws is counted and logged like what a listener throws.
 */
final class AsynchronousWork extends TurnTask {
    private final ApplicationSession session;
    private final Object work;
    private final Runnable call;

    private AsynchronousWork(ApplicationSession session, Object work, Runnable call) {
        this.session = session;
        this.work = work;
        this.call = call;
    }

    /**
     * @param work the application's object, as messages name it
     * @param call of its method; run only while the application session is valid
     */
    static void schedule(ApplicationSession session, Object work, Runnable call) {
        session.submitLater(new AsynchronousWork(session, work, call));
    }

    @Override
    protected void run() {
        if (session.isValid()) {
            session.host()
                    .events()
                    .tell(
                            session.application(),
                            List.of(work),
                            "doAsynchronousWork",
                            one -> call.run());
        }
    }
}
