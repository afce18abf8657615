package io.carillon.servlet.session;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What sessions keep of long addresses, routes and Call-IDs. A dialog has to know them for as long
 * as it lives (RFC 3261 12.1), and a peer chooses how long they are: some thousands of calls with
 * routes of 45 kB each would take the memory of a server for which 100,000 usual ones are nothing.
 * So what is beyond the usual is counted for all sessions together, and bounded. Any thread; usual
 * messages touch nothing that is shared.
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

    /** Bytes that all sessions together may keep. */
    public void most(long limit) {
        most = limit;
    }

    /** Bytes that are kept now. */
    public long bytes() {
        return bytes.get();
    }

    /** Is there no room for a message that has long ones? Never true for a usual message. */
    public boolean refuses(SipMessage message) {
        return message.bodyOffset() > USUAL && bytes.get() >= most && of(message) > 0;
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

    void changed(int by) {
        bytes.addAndGet(by);
    }
}
