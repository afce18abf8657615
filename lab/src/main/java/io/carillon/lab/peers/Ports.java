package io.carillon.lab.peers;

/**
 * Where each part of a comparison listens on 127.0.0.1, counted from one number, so that two
 * comparisons, or a server that is there already, do not meet.
 *
 * @param base Carillon's port, UDP and TCP
 */
public record Ports(int base) {
    /** Farthest port from the base that is used. */
    public static final int SPAN = 50;

    /** The ports that the other benchmarks use. */
    public static final int USUAL = 5060;

    public Ports {
        if (base < 1024 || base > 65_535 - SPAN) {
            throw new IllegalArgumentException(
                    "--ports must be from 1024 to " + (65_535 - SPAN) + ", not " + base);
        }
    }

    /** How far they are above the usual ones, which may be negative. */
    public int above() {
        return base - USUAL;
    }

    int carillon() {
        return base;
    }

    int kamailio() {
        return base + 2;
    }

    int baseline() {
        return base + 4;
    }

    int relay() {
        return base + 6;
    }

    /** And the next one, where Liberty wants to have TLS. */
    int liberty() {
        return base + 8;
    }

    public int callee() {
        return base + 11;
    }

    int restcomm() {
        return base + 14;
    }

    /** Carillons in a mode of their own: any two of them may meet, so each has its port. */
    int declared(int number) {
        return base + 16 + 2 * number;
    }

    public int caller() {
        return base + 21;
    }

    public int probeCallee() {
        return base + 31;
    }

    public int probeCaller() {
        return base + 41;
    }
}
