package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.message.Methods;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.sip.SipSession;

/** Ends calls in their applications' place, as a server stops or a version of an application. */
public final class CallEnding {
    private CallEnding() {}

    /** Ends every call; {@code done} runs when the last session was told. */
    public static void end(SessionTables tables, Runnable done) {
        end(new ArrayList<>(tables.all()), done);
    }

    /** Ends the calls of one application, as {@link #end(SessionTables, Runnable)} does. */
    static void end(SessionTables tables, Application application) {
        end(of(tables, application), () -> {});
    }

    /** Ends the application's sessions with nothing said to anybody. */
    static void drop(SessionTables tables, Application application) {
        for (ApplicationSession session : of(tables, application)) {
            session.submit(
                    new TurnTask() {
                        @Override
                        protected void run() {
                            if (session.isValid()) {
                                session.end();
                            }
                        }
                    });
        }
    }

    private static List<ApplicationSession> of(SessionTables tables, Application application) {
        List<ApplicationSession> own = new ArrayList<>();
        for (ApplicationSession session : tables.all()) {
            if (session.application() == application) {
                own.add(session);
            }
        }
        return own;
    }

    private static void end(List<ApplicationSession> all, Runnable done) {
        AtomicInteger left = new AtomicInteger(all.size() + 1);
        for (ApplicationSession session : all) {
            session.submit(
                    new TurnTask() {
                        @Override
                        protected void run() {
                            try {
                                endLegs(session);
                            } finally {
                                if (left.decrementAndGet() == 0) {
                                    done.run();
                                }
                            }
                        }
                    });
        }
        if (left.decrementAndGet() == 0) {
            done.run();
        }
    }

    private static void endLegs(ApplicationSession parent) {
        if (!parent.isValid()) {
            return;
        }
        for (ServletSession session : List.copyOf(parent.sessions())) {
            LegEnding.abandonOpen(session, 503);
            if (session.dialog().state() == SipSession.State.CONFIRMED
                    && session.dialog().proxied() == null
                    && !session.dialog().refuses(Methods.BYE)) {
                LegEnding.bye(session);
            }
        }
    }
}
