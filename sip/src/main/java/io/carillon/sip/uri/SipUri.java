package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A SIP or SIPS URI (RFC 3261 section 19.1). Immutable: every {@code with} returns another URI. */
public final class SipUri extends Uri {
    /** Characters of parameters and headers that are compared; more are equal as text alone. */
    private static final int COMPARED = 2_048;

    private final boolean secure;
    private final int userEnd;
    private final int passwordStart;
    private final int hostStart;
    private final int hostEnd;
    private final int port;
    private final int paramsStart;
    private final int headersStart;

    /** Made on first use; threads that race make the same. */
    private @Nullable String host;

    SipUri(String text, UriScan scan, int base) {
        super(text);
        secure = scan.kind() == UriScan.Kind.SIPS;
        userEnd = scan.userEnd() < 0 ? -1 : scan.userEnd() - base;
        passwordStart = scan.passwordStart() < 0 ? -1 : scan.passwordStart() - base;
        hostStart = scan.hostStart() - base;
        hostEnd = scan.hostEnd() - base;
        port = scan.port();
        paramsStart = scan.paramsStart() - base;
        headersStart = scan.headersStart() - base;
    }

    /** Parses a SIP or SIPS URI, or says that the text is another kind of URI. */
    public static SipUri parseSip(String text) throws SipParseException {
        if (parse(text) instanceof SipUri sip) {
            return sip;
        }
        throw new SipParseException("Not A SIP URI");
    }

    /**
     * A plain SIP URI.
     *
     * @param user user part, not escaped yet; null for none
     * @param host host name or address; an IPv6 address with or without brackets
     * @param port -1 for none
     * @throws IllegalArgumentException when host or port cannot stand in a URI
     */
    public static SipUri of(@Nullable String user, String host, int port) {
        return builder().user(user).host(host).port(port).build();
    }

    /** An empty builder: scheme sip, no user, no host yet. */
    public static SipUriBuilder builder() {
        return new SipUriBuilder();
    }

    /** A builder that starts with all parts of this URI. */
    public SipUriBuilder toBuilder() {
        return new SipUriBuilder(this);
    }

    static SipUri rebuilt(String text) {
        try {
            return parseSip(text);
        } catch (SipParseException e) {
            throw new IllegalArgumentException(e.getMessage() + ": " + text, e);
        }
    }

    @Override
    public String scheme() {
        return secure ? "sips" : "sip";
    }

    @Override
    public boolean isSip() {
        return true;
    }

    /** Is the scheme sips? */
    public boolean secure() {
        return secure;
    }

    /** User part with escapes decoded, null when there is none. */
    public @Nullable String user() {
        String raw = rawUser();
        return raw == null ? null : UriText.unescape(raw);
    }

    /** User part as on the wire. */
    public @Nullable String rawUser() {
        return userEnd < 0 ? null : text.substring(scheme().length() + 1, userEnd);
    }

    /** Password with escapes decoded, null when there is none. */
    public @Nullable String password() {
        return passwordStart < 0
                ? null
                : UriText.unescape(text.substring(passwordStart, hostStart - 1));
    }

    /** Host as written; an IPv6 address stands in its brackets. */
    public String host() {
        String known = host;
        if (known == null) {
            known = text.substring(hostStart, hostEnd);
            host = known;
        }
        return known;
    }

    /** Port, -1 when none is written. */
    public int port() {
        return port;
    }

    /** Port, or the default of the scheme (5060, 5061 for sips). */
    public int portOrDefault() {
        return port >= 0 ? port : secure ? 5061 : 5060;
    }

    /** Parameter value with escapes decoded; "" for a flag, null when absent. */
    @Override
    public @Nullable String param(String name) {
        int at = UriText.findParam(text, paramsStart, headersStart, name);
        return at < 0 ? null : UriText.unescape(UriText.paramValue(text, at, headersStart));
    }

    public boolean hasParam(String name) {
        return UriText.findParam(text, paramsStart, headersStart, name) >= 0;
    }

    /** Parameter names in order. */
    public List<String> paramNames() {
        return UriText.paramNames(text, paramsStart, headersStart);
    }

    /** Transport parameter as written, null when absent. */
    public @Nullable String transport() {
        return param("transport");
    }

    /** Multicast address parameter, null when absent. */
    public @Nullable String maddr() {
        return param("maddr");
    }

    // RFC 3261 19.1.1: "The lr parameter, when present, indicates that the element responsible for
    // this resource implements the routing mechanisms specified in this document."
    /** Does the URI carry the lr parameter? */
    public boolean isLooseRouter() {
        return hasParam("lr");
    }

    /** Are there header components after a question mark? */
    public boolean hasHeaders() {
        return headersStart < text.length();
    }

    /** The header components in order, names and values with escapes decoded. */
    public List<UriHeader> headers() {
        return UriHeader.list(text, headersStart);
    }

    /** Value of the first header component of that name with escapes decoded, null when absent. */
    public @Nullable String uriHeader(String name) {
        for (UriHeader h : headers()) {
            if (Ascii.equalsIgnoreCase(h.name(), name)) {
                return h.value();
            }
        }
        return null;
    }

    /** The same URI with scheme sip or sips. */
    public SipUri withSecure(boolean nowSecure) {
        return rebuilt((nowSecure ? "sips" : "sip") + text.substring(text.indexOf(':')));
    }

