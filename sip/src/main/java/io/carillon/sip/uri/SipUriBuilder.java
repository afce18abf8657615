package io.carillon.sip.uri;

import io.carillon.sip.bytes.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link SipUri} part by part. Takes parts as they are meant and escapes them (RFC 3261
 * section 19.1.2). Not thread safe.
 */
public final class SipUriBuilder {
    private boolean secure;
    private @Nullable String rawUser;
    private @Nullable String rawPassword;
    private String host = "";
    private int port = -1;
    private String params = "";
    private String headers = "";

    SipUriBuilder() {}

    SipUriBuilder(SipUri from) {
        secure = from.secure();
        rawUser = from.rawUser();
        rawPassword = from.rawPassword();
        host = from.host();
        port = from.port();
        params = from.paramsText();
        headers = from.headersText();
    }

    /** Scheme sips instead of sip. */
    public SipUriBuilder secure(boolean value) {
        secure = value;
        return this;
    }

    /** User part, not escaped yet; null removes user and password. */
    public SipUriBuilder user(@Nullable String user) {
        rawUser = user == null ? null : UriText.escape(user, UriText.USER);
        rawPassword = user == null ? null : rawPassword;
        return this;
    }

    /** Password, not escaped yet; null removes it. */
    public SipUriBuilder password(@Nullable String password) {
        rawPassword = password == null ? null : UriText.escape(password, UriText.PASSWORD);
        return this;
    }

    /** Host name or address; an IPv6 address gets its brackets if they are missing. */
    public SipUriBuilder host(String value) {
        host = value.indexOf(':') >= 0 && !value.startsWith("[") ? '[' + value + ']' : value;
        return this;
    }

    /** Port, -1 for none. */
    public SipUriBuilder port(int value) {
        port = value;
        return this;
    }

    /** Sets a parameter, value not escaped yet; a null value makes it a flag. */
    public SipUriBuilder param(String name, @Nullable String value) {
        params = UriText.withParam(params, 0, params.length(), name, value);
        return this;
    }

    /** Removes a parameter. */
    public SipUriBuilder noParam(String name) {
        params = UriText.withoutParam(params, 0, params.length(), name);
        return this;
    }

    /** Replaces the header components of that name by one, value not escaped yet. */
    public SipUriBuilder header(String name, String value) {
        StringBuilder out = new StringBuilder();
        for (UriHeader h : UriHeader.list(headers, 0)) {
            if (!Ascii.equalsIgnoreCase(h.name(), name)) {
                append(out, h.name(), h.value());
            }
        }
        append(out, name, value);
        headers = out.toString();
        return this;
    }

    private static void append(StringBuilder out, String name, String value) {
        out.append(out.isEmpty() ? '?' : '&')
                .append(UriText.escape(name, UriText.HEADER))
                .append('=')
                .append(UriText.escape(value, UriText.HEADER));
    }

    /**
     * The URI.
     *
     * @throws IllegalArgumentException when host or port cannot stand in a URI
     */
    public SipUri build() {
        if (port > 65535) {
            throw new IllegalArgumentException("port out of range: " + port);
        }
        if (UriScan.scanHost(Ascii.masked(host), 0, host.length()) != host.length()) {
            throw new IllegalArgumentException("not a host: " + host);
        }
        StringBuilder out = new StringBuilder(64).append(secure ? "sips:" : "sip:");
        if (rawUser != null) {
            out.append(rawUser);
            if (rawPassword != null) {
                out.append(':').append(rawPassword);
            }
            out.append('@');
        }
        out.append(host);
        if (port >= 0) {
            out.append(':').append(port);
        }
        return SipUri.rebuilt(out.append(params).append(headers).toString());
    }
}
