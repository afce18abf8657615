package io.carillon.web;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * Whom a page may call: the words of the configuration, and hosts that are allowed. A text is read
 * once; what was checked is what is called. Immutable.
 */
final class Destinations {
    /** Those that leave the host as it is; maddr, for one, does not (RFC 3261 section 19.1.1). */
    private static final Set<String> PARAMETERS = Set.of("transport", "user");

    private static final Set<String> TRANSPORTS = Set.of("udp", "tcp", "tls", "ws", "wss");

    /**
     * RFC 3261 section 20: a URI that holds one of the first three reads otherwise where brackets
     * around it were lost. The others end a user or a line.
     */
    private static final String NOT_IN_USERS = ",?;:@<>\"\\ \r\n\t\0";

    private final WebProperties properties;
    private final SipFactory factory;

    /**
     * @throws IllegalArgumentException naming a destination or a phone that is no SIP URI
     */
    Destinations(WebProperties properties, SipFactory factory) {
        this.properties = properties;
        this.factory = factory;
        properties.destinations().forEach((word, uri) -> check("destinations." + word, uri));
        properties
                .accounts()
                .forEach((user, one) -> check("accounts." + user + ".phone", one.phone()));
    }

    private static void check(String property, @Nullable String uri) {
        try {
            if (uri != null && Uri.parse(uri) instanceof SipUri) {
                return;
            }
        } catch (SipParseException e) {
            throw new IllegalArgumentException(none(property, uri) + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(none(property, uri));
    }

    private static String none(String property, @Nullable String uri) {
        return "carillon.web."
                + property
                + " is '"
                + uri
                + "', which is no SIP URI such as sip:bob@example.com";
    }

    /**
     * A SIP URI of the configuration or of the application's own code, whatever it has.
     *
     * @throws ServletParseException when it is none
     */
    SipURI trusted(String uri) throws ServletParseException {
        if (factory.createURI(uri) instanceof SipURI sip) {
            return sip;
        }
        throw new ServletParseException("'" + uri + "' is no SIP URI");
    }

    /**
     * Whom a page means.
     *
     * @throws ApiProblem 400 when it is no SIP URI or has more than a page may give, 403 when it
     *     may not be called
     */
    SipURI of(String asked) throws ServletParseException {
        String known = properties.destinations().get(asked);
        if (known != null) {
            return trusted(known);
        }
        SipURI uri;
        try {
            uri = trusted(asked);
        } catch (ServletParseException e) {
            throw ApiProblem.badNumber(asked);
        }
        if (!isPlain(uri)) {
            throw ApiProblem.notPlain(asked);
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        for (String allowed : properties.allowed()) {
            String name = allowed.toLowerCase(Locale.ROOT);
            boolean below = name.startsWith(".") && host.endsWith(name);
            if (below || host.equals(name)) {
                return uri;
            }
        }
        throw ApiProblem.notAllowed(host);
    }

    /** Has it nothing that would lead the call elsewhere, or change what is sent? */
    private static boolean isPlain(SipURI uri) {
        if (uri.getUserPassword() != null || uri.getHeaderNames().hasNext()) {
            return false;
        }
        for (Iterator<String> all = uri.getParameterNames(); all.hasNext(); ) {
            if (!PARAMETERS.contains(all.next().toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        String transport = uri.getTransportParam();
        if (transport != null && !TRANSPORTS.contains(transport.toLowerCase(Locale.ROOT))) {
            return false;
        }
        String user = uri.getUser();
        return user == null || user.chars().noneMatch(c -> NOT_IN_USERS.indexOf(c) >= 0);
    }
}
