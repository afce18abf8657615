package io.carillon.servlet.port;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import javax.servlet.sip.SipSession;

/** What the container counts; plain adders, read racy. Any thread. */
@SuppressWarnings("EnumOrdinal") // an index into an array of this process
public final class ContainerCounters {
    /** SIP sessions ever made. */
    public final LongAdder sessions = new LongAdder();

    /** Application sessions ever made. */
    public final LongAdder applicationSessions = new LongAdder();

    /** Application sessions that ended by their expiry. */
    public final LongAdder expired = new LongAdder();

    /** Calls that were up when their application session expired. */
    public final LongAdder outlived = new LongAdder();

    /** Initial requests given to an application. */
    public final LongAdder initialRequests = new LongAdder();

    /** Initial INVITEs given to an application. */
    public final LongAdder calls = new LongAdder();

    /** Initial requests that no application wanted. */
    public final LongAdder noApplication = new LongAdder();

    /** Initial requests refused before an application was asked. */
    public final LongAdder screened = new LongAdder();

    /** Requests refused because there are as many application sessions as there may be. */
    public final LongAdder refused = new LongAdder();

    /** Requests refused because their source holds its share of the application sessions. */
    public final LongAdder refusedShare = new LongAdder();

    /** Pages refused because their visitor, or all visitors, hold their share of them. */
    public final LongAdder refusedPages = new LongAdder();

    /** Initial requests refused because their application session has too many SIP sessions. */
    public final LongAdder refusedOfOne = new LongAdder();

    /** Messages whose addresses are too long to be kept: requests got 503, responses nothing. */
    public final LongAdder refusedAddresses = new LongAdder();

    /** Requests sent away by ROUTE_BACK that were forgotten, as too many later ones were. */
    public final LongAdder returnsForgotten = new LongAdder();

    /** Requests refused because the server stops; most are refused before they come here. */
    public final LongAdder refusedStopping = new LongAdder();

    /**
     * Requests in a dialog that we do not know (481), ACKs without a session, responses without an
     * owner.
     */
    public final LongAdder strays = new LongAdder();

    /** Late 2xx that we confirmed and ended ourselves. */
    public final LongAdder lateAnswers = new LongAdder();

    /** Late 2xx to INVITEs of ours for which nothing was sent. */
    public final LongAdder lateAnswersLeft = new LongAdder();

    /** 2xx that never got an ACK. */
    public final LongAdder acksMissing = new LongAdder();

    /** Sessions of subscriptions now: begun by SUBSCRIBE or REFER, or by a NOTIFY. */
    public final LongAdder subscriptions = new LongAdder();

    /** Requests for a subscription that were refused as there were too many. */
    public final LongAdder subscriptionsRefused = new LongAdder();

    /** Calls that ended, or that a proxy forgot, as nobody refreshed them (RFC 4028). */
    public final LongAdder sessionTimersExpired = new LongAdder();

    /** Lines of {@code ServletContext.log} over the limit of their application. */
    public final LongAdder logLinesLeftOut = new LongAdder();

    /** Beginnings and ends of applications that took longer than they may. */
    public final LongAdder callbacksTooLong = new LongAdder();

    /** Sessions by state now; index = ordinal of {@link SipSession.State}. */
    private final AtomicLongArray byState = new AtomicLongArray(SipSession.State.values().length);

    public void moved(SipSession.State from, SipSession.State to) {
        if (from != SipSession.State.INITIAL) {
            byState.decrementAndGet(from.ordinal());
        }
        if (to != SipSession.State.INITIAL) {
            byState.incrementAndGet(to.ordinal());
        }
    }

    public void sessionEnded(SipSession.State last) {
        if (last != SipSession.State.INITIAL) {
            byState.decrementAndGet(last.ordinal());
        }
    }

    /** Sessions in that state now; INITIAL is not counted here. */
    public long inState(SipSession.State state) {
        return byState.get(state.ordinal());
    }
}
