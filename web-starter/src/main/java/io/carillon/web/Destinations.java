package io.carillon.web;

import java.util.Locale;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/** Whom a page may call: the words of the configuration, and hosts that are allowed. Immutable. */
final class Destinations {
    private final WebProperties properties;
    private final SipFactory factory;

    Destinations(WebProperties properties, SipFactory factory) {
        this.properties = properties;
        this.factory = factory;
    }

    /**
     * The SIP URI that is meant.
     *
     * @throws ApiProblem 400 when it is none, 403 when it may not be called
     */
    String of(String asked) {
        String known = properties.destinations().get(asked);
        if (known != null) {
            return known;
        }
        URI uri;
        try {
            uri = factory.createURI(asked);
        } catch (ServletParseException e) {
            throw ApiProblem.badNumber(asked);
        }
        if (!(uri instanceof SipURI sip)) {
            throw ApiProblem.badNumber(asked);
        }
        String host = sip.getHost().toLowerCase(Locale.ROOT);
        for (String allowed : properties.allowed()) {
            boolean below = allowed.startsWith(".") && host.endsWith(allowed);
            if (below || host.equals(allowed)) {
                return asked;
            }
        }
        throw ApiProblem.notAllowed(host);
    }
}
