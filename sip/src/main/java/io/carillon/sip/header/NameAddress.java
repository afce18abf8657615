package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.uri.OpaqueUri;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name-addr or addr-spec with header parameters: From, To, Contact, Route, Record-Route, Path,
 * Refer-To, P-Asserted-Identity... (RFC 3261 section 20.10). Immutable and thread safe.
 */
public final class NameAddress {
    private static final Uri STAR = star();

    private final @Nullable String displayName;
    private final Uri uri;
    private final Params params;

    private NameAddress(@Nullable String displayName, Uri uri, Params params) {
        this.displayName = displayName;
        this.uri = uri;
        this.params = params;
    }

    private static Uri star() {
        try {
            return (OpaqueUri) Uri.parse("x-star:*");
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    /** An address without display name and parameters. */
    public static NameAddress of(Uri uri) {
        return new NameAddress(null, uri, ListedParams.NONE);
    }

    /** An address with a display name. */
    public static NameAddress of(@Nullable String displayName, Uri uri) {
        return of(uri).withDisplayName(displayName);
    }

    /** The star of a Contact header that removes all bindings. */
    public static NameAddress ofWildcard() {
        return new NameAddress(null, STAR, ListedParams.NONE);
    }

    /** Parses one element. */
    public static NameAddress parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        return parse(b, 0, b.length);
    }

    /** Parses the one element in {@code [from, to)}; a comma behind it is an error. */
    public static NameAddress parse(byte[] b, int from, int to) throws SipParseException {
        AddressScan scan = Scans.mine().address();
        NameAddress address = parseFirst(scan, b, from, to);
        if (scan.end() != to) {
            throw new SipParseException("Comma In Single Address");
        }
        return address;
    }

    /** Parses the first element of a comma separated list in {@code [from, to)}. */
    public static NameAddress parseFirst(byte[] b, int from, int to) throws SipParseException {
        return parseFirst(Scans.mine().address(), b, from, to);
    }

    /** Parses every element of a comma separated list in {@code [from, to)}. */
    public static List<NameAddress> parseList(byte[] b, int from, int to) throws SipParseException {
        List<NameAddress> out = new ArrayList<>(2);
        parseInto(out, b, from, to);
        return out;
    }

    /**
     * Parses every element of a comma separated list in {@code [from, to)}, behind what is there.
     */
    public static void parseInto(List<NameAddress> out, byte[] b, int from, int to)
            throws SipParseException {
        AddressScan scan = Scans.mine().address();
        for (int p = from; ; p = scan.end() + 1) {
            out.add(parseFirst(scan, b, p, to));
            if (Ascii.skipLws(b, Math.min(scan.end() + 1, to), to) == to) {
                return;
            }
        }
    }

    private static NameAddress parseFirst(AddressScan scan, byte[] b, int from, int to)
            throws SipParseException {
        String error = scan.scan(b, from, to);
        if (error != null) {
            throw new SipParseException(error);
        }
        if (scan.wildcard()) {
            return ofWildcard();
        }
        String display = null;
        if (scan.displayEnd() > scan.displayStart()) {
            display = Quoting.unquote(Ascii.unfolded(b, scan.displayStart(), scan.displayEnd()));
            if (display.indexOf('\r') >= 0 || display.indexOf('\n') >= 0) {
                throw new SipParseException("Line Break In Display Name");
            }
        }
        Params params =
                Params.readAfterAddress(b, scan.paramsStart(), scan.end(), scan.paramCount());
        return new NameAddress(display, uri(scan, b), params);
    }

    private static Uri uri(AddressScan scan, byte[] b) throws SipParseException {
        if (!scan.repaired()) {
            return Uri.parse(b, scan.uriStart(), scan.uriEnd());
        }
        byte[] repaired = AddressScan.repaired(b, scan.uriStart(), scan.uriEnd());
        return Uri.parse(repaired, 0, repaired.length);
    }

    /** Display name without quotes, null when there is none. */
    public @Nullable String displayName() {
        return displayName;
    }

    public Uri uri() {
        return uri;
    }

    /** Is this the star of Contact? Then the URI means nothing. */
    @SuppressWarnings("ReferenceEquality") // what somebody parsed as "x-star:*" is no star
    public boolean wildcard() {
        return uri == STAR;
    }

    public Params params() {
        return params;
    }

    /** Header parameter without quotes, "" for a flag, null when absent. */
    public @Nullable String param(String name) {
        return params.get(name);
    }

    public @Nullable String tag() {
        return params.get("tag");
    }

    /** The tag as it is written, quotes included if there are any; null when absent. */
    public @Nullable String writtenTag() {
        return params.written("tag");
    }

    /** Sets the tag, or removes it when null. */
    public NameAddress withTag(@Nullable String tag) {
        return tag == null ? withoutParam("tag") : withParam("tag", tag);
    }

    /**
     * Sets a header parameter to a quoted string (RFC 3261 25.1) that stays as it is written.
     *
     * @throws IllegalArgumentException when it is none, or for a name that is no token
     */
    public NameAddress withQuotedParam(String name, String quoted) {
        if (!Ascii.isToken(name) || !Quoting.isQuoted(quoted)) {
            throw new IllegalArgumentException("not a parameter with a quoted string");
        }
        return new NameAddress(displayName, uri, params.withQuoted(name, quoted));
    }

    /** Sets a header parameter; a null value makes it a flag. */
    public NameAddress withParam(String name, @Nullable String value) {
        return new NameAddress(displayName, uri, params.with(name, value));
    }

    public NameAddress withoutParam(String name) {
        return new NameAddress(displayName, uri, params.without(name));
    }

    /** The address without any header parameter. */
    public NameAddress withoutParams() {
        return new NameAddress(displayName, uri, ListedParams.NONE);
    }

    public NameAddress withUri(Uri newUri) {
        return new NameAddress(displayName, newUri, params);
    }

    /**
     * Sets the display name (without quotes); null or "" removes it.
     *
     * @throws IllegalArgumentException when it holds a line break or NUL
     */
    public NameAddress withDisplayName(@Nullable String name) {
        if (name != null && Ascii.hasLineBreak(name)) {
            throw new IllegalArgumentException("line break in a display name");
        }
        return new NameAddress(name == null || name.isEmpty() ? null : name, uri, params);
    }

    /** So many bytes {@link #print} writes at most. */
    public int mostBytes() {
        // A character has three bytes at most, or two and the backslash before it.
        int most = 8 + 3 * uri.toString().length();
        if (displayName != null) {
            most += 3 * displayName.length();
        }
        return most + params.mostBytes();
    }

    /** Prints the wire form, always with angle brackets (RFC 3261 20.10 allows them everywhere). */
    public void print(ByteWriter out) {
        if (wildcard()) {
            out.put('*');
        } else {
            if (displayName != null) {
                out.put(Quoting.quote(displayName)).put(' ');
            }
            out.put('<').put(uri.toString()).put('>');
        }
        params.print(out);
    }

    @Override
    public String toString() {
        ByteWriter out = new ByteWriter(96);
        print(out);
        return out.toString();
    }

    /** Same display name, same URI text, same parameters in the same order. */
    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof NameAddress other
                && java.util.Objects.equals(displayName, other.displayName)
                && uri.equals(other.uri)
                && params.equals(other.params)
                && wildcard() == other.wildcard();
    }

    @Override
    public int hashCode() {
        return 31 * uri.hashCode() + params.hashCode();
    }
}
