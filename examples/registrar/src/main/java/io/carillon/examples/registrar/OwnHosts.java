package io.carillon.examples.registrar;

import java.util.function.Predicate;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * The hosts whose users are registered here: addresses of the server, {@code sip.domains}, and the
 * realm. The container knows them; one that does not say has all hosts for its own.
 */
final class OwnHosts {
    private static final String ATTRIBUTE = "io.carillon.own-host";

    private final Predicate<String> known;

    private OwnHosts(Predicate<String> known) {
        this.known = known;
    }

    @SuppressWarnings("unchecked") // as the container documents it
    static OwnHosts of(ServletContext context) {
        Object known = context.getAttribute(ATTRIBUTE);
        return new OwnHosts(known == null ? any -> true : (Predicate<String>) known);
    }

    boolean has(URI uri) {
        return uri.isSipURI() && known.test(((SipURI) uri).getHost());
    }
}
