package io.carillon.servlet.port;

import io.carillon.sip.guard.Shares;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What sessions keep beyond what is usual: of long addresses, routes and Call-IDs, the descriptions
 * that session timers offer again, and the third and further SIP sessions of one application
 * session. A dialog has to know its addresses for as long as it lives (RFC 3261 12.1), and a peer
 * chooses how long they are and, with a session key or by forks, how many sessions there are: some
 * thousands of calls with routes of 45 kB each would take the memory of a server for which 100,000
 * usual ones are nothing. So it is counted for all sessions together, and for those of each source,
 * and bounded. Any thread; usual messages touch nothing that is shared.
 */
public final class KeptAddresses {
    /**
     * Bytes of header lines, or of a description, up to here are usual, and part of what a session
     * weighs anyhow.
     */
    public static final int USUAL = 640;

    /** SIP sessions of an application session that are usual: the two legs of a call. */
    private static final int USUAL_SESSIONS = 2;

    /** Measured: a SIP session with its dialog, with addresses of usual length. */
    public static final int SESSION_BYTES = 1536;

    /** Measured: a proxied dialog keeps what the request and what the response brought. */
    private static final int COPIES = 2;

    /** Routes of a dialog that are usual. */
    private static final int USUAL_ROUTES = 4;

    /** Measured: the objects of a route, beside its text. */
    private static final int ROUTE_BYTES = 160;

    private final AtomicLong bytes = new AtomicLong();
    private volatile long most = Long.MAX_VALUE;
    private volatile Shares ofSources = SessionShares.none(1).of(1);

    /**
     * Bytes that all sessions together may keep.
     *
     * @param shares which part of it the sessions of each source may
     */
    public void most(long limit, SessionShares shares) {
        most = limit;
        ofSources = shares.of(Shares.units(limit));
    }

    /** Bytes that are kept now. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Is there no room for a message that has long ones? Never true for a usual message.
     *
     * @param countedAt where whoever began its session is counted
     */
    public boolean refuses(SipMessage message, int countedAt) {
        return full(countedAt) && of(message) > 0;
    }

    public boolean full(int countedAt) {
        long now = bytes.get();
        return now >= most || (now >= most / 2 && ofSources.full(countedAt, Shares.units(now)));
    }

    /**
     * Is there no room for one more SIP session beside those that an application session has? Never
     * true for the two of a call.
     *
     * @param countedAt where whoever began the application session is counted
     */
    public boolean refusesFurther(int sessions, int countedAt) {
        return sessions >= USUAL_SESSIONS && full(countedAt);
    }

    /** Is that one more than the two of a call? */
    public static boolean further(int sessions) {
        return sessions > USUAL_SESSIONS;
    }

    /**
     * What a session keeps of a message beyond what is usual; allocates nothing. Parameters of
     * addresses weigh what their text does; each route has objects, however short it is.
     */
    public static int of(SipMessage message) {
        boolean sums = message.bodyOffset() > USUAL;
        int sum = 0;
        int routes = 0;
        for (int i = message.headerCount() - 1; i >= 0; i--) {
            boolean route = message.isNamed(i, HeaderName.RECORD_ROUTE);
            if (route) {
                routes += addresses(message, i);
            }
            if (sums && (route || kept(message, i))) {
                sum += message.lineEnd(i) - message.lineStart(i);
            }
        }
        return COPIES * Math.max(0, sum - USUAL) + ROUTE_BYTES * Math.max(0, routes - USUAL_ROUTES);
    }

    private static boolean kept(SipMessage message, int i) {
        return message.isNamed(i, HeaderName.FROM)
                || message.isNamed(i, HeaderName.TO)
                || message.isNamed(i, HeaderName.CALL_ID)
                || message.isNamed(i, HeaderName.CONTACT);
    }

    /** Of many in one line each begins with a bracket (RFC 3261 20.30). */
    private static int addresses(SipMessage message, int i) {
        byte[] text = message.bytes();
        int end = message.lineEnd(i);
        int count = 0;
        for (int p = message.lineStart(i); p < end; p++) {
            if (text[p] == '<') {
                count++;
            }
        }
        return count;
    }

    /** A session keeps another number of bytes than before. */
    public void changed(int before, int now, int countedAt) {
        bytes.addAndGet((long) now - before);
        Shares shares = ofSources;
        if (before > 0) {
            shares.giveBack(countedAt, Shares.units(before));
        }
        if (now > 0) {
            shares.take(countedAt, Shares.units(now));
        }
    }
}
