package io.carillon.sip.dialog;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.RAck;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3262 in one dialog: the RSeq we expect next from the peer, and the ones of ours that wait for
 * a PRACK. Owner: its dialog's.
 */
final class ReliableProvisionals {
    private static final long NONE = -1;
    private static final long NOBODY = -2;
    private static final int MAX_WAITING = 8;

    private long peerInvite = NONE;
    private long peerRSeq = NONE;

    /** That whose PRACK was answered last, of those to {@link #peerInvite}. */
    private long acknowledgedRSeq = NONE;

    /** The PRACK that was sent last: what it acknowledges, and its CSeq. Not written. */
    private long sentRSeq = NONE;

    private long sentCSeq = NONE;

    /** Those behind it are told once more when they come again. */
    private long againBehind = NOBODY;

    private long ownRSeq = NONE;
    private long ownInvite = NONE;
    private long[] waiting = new long[0];

    /** The PRACK that was matched last: which response it acknowledged, and its CSeq. */
    private long prackedRSeq = NONE;

    private long prackCSeq = NONE;

    /** At another node, whose transactions do not know that PRACK: it may come once more. */
    private boolean mayComeAgain;

    /** UAC: a reliable provisional response came. */
    Progress received(long inviteCSeq, long rseq) {
        // RFC 3262 4: "Its value MUST be initialized to the RSeq header field in the first reliable
        // provisional response received for the initial request."
        if (peerInvite != inviteCSeq) {
            peerInvite = inviteCSeq;
            peerRSeq = rseq;
            acknowledgedRSeq = NONE;
            againBehind = NOBODY;
            return Progress.PROCESS_AND_PRACK;
        }
        if (rseq == peerRSeq + 1) {
            peerRSeq = rseq;
            return Progress.PROCESS_AND_PRACK;
        }
        if (againBehind != NOBODY && rseq <= peerRSeq && rseq > againBehind) {
            againBehind = rseq;
            return Progress.PROCESS_AND_PRACK;
        }
        // RFC 3262 4: "if ... its RSeq value is not one higher than the value of the sequence
        // number, that response MUST NOT be acknowledged with a PRACK, and MUST NOT be processed
        // further by the UAC."
        return rseq <= peerRSeq ? Progress.REPEATED : Progress.OUT_OF_ORDER;
    }

    /** UAC: a PRACK with this RAck is sent. */
    void acknowledges(String rack, long cseq) {
        RAck parsed = parsed(rack);
        if (parsed != null && parsed.cseq() == peerInvite && parsed.rseq() <= peerRSeq) {
            sentRSeq = parsed.rseq();
            sentCSeq = cseq;
        }
    }

    /** UAC: the peer has that PRACK. */
    void prackAnswered(long cseq) {
        if (cseq == sentCSeq) {
            acknowledgedRSeq = Math.max(acknowledgedRSeq, sentRSeq);
        }
    }

    /** As in a record that does not say which. */
    void allAcknowledged() {
        acknowledgedRSeq = peerRSeq;
    }

    /**
     * At another node. A response that came and whose PRACK has no answer may come again, or the
     * next one may, as the PRACK may have arrived; a PRACK that was answered may come again, as its
     * answer may not have left.
     */
    void goOn() {
        mayComeAgain = true;
        againBehind = acknowledgedRSeq;
    }

    /** UAS: the RSeq of the next reliable provisional response to this INVITE. */
    long next(long inviteCSeq, RandomGenerator random) {
        if (ownInvite != inviteCSeq) {
            // RFC 3262 3: "The header field value for the first reliable provisional response in a
            // transaction MUST be between 1 and 2**31 - 1."
            ownInvite = inviteCSeq;
            ownRSeq = random.nextInt(1 << 30);
            waiting = new long[0];
        }
        if (waiting.length == MAX_WAITING) {
            throw new IllegalStateException(
                    MAX_WAITING + " reliable provisional responses wait for a PRACK");
        }
        // RFC 3262 3: "the RSeq header field value ... MUST be greater by exactly one".
        ownRSeq++;
        waiting = Arrays.copyOf(waiting, waiting.length + 1);
        waiting[waiting.length - 1] = ownRSeq;
        return ownRSeq;
    }

