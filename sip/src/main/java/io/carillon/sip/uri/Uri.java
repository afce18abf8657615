package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import org.jspecify.annotations.Nullable;

/**
 * A URI as it stands on the wire. Immutable and thread safe; parts are read out of the text when
 * asked. {@code equals} compares the exact text; {@link #matches} is the comparison of the RFCs.
 */
public abstract sealed class Uri permits SipUri, TelUri, OpaqueUri {
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
        UriScan scan = new UriScan();
        String error = scan.scan(b, 0, b.length);
        if (error != null) {
            throw new SipParseException(error);
        }
        return build(text, scan, 0);
    }

    /** Parses the slice {@code [from, to)}. */
    public static Uri parse(byte[] b, int from, int to) throws SipParseException {
        String text = Ascii.string(b, from, to);
        if (text.length() != to - from || !Ascii.isAscii(b, from, to)) {
            return parse(text);
        }
        UriScan scan = new UriScan();
        String error = scan.scan(b, from, to);
        if (error != null) {
            throw new SipParseException(error);
        }
        return build(text, scan, from);
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
