package io.carillon.servlet.feature.timer;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ApplicationSession;
import java.io.Serializable;
import java.util.Objects;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;

/** The timer service of one application. Any thread. */
public final class ApplicationTimers implements TimerService {
    private final Application application;

    public ApplicationTimers(Application application) {
        this.application = application;
    }

    @Override
    public ServletTimer createTimer(
            SipApplicationSession session,
            long delay,
            boolean persistent,
            @Nullable Serializable info) {
        return create(session, delay, 0, false, persistent, info);
    }

    @Override
    public ServletTimer createTimer(
            SipApplicationSession session,
            long delay,
            long period,
            boolean fixedDelay,
            boolean persistent,
            @Nullable Serializable info) {
        if (period <= 0) {
            throw new IllegalArgumentException(
                    "the period is " + period + " ms, but must be positive");
        }
        return create(session, delay, period, fixedDelay, persistent, info);
    }

    private ServletTimer create(
            SipApplicationSession given,
            long delay,
            long period,
            boolean fixedDelay,
            boolean persistent,
            @Nullable Serializable info) {
        Objects.requireNonNull(given, "appSession");
        if (!(given instanceof ApplicationSession session)) {
            throw new IllegalArgumentException("not a session of this container: " + given);
        }
        if (application.listeners().timers().isEmpty()) {
            throw new IllegalStateException(
                    "application " + application.name() + " declares no TimerListener");
        }
        if (!session.isValid()) {
            throw new IllegalStateException("the application session is invalid");
        }
        ApplicationTimer timer =
                new ApplicationTimer(
                        session, Math.max(0, delay), period, fixedDelay, persistent, info);
        session.inTurn(timer::begin);
        return timer;
    }
}