    boolean waiting() {
        return waiting.length > 0;
    }

    /** No PRACK is awaited any more; the numbers stay. */
    void forgetWaiting() {
        waiting = new long[0];
    }

    /**
     * Does this provisional response ask for a PRACK (RFC 3262 4: Require with 100rel, and an
     * RSeq)?
     */
    static boolean reliable(SipResponse response) {
        if (response.status() <= 100 || response.status() >= 200 || rseq(response) == NONE) {
            return false;
        }
        for (String tag : response.headers(HeaderName.REQUIRE)) {
            if (tag.equalsIgnoreCase("100rel")) {
                return true;
            }
        }
        return false;
    }

    /** The RSeq; -1 without a readable one. */
    static long rseq(SipResponse response) {
        String value = response.header(HeaderName.RSEQ);
        return value == null ? NONE : number(value, 0, value.length());
    }

    private static long number(String text, int from, int to) {
        if (from >= to || to - from > 10) {
            return NONE;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return NONE;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    /**
     * UAS: does this RAck (number, CSeq number, method) acknowledge something that waits? Takes it
     * from the list.
     *
     * @param cseq of the PRACK
     */
    boolean acknowledged(String rack, long cseq) {
        RAck parsed = parsed(rack);
        if (parsed == null || !parsed.method().equals(Methods.INVITE)) {
            return false;
        }
        if (acknowledged(parsed.rseq(), parsed.cseq())) {
            prackedRSeq = parsed.rseq();
            prackCSeq = cseq;
            mayComeAgain = false; // its transaction is here
            return true;
        }
        return mayComeAgain
                && cseq == prackCSeq
                && parsed.rseq() == prackedRSeq
                && parsed.cseq() == ownInvite;
    }

    private static @Nullable RAck parsed(String rack) {
        try {
            return RAck.parse(rack);
        } catch (SipParseException e) {
            return null;
        }
    }

    /** Without looking at its method. */
    boolean acknowledged(long rseq, long inviteCSeq) {
        if (ownInvite != inviteCSeq) {
            return false;
        }
        for (int i = 0; i < waiting.length; i++) {
            if (waiting[i] == rseq) {
                long[] rest = new long[waiting.length - 1];
                System.arraycopy(waiting, 0, rest, 0, i);
                System.arraycopy(waiting, i + 1, rest, i, rest.length - i);
                waiting = rest;
                return true;
            }
        }
        return false;
    }

    void write(StateWriter out) {
        out.putSigned(peerInvite)
                .putSigned(peerRSeq)
                .putSigned(ownRSeq)
                .putSigned(ownInvite)
                .putVarint(waiting.length);
        for (long rseq : waiting) {
            out.putVarint(rseq);
        }
    }

    /** What there is since version 2 of a dialog. */
    void writeMore(StateWriter out) {
        out.putSigned(acknowledgedRSeq).putSigned(prackedRSeq).putSigned(prackCSeq);
        out.putBoolean(mayComeAgain).putSigned(againBehind);
    }

    void readMore(StateReader in) {
        acknowledgedRSeq = in.getSigned();
        prackedRSeq = in.getSigned();
        prackCSeq = in.getSigned();
        mayComeAgain = in.getBoolean();
        againBehind = in.getSigned();
    }

    void read(StateReader in) {
        peerInvite = in.getSigned();
        peerRSeq = in.getSigned();
        ownRSeq = in.getSigned();
        ownInvite = in.getSigned();
        waiting = new long[in.getCount(MAX_WAITING)];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = in.getVarint();
        }
    }
}
