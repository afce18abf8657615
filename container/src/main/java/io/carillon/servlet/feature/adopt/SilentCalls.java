package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.ExpectedPages;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.RequestExtras;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.message.Methods;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that were taken over and of which nothing was heard since. One that had ended while its
 * node died may be left in the store, and nobody has it any more: its peers are asked whether they
 * do, once, by an OPTIONS within the dialog (RFC 3261 11). Its application hears nothing of that.
 * Any thread.
 */
final class SilentCalls {
    private static final Logger LOG = LoggerFactory.getLogger(SilentCalls.class);

    /** Nothing was heard of a call for so long. */
    static final long SILENT_MILLIS = 300_000;

    /** What is due then is done within this time behind it: a node had many calls. */
    static final long SPREAD_MILLIS = 300_000;

    /** RFC 3261 15.1.2, of what is pending. */
    private static final int GIVEN_UP = 487;

    /** RFC 3326. */
    private static final String REASON = "SIP;cause=481;text=\"Call Does Not Exist\"";

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SessionHost host;
    private final Consumer<ApplicationSession> pages;
    private final LongAdder asked = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /**
     * @param pages looks which of the HTTP sessions are over that a call expects
     */
    SilentCalls(SessionHost host, Consumer<ApplicationSession> pages) {
        this.host = host;
        this.pages = pages;
    }

    /** How long after now something is due for a call of that id; the same at each time. */
    static long afterMillis(String id) {
        return SILENT_MILLIS + Math.floorMod(id.hashCode(), SPREAD_MILLIS);
    }

    /** The call with that id has come here just now. */
    void watch(String id) {
        ApplicationSession session = host.tables().find(id);
        if (session == null) {
            return;
        }
        Silence silence = new Silence(id, CallPartition.known(session), host.millis());
        Shard home = session.home();
        home.perform(() ->
                home.timers().schedule(silence, home.now() + afterMillis(id) * NANOS_PER_MILLI));
    }

    /** Waits for its time; it keeps nothing of a call that ends meanwhile. */
    private final class Silence extends WheelTimer {
        private final String id;
        private final int partition;
        private final long sinceMillis;

        Silence(String id, int partition, long sinceMillis) {
            this.id = id;
            this.partition = partition;
            this.sinceMillis = sinceMillis;
        }

        @Override
        protected int partition() {
            return partition;
        }

        @Override
        protected void fire(long nowNanos) {
            ApplicationSession session = host.tables().find(id);
            if (session != null) {
                session.submit(TurnTask.of(() -> ask(session, sinceMillis)));
            }
        }
    }

    private void ask(ApplicationSession session, long sinceMillis) {
        if (!session.isValid()) {
            return;
        }
        for (ServletSession leg : List.copyOf(session.sessions())) {
            if (hasPeer(leg) && leg.getLastAccessedTime() <= sinceMillis) {
                ask(leg);
            }
        }
        if (!ExpectedPages.of(session).isEmpty()) {
            pages.accept(session);
            watch(session.getId()); // until they came, or are over
        }
    }

    /** Is it in a call, or does it ring? */
    private static boolean hasPeer(ServletSession leg) {
        Dialog dialog = leg.dialog().own();
        if (dialog == null || !leg.dialog().isCall()) {
            return false;
        }
        return switch (leg.dialog().state()) {
            case CONFIRMED -> dialog.state() == Dialog.State.CONFIRMED;
            case EARLY -> dialog.state() == Dialog.State.EARLY;
            default -> false;
        };
    }

    private void ask(ServletSession leg) {
        try {
            ServletRequest options = (ServletRequest) leg.createRequest(Methods.OPTIONS);
            options.noted().owned(new Question(leg));
            options.send();
            asked.increment();
        } catch (IOException | IllegalStateException e) {
            LOG.warn("a call that is silent could not be asked for: {}", leg, e);
        }
    }

    private final class Question implements RequestExtras.Owner {
        private final ServletSession leg;

        Question(ServletSession leg) {
            this.leg = leg;
        }

        /**
         * RFC 3261 12.2.1.2: "If the response for a request within a dialog is a 481 ... or a 408
         * ..., the UAC SHOULD terminate the dialog." Who does not answer at all gets a BYE, should
         * he hear it; so does the other leg of a B2BUA. What still rings is given up: its INVITE
         * gets 487 or a CANCEL.
         */
        @Override
        public void answering(int status) {
            if (status != 408 && status != 481) {
                return;
            }
            ended.increment();
            LOG.info("its peer does not have it any more ({}): {}", status, leg);
            ServletSession other = leg.linked();
            if (leg.dialog().state() == SipSession.State.EARLY) {
                LegEnding.abandonOpen(leg, GIVEN_UP);
            } else if (status == 408) {
                LegEnding.bye(leg, REASON);
            }
            if (other != null
                    && other.isValid()
                    && other.dialog().state() == SipSession.State.CONFIRMED) {
                LegEnding.bye(other, REASON);
            }
        }

        @Override
        public void answered(SipServletResponse response) {}
    }

    /** Legs of calls whose peers were asked. */
    long asked() {
        return asked.sum();
    }

    /** Of these, those that the peer did not have any more. */
    long ended() {
        return ended.sum();
    }
}
