package io.carillon.it.failover;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What serves a call: the example application of that name, or the trial's own. */
enum Kind {
    UAS,
    B2BUA,
    PROXY,
    /** A proxy without Record-Route: established calls are the phones' own. */
    DIRECT,
    /** A user agent with timers of the application. */
    TIMERS,
    /**
     * A user agent whose calls share application sessions by a key ({@code @SipApplicationKey}).
     */
    KEYED,
    /** The application calls the phone. */
    UAC,
    /** The phone subscribes, and is notified. */
    SUBSCRIPTION;

    /** The application whose archive the trial itself packs. */
    static final String TRIAL = "trial";

    /** Its application. */
    String application() {
        return isExample() ? user() : TRIAL;
    }

    boolean isExample() {
        return this == UAS || this == B2BUA || this == PROXY;
    }

    /** The user that is called. */
    String user() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Is there a phone at the other end? */
    boolean hasCallee() {
        return this == B2BUA || this == PROXY || this == DIRECT;
    }

    /** Does the application ring for long where the call is to ring? */
    boolean ringsItself() {
        return this == UAS;
    }

    /** Does an established call live in the cluster? */
    boolean staysInside() {
        return this != DIRECT;
    }

    /** Does the application send a request of its own when it is asked? */
    boolean doesAsAsked() {
        return this == TIMERS || this == KEYED || this == UAC;
    }

    static String all() {
        return Arrays.stream(values()).map(Kind::user).collect(Collectors.joining(","));
    }

    /**
     * By its name.
     *
     * @throws IllegalArgumentException where there is none
     */
    static Kind of(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT));
    }
}
