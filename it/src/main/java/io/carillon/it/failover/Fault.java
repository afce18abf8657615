package io.carillon.it.failover;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What befalls a node, or the wire. */
enum Fault {
    /** SIGKILL. */
    KILL(1, 0, 2),
    /** SIGSTOP, and SIGCONT later. */
    STOP(2, 20, 8),
    /** Nothing reaches the node and nothing of it reaches anybody; nobody is told. */
    CUT(2, 20, 8),
    /** The node hears nothing, and is heard. */
    DEAF(2, 20, 8),
    /** The node hears all, and nobody hears it. */
    MUTE(2, 20, 8),
    /** Two nodes do not hear each other; both hear the third. */
    BETWEEN(2, 20, 8),
    /** No node hears another, nor the router. */
    ISOLATED(2, 10, 8),
    /** Cut for 3 s and there for 3 s, again and again. */
    FLAP(2, 120, 8);

    private static final long LEASE_MILLIS = 1_500;

    private final int line;
    private final int usualSeconds;
    private final int withinSeconds;

    Fault(int line, int usualSeconds, int withinSeconds) {
        this.line = line;
        this.usualSeconds = usualSeconds;
        this.withinSeconds = withinSeconds;
    }

    /** The line of the table that it is for. */
    int line() {
        return line;
    }

    /** How long it lasts, where nobody says it. */
    int usualSeconds() {
        return usualSeconds;
    }

    /** So long after its begin another is in the place of the node. */
    long withinNanos(int lasts) {
        return TimeUnit.SECONDS.toNanos(this == ISOLATED ? lasts + withinSeconds : withinSeconds);
    }

    /** Does the node lose what it has, so that another goes on with it? */
    boolean moves() {
        return this != BETWEEN && this != ISOLATED;
    }

    /** So long behind its begin the node may still act, as its lease goes on. */
    long actsMillis() {
        return needsWire() ? LEASE_MILLIS : 0;
    }

    boolean needsWire() {
        return this != KILL && this != STOP;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String all() {
        return Arrays.stream(values()).map(Fault::text).collect(Collectors.joining(", "));
    }

    /**
     * By its name.
     *
     * @throws IllegalArgumentException where there is none
     */
    static Fault of(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT));
    }
}
