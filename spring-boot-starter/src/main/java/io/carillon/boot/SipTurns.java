package io.carillon.boot;

import io.carillon.pojo.SipScopes;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;

/**
 * The turns of application sessions, for work that no handler began: a request of a page, a message
 * of a queue. Work in the turn of a session never runs beside a handler, a timer or a listener of
 * it, so it may look at the session and then send what follows from that.
 *
 * <p>Any thread.
 */
public final class SipTurns {
    private static final String ATTRIBUTE = "io.carillon.turn";

    private final SipApplicationContext application;

    SipTurns(SipApplicationContext application) {
        this.application = application;
    }

    /** What is done in a turn; what it throws is counted and logged like a handler's. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws ServletException, IOException;
    }

    /**
     * Runs the work in the turn of that session and in its scope, after everything that waits for
     * it already. It is not waited for. A session that has ended by then gets nothing done: there
     * is nobody left to tell.
     *
     * @throws IllegalArgumentException when it is another application's session
     * @throws IllegalStateException before the SIP application has started, or behind its end
     */
    public void execute(SipApplicationSession session, Work work) {
        of(session)
                .execute(() -> {
                    if (session.isValid()) {
                        within(session, work);
                    }
                });
    }

    private static void within(SipApplicationSession session, Work work) {
        try {
            SipScopes.within(
                    session,
                    () -> {
                        work.run();
                        return true;
                    });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // of Work
            throw new IllegalStateException("work in the turn of " + session + " failed: " + e, e);
        }
    }

    @SuppressWarnings("unchecked") // the attribute's type is documented
    private Executor of(SipApplicationSession session) {
        ServletContext context = application.servletContext();
        if (context == null) {
            throw new IllegalStateException("the SIP application has not started, or has ended");
        }
        Object turns = Objects.requireNonNull(context.getAttribute(ATTRIBUTE), ATTRIBUTE);
        return ((Function<SipApplicationSession, Executor>) turns).apply(session);
    }
}
