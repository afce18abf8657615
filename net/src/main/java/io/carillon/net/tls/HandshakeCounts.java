package io.carillon.net.tls;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Handshakes by side and outcome. Any thread. */
final class HandshakeCounts {

    private final Map<HandshakeOutcome, LongAdder> accepted = adders();
    private final Map<HandshakeOutcome, LongAdder> opened = adders();

    private static Map<HandshakeOutcome, LongAdder> adders() {
        Map<HandshakeOutcome, LongAdder> all = new EnumMap<>(HandshakeOutcome.class);
        for (HandshakeOutcome outcome : HandshakeOutcome.values()) {
            all.put(outcome, new LongAdder());
        }
        return Collections.unmodifiableMap(all);
    }

    private LongAdder of(boolean server, HandshakeOutcome outcome) {
        return Objects.requireNonNull((server ? accepted : opened).get(outcome));
    }

    /**
     * @param server were we the server of it
     */
    void count(boolean server, HandshakeOutcome outcome) {
        of(server, outcome).increment();
    }

    long get(boolean server, HandshakeOutcome outcome) {
        return of(server, outcome).sum();
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
