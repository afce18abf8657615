package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.UriHeader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * A SIP or SIPS URI as applications see it; takes and gives parts without their escapes. Owner: the
 * turn.
 */
final class ServletSipUri extends ServletUri implements SipURI {
    private SipUri value;

    ServletSipUri(SipUri value, Rights rights, @Nullable Owner owner) {
        super(rights, owner);
        this.value = value;
    }

    @Override
    public SipUri value() {
        return value;
    }

    @Override
    public boolean isSecure() {
        return value.secure();
    }

    @Override
    public void setSecure(boolean secure) {
        changingWhole();
        value = value.withSecure(secure);
    }

    @Override
    public @Nullable String getUser() {
        return value.user();
    }

    @Override
    public void setUser(@Nullable String user) {
        String checked = user == null || user.isEmpty() ? null : user;
        changingUser();
        value = value.withUser(checked);
    }

    @Override
    public @Nullable String getUserPassword() {
        return value.password();
    }

    @Override
    public void setUserPassword(@Nullable String password) {
        if (password != null && value.rawUser() == null) {
            throw new IllegalArgumentException("a password stands behind a user part");
        }
        changingUser();
        value = value.toBuilder().password(password).build();
    }

    @Override
    public String getHost() {
        return value.host();
    }

    /** A port behind the host, as in {@code 192.0.2.1:5080}, is set too. */
    @Override
    public void setHost(String host) {
        HostText written = HostText.of(host);
        SipUri changed = value.withHost(written.host());
        if (written.port() >= 0) {
            changed = changed.withPort(written.port());
        }
        changingWhole();
        value = changed;
    }

    @Override
    public int getPort() {
        return value.port();
    }

    /** A negative port removes it. */
    @Override
    public void setPort(int port) {
        SipUri changed = value.withPort(Math.max(port, -1));
        changingWhole();
        value = changed;
    }

    @Override
    @Nullable String parameter(String key) {
        return value.param(key);
    }

    @Override
    void putParameter(String name, String text) {
        value = value.withParam(name, text.isEmpty() ? null : text);
    }

    @Override
    void dropParameter(String name) {
        value = value.withoutParam(name);
    }

    @Override
    public Iterator<String> getParameterNames() {
        return Collections.unmodifiableList(value.paramNames()).iterator();
    }

    @Override
    public @Nullable String getTransportParam() {
        return value.param("transport");
    }

    @Override
    public void setTransportParam(@Nullable String transport) {
        setParameter("transport", transport);
    }

    @Override
    public @Nullable String getMAddrParam() {
        return value.param("maddr");
    }

    @Override
    public void setMAddrParam(@Nullable String address) {
        setParameter("maddr", address);
    }

    @Override
    public @Nullable String getMethodParam() {
        return value.param("method");
    }

    @Override
    public void setMethodParam(@Nullable String method) {
        setParameter("method", method);
    }

    @Override
    public @Nullable String getUserParam() {
        return value.param("user");
    }

    @Override
    public void setUserParam(@Nullable String user) {
        setParameter("user", user);
    }

    @Override
    public int getTTLParam() {
        String ttl = value.param("ttl");
        return ttl == null ? -1 : (int) Math.max(Ascii.parseDecimal(ttl, 255), -1);
    }

    /** RFC 3261 25.1: "ttl = 1*3DIGIT ; 0 to 255". A negative value removes it. */
    @Override
    public void setTTLParam(int ttl) {
        if (ttl > 255) {
            throw new IllegalArgumentException("ttl is 0 to 255");
        }
        setParameter("ttl", ttl < 0 ? null : Integer.toString(ttl));
    }

    @Override
    public boolean getLrParam() {
        return value.isLooseRouter();
    }

    @Override
    public void setLrParam(boolean flag) {
        setParameter("lr", flag ? "" : null);
    }

    @Override
    public @Nullable String getHeader(String name) {
        return value.uriHeader(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Iterator<String> getHeaderNames() {
        List<UriHeader> headers = value.headers();
        List<String> names = new ArrayList<>(headers.size());
        for (UriHeader header : headers) {
            names.add(header.name());
        }
        return Collections.unmodifiableList(names).iterator();
    }

    @Override
    public void setHeader(String name, String text) {
        SipUri changed =
                value.withHeader(
                        Objects.requireNonNull(name, "name"),
                        Objects.requireNonNull(text, "value"));
        changingWhole();
        value = changed;
    }

    @Override
    public void removeHeader(String name) {
        if (value.uriHeader(Objects.requireNonNull(name, "name")) == null) {
            return;
        }
        SipUri changed = value.withoutHeaders();
        for (UriHeader header : value.headers()) {
            if (!Ascii.equalsIgnoreCase(header.name(), name)) {
                changed = changed.withHeader(header.name(), header.value());
            }
        }
        changingWhole();
        value = changed;
    }

    @Override
    public int hashCode() {
        return 31 * Ascii.hashIgnoreCase(value.host()) + Objects.hashCode(value.user());
    }
}
