package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.TurnTap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.servlet.sip.SipApplicationSession;

/**
 * How an application runs work of its own in the turn of an application session: the attribute
 * {@value #ATTRIBUTE} of its servlet context. It consists of types of the JDK only, so an
 * application needs no class of ours to use it.
 *
 * <p>What is executed runs after everything that waits for that session already, never beside a
 * servlet's method, a listener or a timer of it, and may touch everything in it. It is not waited
 * for. What it throws is counted and logged like what a listener throws. Any thread.
 */
final class SerialWork implements Function<SipApplicationSession, Executor> {
    static final String ATTRIBUTE = "io.carillon.turn";

    private final ApplicationCalls calls;
    private final Application application;

    SerialWork(ApplicationCalls calls, Application application) {
        this.calls = calls;
        this.application = application;
    }

    /**
     * The turn of that application session.
     *
     * @throws IllegalArgumentException when it is another application's
     */
    @Override
    public Executor apply(SipApplicationSession session) {
        if (!(session instanceof ApplicationSession own)
                || !own.application().sameAs(application)) {
            throw new IllegalArgumentException(
                    session + " is no application session of " + application.name());
        }
        return work -> {
            TurnTap onlooker = calls.tap();
            Runnable seen = onlooker == null ? work : onlooker.handedOver(work);
            own.execute(() -> calls.tell(application, List.of(seen), "run", Runnable::run));
        };
    }
}
