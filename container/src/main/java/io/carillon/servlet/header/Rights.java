package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import java.util.List;

/** How much of an address or URI an application may change, by where the value stands. */
public enum Rights {
    /** A value of the application's own, or of a header that is no system header. */
    FREE,
    /**
     * A Contact that the container manages: user part, display name and parameters are the
     * application's, the way to us (scheme, host, port and what decides it) is not.
     */
    CONTACT("method", "ttl", "maddr", "lr"),
    /**
     * A Record-Route or Path URI of ours: the application adds parameters of its own and nothing
     * else.
     */
    ROUTE_PARAMETERS("transport", "user", "method", "ttl", "maddr", "lr"),
    /**
     * From or To of a request: all but the tag, which alone makes them system headers (RFC 3261
     * 19.3), and the URI parameters that may not stand there (RFC 3261 19.1.1, table 1).
     */
    PARTY("transport", "method", "ttl", "maddr", "lr"),
    /** A system header: Via, Route and so on; From and To where they are not {@link #PARTY}. */
    READ_ONLY;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> forbidden;

    Rights(String... forbidden) {
        this.forbidden = List.of(forbidden);
    }

    /** Before a change of anything but user part, display name and parameters. */
    void checkWhole() {
        if (this != FREE && this != PARTY) {
            throw new IllegalStateException("this part of the value is managed by the container");
        }
    }

    /** Before a change of the user part or the display name. */
    void checkUser() {
        if (this != FREE && this != CONTACT && this != PARTY) {
            throw new IllegalStateException("this value is managed by the container");
        }
    }

    /** Before a change of a parameter of the header field value (not of its URI). */
    void checkParameter(String name) {
        checkUser();
        if (this == PARTY && Ascii.equalsIgnoreCase(name, "tag")) {
            throw new IllegalStateException("the tag is the container's");
        }
    }

    /** Before a change of a URI parameter. */
    void checkUriParameter(String name) {
        if (this == READ_ONLY) {
            throw new IllegalStateException("this value is managed by the container");
        }
        for (int i = 0; i < forbidden.size(); i++) {
            String taken = forbidden.get(i);
            if (Ascii.equalsIgnoreCase(taken, name)) {
                throw new IllegalArgumentException(
                        "URI parameter " + taken + " is the container's here");
            }
        }
    }
}
