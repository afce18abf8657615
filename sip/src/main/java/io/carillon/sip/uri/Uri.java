package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import org.jspecify.annotations.Nullable;

/**
 * A URI as it stands on the wire. Immutable and thread safe; parts are read out of the text when
 * asked. {@code equals} compares the exact text; {@link #matches} is the comparison of the RFCs.
 */
public abstract sealed class Uri permits SipUri, TelUri, OpaqueUri {
    /** Longer ones are not worth the comparison, and would let a stranger fill the memory. */
    private static final int MOST_RECENT_BYTES = 96;

    /**
     * URIs that came lately: those of a peer stand in each of its messages, those of a call in each
     * of the call's. A direct-mapped table, so it cannot grow; races lose an entry at most.
     */
    private static final @Nullable Uri[] RECENT = new @Nullable Uri[2048];

    /** Apart from the URIs, so that one which is not there costs no look at another's text. */
    private static final int[] RECENT_HASHES = new int[RECENT.length];

    private static final ThreadLocal<UriScan> SCAN = ThreadLocal.withInitial(UriScan::new);

    final String text;

    Uri(String text) {
        this.text = text;
    }

    /**
     * Parses a URI.
     *
     * @throws SipParseException when the text is no URI, or a SIP, SIPS or TEL URI against its
     *     grammar
     */
    public static Uri parse(String text) throws SipParseException {
        byte[] b = Ascii.masked(text);
        UriScan scan = SCAN.get();
        String error = scan.scan(b, 0, b.length);
        if (error != null) {
            throw new SipParseException(error);
        }
        return build(text, scan, 0);
    }

    /** Parses the slice {@code [from, to)}. */
    public static Uri parse(byte[] b, int from, int to) throws SipParseException {
        int hash = Ascii.hash(b, from, to);
        int slot = hash & (RECENT.length - 1);
        if (RECENT_HASHES[slot] == hash) {
            Uri known = RECENT[slot];
            if (known != null && Ascii.equals(b, from, to, known.text)) {
                return known;
            }
        }
        String text = Ascii.string(b, from, to);
        if (text.length() != to - from || !Ascii.isAscii(b, from, to)) {
            return parse(text);
        }
        UriScan scan = SCAN.get();
        String error = scan.scan(b, from, to);
        if (error != null) {
            throw new SipParseException(error);
        }
        Uri uri = build(text, scan, from);
        if (to - from <= MOST_RECENT_BYTES) {
            RECENT[slot] = uri;
            RECENT_HASHES[slot] = hash;
        }
        return uri;
    }

    private static Uri build(String text, UriScan scan, int base) {
        return switch (scan.kind()) {
            case SIP, SIPS -> new SipUri(text, scan, base);
            case TEL -> new TelUri(text, scan.paramsStart() - base);
            case OTHER -> new OpaqueUri(text, scan.schemeEnd() - base);
        };
    }

    /** Scheme in lower case, without the colon. */
    public abstract String scheme();

    /** Is this a SIP or SIPS URI? */
    public boolean isSip() {
        return false;
    }

    /**
     * URI equivalence: RFC 3261 section 19.1.4 for SIP and SIPS, RFC 3966 section 5 for TEL, exact
     * text with a scheme in any case for others. Not transitive for SIP.
     */
    public abstract boolean matches(Uri other);

    /** The raw value of a URI parameter, "" for one without value, null when absent. */
    public abstract @Nullable String param(String name);

    /** The wire form. */
    @Override
    public final String toString() {
        return text;
    }

    @Override
    public final boolean equals(@Nullable Object o) {
        return o instanceof Uri other && text.equals(other.text);
    }

    @Override
    public final int hashCode() {
        return text.hashCode();
    }
}
