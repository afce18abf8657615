package io.carillon.servlet.port;

/**
 * Credentials that were accepted: for whom, and in which realm. It goes along where a request goes
 * from one application of this server to the next, as credentials are good for one look only.
 * Immutable.
 */
public record Proof(String realm, Caller caller) {
    /**
     * Attribute of a request that an application proxies or copies: true where somebody else chose
     * its targets, as whoever registers a contact does. The caller has not proved himself for these
     * (RFC 7616 3.4.6).
     */
    public static final String OTHERS_TARGETS = "io.carillon.targets-of-others";
}
