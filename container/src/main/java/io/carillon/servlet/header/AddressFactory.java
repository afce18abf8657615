package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** The half of {@code SipFactory} that makes addresses and URIs. Stateless; any thread. */
public final class AddressFactory {
    private AddressFactory() {}

    /**
     * An address from {@code name-addr} or {@code addr-spec} text with its parameters; "*" is the
     * wildcard.
     */
    public static Address createAddress(String text) throws ServletParseException {
        return Addresses.free(Addresses.parse(text));
    }

    /** An address without display name; the URI is copied. */
    public static Address createAddress(URI uri) {
        return createAddress(uri, null);
    }

    /** An address with display name, not quoted yet; the URI is copied. */
    public static Address createAddress(URI uri, @Nullable String displayName) {
        NameAddress address = NameAddress.of(Addresses.toUri(Objects.requireNonNull(uri, "uri")));
        boolean named = displayName != null && !displayName.isEmpty();
        return Addresses.free(named ? address.withDisplayName(displayName) : address);
    }

    /** A {@code SipURI}, {@code TelURL} or URI of any other scheme from escaped text. */
    public static URI createURI(String text) throws ServletParseException {
        try {
            return Addresses.free(Uri.parse(Objects.requireNonNull(text, "uri")));
        } catch (SipParseException e) {
            throw new ServletParseException(e.getMessage(), e);
        }
    }

    /**
     * A sip URI of user and host.
     *
     * @param user escaped or not, null for none
     * @param host a port may stand behind it, as in {@code 192.0.2.1:5080}
     * @throws IllegalArgumentException when the host cannot stand in a URI
     */
    public static SipURI createSipURI(@Nullable String user, String host) {
        String plain = user == null || user.isEmpty() ? null : unescaped(user);
        HostText written = HostText.of(host);
        return new ServletSipUri(
                SipUri.of(plain, written.host(), written.port()), Rights.FREE, null);
    }

    /**
     * The API wants reserved characters escaped here already; who does not bother is understood
     * too.
     */
    private static String unescaped(String user) {
        if (user.indexOf('%') < 0) {
            return user;
        }
        try {
            String plain = SipUri.parseSip("sip:" + user + "@h").user();
            return plain == null ? user : plain;
        } catch (SipParseException _) {
            // Not escaped text then; a lone percent sign, for example.
            return user;
        }
    }

    /**
     * A parameterable from {@code field-value *(;name=value)}, with or without {@code field-name:}
     * in front. A header that holds addresses gives an {@code Address}.
     */
    public static Parameterable createParameterable(String text) throws ServletParseException {
        HeaderElements.refuseLineBreak(Objects.requireNonNull(text, "text"));
        int colon = fieldNameEnd(text);
        if (colon < 0) {
            return ServletParameterable.parse(text, Rights.FREE, null);
        }
        HeaderName name = HeaderName.of(text.substring(0, colon).strip());
        return HeaderElements.parse(
                text.substring(colon + 1), HeaderRules.isAddress(name), Rights.FREE, null);
    }

    /**
     * The colon behind a field name, or -1. A scheme looks like a field name ("sip:a@b;x=y"), so
     * the colon counts only behind a header that we know or before white space.
     */
    private static int fieldNameEnd(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            return -1;
        }
        String name = text.substring(0, colon).strip();
        if (!Ascii.isToken(name)) {
            return -1;
        }
        boolean spaced = colon + 1 < text.length() && Ascii.isBlank(text.charAt(colon + 1));
        return spaced || HeaderName.of(name).id() >= 0 ? colon : -1;
    }
}
