package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.servlet.port.ContainerCounters;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that are still up when their application session expires (JSR 289 6.1.2). The session goes
 * with all that the application knew of the call: nobody here could end it later, so both ends get
 * their BYE now.
 *
 * <p>Called with the turn held.
 */
public final class OutlivedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(OutlivedCalls.class);

    /** What the ladder shows in the place of a servlet. */
    private static final String BY = "container";

    private final LongSupplier millis;
    private final ContainerCounters counters;
    private final Supplier<@Nullable TurnTap> tap;
    private volatile EndPolicy policy = EndPolicy.BYE;

    /**
     * @param tap who looks on, for a ladder; null for nobody
     */
    public OutlivedCalls(
            LongSupplier millis, ContainerCounters counters, Supplier<@Nullable TurnTap> tap) {
        this.millis = millis;
        this.counters = counters;
        this.tap = tap;
    }

    /** What becomes of them. Any thread. */
    public void policy(EndPolicy chosen) {
        policy = chosen;
    }

    /** The application session ends now, for want of messages. */
    public void expired(ApplicationSession parent) {
        int up = 0;
        for (ServletSession leg : List.copyOf(parent.sessions())) {
            if (leg.dialog().isCall() && leg.dialog().state() == SipSession.State.CONFIRMED) {
                up++;
                end(parent, leg);
            }
        }
        if (up > 0) {
            counters.outlived.increment();
            log(parent.application());
        }
    }

    private void end(ApplicationSession parent, ServletSession leg) {
        TurnTap onlooker = tap.get();
        if (onlooker != null) {
            onlooker.handled(
                    parent,
                    leg.getCallId(),
                    BY,
                    leg.dialog().proxied() != null || policy == EndPolicy.LEAVE
                            ? "session-timeout: forgets the call"
                            : "session-timeout: ends the call",
                    0,
                    onlooker.nanoTime(),
                    false);
        }
        // A proxy has no part in the dialog; only its ends can end it.
        if (leg.dialog().proxied() == null && policy == EndPolicy.BYE) {
            LegEnding.bye(leg, "SIP;cause=200;text=\"Session timeout of the application\"");
        }
    }

    private void log(Application application) {
        long calls = application.outlivedCalls().admit(millis.getAsLong());
        if (calls == 0) {
            return;
        }
        LOG.warn(
                "application {}: {} {} still up when its application session expired, {} minutes"
                        + " after its last message; {}. Give sip.xml a longer session-timeout, or"
                        + " call setExpires",
                application.name(),
                calls,
                calls == 1 ? "call was" : "calls were",
                application.description().sessionTimeoutMinutes(),
                policy == EndPolicy.BYE
                        ? "both ends got BYE (sessions.expired-calls: bye)"
                        : "nobody was told (sessions.expired-calls: leave)");
    }

    /**
     * The first call of an application that says nothing of its session-timeout: owners of old
     * archives meet the default when phones fall silent.
     */
    static void warnOfDefault(Application application, ApplicationSession call) {
        if (call.isValid() && call.expiresByDefault()) {
            LOG.warn(
                    "application {} has no session-timeout in sip.xml, and its first call did not"
                            + " set one by setExpires: a call that is silent for {} minutes ends",
                    application.name(),
                    application.description().sessionTimeoutMinutes());
        }
    }
}
