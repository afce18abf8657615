package io.carillon.examples.blocking;

import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;

/** A user or a number, in whatever way it is written. Functions; any thread. */
final class Caller {
    private Caller() {}

    /** Null of a URI that names none. */
    static String of(URI uri) {
        if (uri instanceof TelURL tel) {
            return plain((tel.isGlobal() ? "+" : "") + tel.getPhoneNumber());
        }
        return uri instanceof SipURI sip && sip.getUser() != null ? plain(sip.getUser()) : null;
    }

    /**
     * Without parameters, and of a number without its separators (RFC 3966 5.1.1), as gateways read
     * it.
     */
    static String plain(String user) {
        String name = user.replaceFirst(";.*", "").trim();
        return name.matches("[+(]*[0-9].*") ? name.replaceAll("[-.()\\s]", "") : name;
    }
}