    /** Sets the user part (not escaped yet); null removes user and password. */
    public SipUri withUser(@Nullable String user) {
        return toBuilder().user(user).build();
    }

    /** Sets host name or address. */
    public SipUri withHost(String host) {
        return toBuilder().host(host).build();
    }

    /** Sets the port; -1 removes it. */
    public SipUri withPort(int newPort) {
        return toBuilder().port(newPort).build();
    }

    /** Sets a parameter (value not escaped yet); a null value makes it a flag. */
    public SipUri withParam(String name, @Nullable String value) {
        return rebuilt(UriText.withParam(text, paramsStart, headersStart, name, value));
    }

    /** Removes a parameter. */
    public SipUri withoutParam(String name) {
        String less = UriText.withoutParam(text, paramsStart, headersStart, name);
        return less.length() == text.length() ? this : rebuilt(less);
    }

    /** Replaces the header components of that name by one (value not escaped yet). */
    public SipUri withHeader(String name, String value) {
        return toBuilder().header(name, value).build();
    }

    /** The URI without header components. */
    public SipUri withoutHeaders() {
        return hasHeaders() ? rebuilt(text.substring(0, headersStart)) : this;
    }

    /** The text between scheme and parameters: userinfo, host and port as on the wire. */
    String authority() {
        return text.substring(scheme().length() + 1, paramsStart);
    }

    String paramsText() {
        return text.substring(paramsStart, headersStart);
    }

    String headersText() {
        return text.substring(headersStart);
    }

    @Nullable String rawPassword() {
        return passwordStart < 0 ? null : text.substring(passwordStart, hostStart - 1);
    }

    @Override
    public boolean matches(Uri other) {
        if (!(other instanceof SipUri o)) {
            return false;
        }
        if (text.equals(o.text)) {
            return true; // also where a parameter stands twice
        }
        // Not the RFC's: each parameter is sought among all of the other URI, and a REGISTER may
        // hold contacts of thousands against which each binding is compared.
        if (text.length() - paramsStart > COMPARED || o.text.length() - o.paramsStart > COMPARED) {
            return false;
        }
        // RFC 3261 19.1.4: "A SIP and SIPS URI are never equivalent."
        if (secure != o.secure || port != o.port) {
            return false;
        }
        return sameUserinfo(o)
                && Ascii.equalsIgnoreCase(host(), o.host())
                && paramsMatch(o)
                && o.paramsMatch(this)
                && headersMatch(o);
    }

    // RFC 3261 19.1.4: "Comparison of the userinfo of SIP and SIPS URIs is case-sensitive."
    private boolean sameUserinfo(SipUri o) {
        return sameOptional(rawUser(), o.rawUser()) && sameOptional(rawPassword(), o.rawPassword());
    }

    private static boolean sameOptional(@Nullable String a, @Nullable String b) {
        if (a == null || b == null) {
            // RFC 3261 19.1.4: a URI omitting a component will not match a URI that includes it.
            return a == null && b == null;
        }
        return UriText.same(a, b, false);
    }

    private boolean paramsMatch(SipUri o) {
        for (int p = paramsStart; p < headersStart; ) {
            int start = p + 1;
            int end = UriText.endOfParam(text, start, headersStart);
            int eq = UriText.indexOf(text, '=', start, end);
            String name = text.substring(start, eq < 0 ? end : eq);
            int there = UriText.findParam(o.text, o.paramsStart, o.headersStart, name);
            if (there < 0) {
                if (mustBeInBoth(name)) {
                    return false;
                }
            } else if (!UriText.same(
                    eq < 0 ? "" : text.substring(eq + 1, end),
                    UriText.paramValue(o.text, there, o.headersStart),
                    true)) {
                // RFC 3261 19.1.4: "Any uri-parameter appearing in both URIs must match."
                return false;
            }
            p = end;
        }
        return true;
    }

    // RFC 3261 19.1.4: "A user, ttl, or method uri-parameter appearing in only one URI never
    // matches";
    // the same for maddr, and by the paragraph on default values for transport.
    private static boolean mustBeInBoth(String name) {
        return Ascii.equalsIgnoreCase(name, "transport")
                || Ascii.equalsIgnoreCase(name, "user")
                || Ascii.equalsIgnoreCase(name, "ttl")
                || Ascii.equalsIgnoreCase(name, "method")
                || Ascii.equalsIgnoreCase(name, "maddr");
    }

    // RFC 3261 19.1.4: "Any present header component MUST be present in both URIs and match."
    private boolean headersMatch(SipUri o) {
        if (!hasHeaders() && !o.hasHeaders()) {
            return true;
        }
        List<UriHeader> mine = headers();
        List<UriHeader> theirs = new java.util.ArrayList<>(o.headers());
        if (mine.size() != theirs.size()) {
            return false;
        }
        for (UriHeader h : mine) {
            if (!removeFirst(theirs, h)) {
                return false;
            }
        }
        return theirs.isEmpty();
    }

    /** One for one: a component may stand in a URI several times. */
    private static boolean removeFirst(List<UriHeader> from, UriHeader wanted) {
        for (int i = 0; i < from.size(); i++) {
            if (wanted.matches(from.get(i))) {
                from.remove(i);
                return true;
            }
        }
        return false;
    }
}
