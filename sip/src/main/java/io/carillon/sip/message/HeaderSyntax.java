package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.header.ViaScan;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of the headers that the core itself reads: Via, From, To, Call-ID, CSeq,
 * Max-Forwards, Contact, Route, Record-Route. The parser checks what comes in by it and the draft
 * what is set, so that typed views of a message never fail. Not thread safe: it holds scans for
 * reuse.
 */
public final class HeaderSyntax {
    /** Of all parsers of the process. */
    private static final WellFormedValues RECENT = new WellFormedValues();

    private final AddressScan address = new AddressScan();
    private final ViaScan via = new ViaScan();
    private @Nullable Via topVia;

    /** Of the From or To that was checked last: had it a tag? */
    private boolean tag;

    /** Was the Contact that was checked last the star? */
    private boolean star;

    /** Is this one of the headers that {@link #check} knows? */
    public static boolean covers(int id) {
        return id >= 0 && id <= HeaderName.RECORD_ROUTE.id();
    }

    /**
     * Checks one value.
     *
     * @param id {@link HeaderName#id()}; a header that is not covered is always right
     * @return null when it is well formed, else what is wrong with it (a constant)
     */
    public @Nullable String check(int id, byte[] b, int from, int to) {
        address.clearFaults();
        via.clearFaults();
        if (!remembered(id)) {
            return scanned(id, b, from, to);
        }
        long hash = WellFormedValues.hash(id, b, from, to);
        int seen = RECENT.seen(hash);
        if (seen != WellFormedValues.UNKNOWN) {
            tag = seen == 1;
            star = false;
            return null;
        }
        String error = scanned(id, b, from, to);
        tag = address.tagStart() >= 0;
        star = address.wildcard();
        if (error == null && address.faults() == 0 && !star) {
            RECENT.add(hash, tag);
        }
        return error;
    }

    /** Values of these stand in many messages, and take longest to be scanned. */
    private static boolean remembered(int id) {
        return id == 1 || id == 2 || id >= 6;
    }

    private @Nullable String scanned(int id, byte[] b, int from, int to) {
        // The covered names have the smallest ids, in this order (HeaderName).
        return switch (id) {
            case 0 -> via.scanList(b, from, to);
            case 1 -> prefix("Bad From", address.scanOnly(b, from, to));
            case 2 -> prefix("Bad To", address.scanOnly(b, from, to));
            case 3 -> callId(b, from, to);
            case 4 -> cseq(b, from, to);
            case 5 -> maxForwards(b, from, to);
            case 6 -> prefix("Bad Contact", address.scanList(b, from, to, false, true));
            case 7 -> prefix("Bad Route", address.scanList(b, from, to, true, false));
            case 8 -> prefix("Bad Record-Route", address.scanList(b, from, to, true, false));
            default -> null;
        };
    }

    /**
     * Checks the first Via line, and makes its first element for {@link #topVia()}, so that it is
     * not looked for again.
     *
     * @param response of a response: then the element is one of ours
     */
    public @Nullable String checkTopVia(byte[] b, int from, int to, boolean response) {
        address.clearFaults();
        via.clearFaults();
        topVia = null;
        String error = via.scan(b, from, to);
        if (error != null) {
            return error;
        }
        topVia = Via.scanned(via, b, response);
        return via.end() == to ? null : via.scanList(b, via.end() + 1, to);
    }

    /** What {@link #checkTopVia} made; once. */
    public @Nullable Via topVia() {
        Via made = topVia;
        topVia = null;
        return made;
    }

    private static @Nullable String prefix(String name, @Nullable String error) {
        return error == null ? null : name;
    }

    /** Faults that {@link #check} passed over last, as bits of {@link AddressScan#faults()}. */
    public int faults() {
        return address.faults() | via.faults();
    }

    /** Did the From or To checked last carry a tag? */
    public boolean tagSeen() {
        return tag;
    }

    /** Was the Contact checked last the star? */
    public boolean starSeen() {
        return star;
    }

    // RFC 3261 25.1: callid = word [ "@" word ]. Only what would split or end the value is refused.
    private static @Nullable String callId(byte[] b, int from, int to) {
        for (int p = from; p < to; p++) {
            if (b[p] >= 0 && b[p] <= ' ') {
                return "Bad Call-ID";
            }
        }
        return from == to ? "Bad Call-ID" : null;
    }

    // RFC 3261 25.1: CSeq = "CSeq" HCOLON 1*DIGIT LWS Method
    private static @Nullable String cseq(byte[] b, int from, int to) {
        int digits = CSeq.digitsEnd(b, from, to);
        if (CSeq.number(b, from, to) < 0) {
            return "Bad CSeq Number";
        }
        int method = Ascii.skipLws(b, digits, to);
        if (method == digits || method == to) {
            return "Bad CSeq";
        }
        for (int p = method; p < to; p++) {
            if (!Ascii.isToken(b[p])) {
                return "Bad CSeq";
            }
        }
        return null;
    }

    private static @Nullable String maxForwards(byte[] b, int from, int to) {
        return Ascii.parseDecimal(b, from, to, 255) == -1 ? "Bad Max-Forwards" : null;
    }
}
