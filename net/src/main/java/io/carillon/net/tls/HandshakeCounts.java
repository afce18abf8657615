package io.carillon.net.tls;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Handshakes by side and outcome. Any thread. */
final class HandshakeCounts {

    private final LongAdder[] accepted = adders();
    private final LongAdder[] opened = adders();

    private static LongAdder[] adders() {
        LongAdder[] all = new LongAdder[HandshakeOutcome.values().length];
        for (int i = 0; i < all.length; i++) {
            all[i] = new LongAdder();
        }
        return all;
    }

    /**
     * @param server were we the server of it
     */
    void count(boolean server, HandshakeOutcome outcome) {
        (server ? accepted : opened)[outcome.ordinal()].increment();
    }

    long get(boolean server, HandshakeOutcome outcome) {
        return (server ? accepted : opened)[outcome.ordinal()].sum();
    }

    /** By name: {@code handshakes_accepted_ok}, {@code handshakes_opened_wrong_name}, ... */
    Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>();
        for (HandshakeOutcome outcome : HandshakeOutcome.values()) {
            all.put("handshakes_accepted_" + outcome.text(), get(true, outcome));
            all.put("handshakes_opened_" + outcome.text(), get(false, outcome));
        }
        return all;
    }
}
