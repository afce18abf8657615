package io.carillon.servlet.session;

import io.carillon.sip.guard.Shares;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What sessions keep of long addresses, routes and Call-IDs. A dialog has to know them for as long
 * as it lives (RFC 3261 12.1), and a peer chooses how long they are: some thousands of calls with
 * routes of 45 kB each would take the memory of a server for which 100,000 usual ones are nothing.
 * So what is beyond the usual is counted for all sessions together, and for those of each source,
 * and bounded. Any thread; usual messages touch nothing that is shared.
 */
public final class KeptAddresses {
    /** Characters up to here are usual, and part of what a session weighs anyhow. */
    static final int USUAL = 2048;

    /** Measured: the text in the session, in its dialog, and in the keys by which it is found. */
    private static final int COPIES = 3;

    private static final List<HeaderName> KEPT =
            List.of(
                    HeaderName.FROM,
                    HeaderName.TO,
                    HeaderName.CALL_ID,
                    HeaderName.CONTACT,
                    HeaderName.RECORD_ROUTE);

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
        return message.bodyOffset() > USUAL && full(countedAt) && of(message) > 0;
    }

    private boolean full(int countedAt) {
        long now = bytes.get();
        return now >= most || now >= most / 2 && ofSources.full(countedAt);
    }

    /** What a session keeps of a message; 0 for a usual one. */
    static int of(SipMessage message) {
        if (message.bodyOffset() <= USUAL) {
            return 0;
        }
        int sum = 0;
        for (HeaderName name : KEPT) {
            for (String value : message.headers(name)) {
                sum += value.length();
            }
        }
        return sum <= USUAL ? 0 : COPIES * sum;
    }

    /** A session keeps another number of bytes than before. */
    void changed(int before, int now, int countedAt) {
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
