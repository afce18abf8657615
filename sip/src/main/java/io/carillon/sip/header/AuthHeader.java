package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A challenge or credentials: WWW-Authenticate, Proxy-Authenticate, Authorization,
 * Proxy-Authorization: a scheme and comma separated parameters (RFC 3261 section 20.7, RFC 7616).
 * Also Authentication-Info, whose scheme is "". Immutable and thread safe.
 */
public final class AuthHeader {
    private final String scheme;

    /** Name, raw value, name, raw value... */
    private final String[] pairs;

    private AuthHeader(String scheme, String[] pairs) {
        this.scheme = scheme;
        this.pairs = pairs;
    }

    /** A header of that scheme without parameters yet; "" for Authentication-Info. */
    public static AuthHeader of(String scheme) {
        if (!scheme.isEmpty() && !Ascii.isToken(scheme)) {
            throw new IllegalArgumentException("not an authentication scheme");
        }
        return new AuthHeader(scheme, new String[0]);
    }

    /** Parses a challenge or credentials. */
    public static AuthHeader parse(String text) throws SipParseException {
        byte[] b = WireText.bytes(text);
        int from = Ascii.skipLws(b, 0, b.length);
        int p = token(b, from);
        if (p == from || (p < b.length && !Ascii.isLws(b[p]))) {
            throw new SipParseException("Bad Authentication Scheme");
        }
        return new AuthHeader(Ascii.string(b, from, p), pairs(b, p));
    }

    /** Parses Authentication-Info, which has no scheme. */
    public static AuthHeader parseInfo(String text) throws SipParseException {
        return new AuthHeader("", pairs(WireText.bytes(text), 0));
    }

    private static int token(byte[] b, int from) {
        int p = from;
        while (p < b.length && Ascii.isToken(b[p])) {
            p++;
        }
        return p;
    }

    private static String[] pairs(byte[] b, int from) throws SipParseException {
        String[] out = new String[16];
        int n = 0;
        int p = Ascii.skipLws(b, from, b.length);
        while (p < b.length) {
            int nameEnd = token(b, p);
            int eq = Ascii.skipLws(b, nameEnd, b.length);
            if (nameEnd == p || eq >= b.length || b[eq] != '=') {
                throw new SipParseException("Bad Authentication Parameter");
            }
            int value = Ascii.skipLws(b, eq + 1, b.length);
            int end = valueEnd(b, value);
            if (n == out.length) {
                out = Arrays.copyOf(out, 2 * n);
            }
            out[n++] = Ascii.string(b, p, nameEnd);
            out[n++] = Ascii.string(b, value, end);
            p = Ascii.skipLws(b, end, b.length);
            if (p < b.length) {
                if (b[p] != ',') {
                    throw new SipParseException("Bad Authentication Parameter");
                }
                p = Ascii.skipLws(b, p + 1, b.length);
            }
        }
        return Arrays.copyOf(out, n);
    }

    private static int valueEnd(byte[] b, int from) throws SipParseException {
        int p = from;
        if (p < b.length && b[p] == '"') {
            p = Quoting.skipQuoted(b, p, b.length);
            for (int i = from; i < p; i++) {
                if (b[i] == '\r' || b[i] == '\n') {
                    throw new SipParseException("Line Break In Authentication Parameter");
                }
            }
        } else {
            while (p < b.length && b[p] != ',' && b[p] != '"' && !Ascii.isLws(b[p])) {
                p++;
            }
        }
        if (p <= from) {
            throw new SipParseException("Bad Authentication Parameter");
        }
        return p;
    }

    /** "Digest". */
    public String scheme() {
        return scheme;
    }

    public boolean isScheme(String other) {
        return Ascii.equalsIgnoreCase(scheme, other);
    }

    /** Parameter without quotes, null when absent. The first of several. */
    public @Nullable String param(String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (Ascii.equalsIgnoreCase(pairs[i], name)) {
                return Quoting.unquote(pairs[i + 1]);
            }
        }
        return null;
    }

    /** Number of parameters. */
    public int size() {
        return pairs.length / 2;
    }

    /** Name of parameter {@code i}. */
    public String name(int i) {
        return pairs[2 * i];
    }

    /** Value of parameter {@code i} without quotes. */
    public String value(int i) {
        return Quoting.unquote(pairs[2 * i + 1]);
    }

    /** Sets a parameter to a quoted string (realm, nonce, uri, response...). */
    public AuthHeader withQuoted(String name, String value) {
        return with(name, Quoting.quote(value));
    }

    /** Sets a parameter to a token (algorithm, qop in credentials, nc, stale). */
    public AuthHeader withToken(String name, String value) {
        if (!Ascii.isToken(value)) {
            throw new IllegalArgumentException("not a token: " + name);
        }
        return with(name, value);
    }

    private AuthHeader with(String name, String raw) {
        if (!Ascii.isToken(name)) {
            throw new IllegalArgumentException("not a parameter name");
        }
        for (int i = 0; i < pairs.length; i += 2) {
            if (Ascii.equalsIgnoreCase(pairs[i], name)) {
                String[] next = pairs.clone();
                next[i + 1] = raw;
                return new AuthHeader(scheme, next);
            }
        }
        String[] next = Arrays.copyOf(pairs, pairs.length + 2);
        next[pairs.length] = name;
        next[pairs.length + 1] = raw;
        return new AuthHeader(scheme, next);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(200).append(scheme);
        for (int i = 0; i < pairs.length; i += 2) {
            out.append(i > 0 ? ", " : scheme.isEmpty() ? "" : " ");
            out.append(pairs[i]).append('=').append(pairs[i + 1]);
        }
        return out.toString();
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof AuthHeader other
                && scheme.equals(other.scheme)
                && Arrays.equals(pairs, other.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pairs);
    }
}
