package io.carillon.it.failover;

import java.util.Locale;

/** What serves a call: the example application of that name. */
enum Kind {
    UAS,
    B2BUA,
    PROXY;

    /** Its application, which is also the user that is called. */
    String application() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Is there a phone at the other end? */
    boolean hasCallee() {
        return this != UAS;
    }

    /**
     * By the name of the application.
     *
     * @throws IllegalArgumentException where there is none
     */
    static Kind of(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT));
    }
}
