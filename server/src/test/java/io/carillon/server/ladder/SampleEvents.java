package io.carillon.server.ladder;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Events as a reader gives them. */
final class SampleEvents {
    static final long BEGAN = 1_700_000_000_123_456L;

    private SampleEvents() {}

    static TraceEvent received(
            long sequence, long after, String leg, String text, String transport, String remote) {
        return message(sequence, after, leg, text, transport, remote, true, false);
    }

    static TraceEvent message(
            long sequence,
            long after,
            String leg,
            String text,
            String transport,
            String remote,
            boolean received,
            boolean again) {
        String local = remote.startsWith("[") ? "[2001:db8::5]:5060" : "10.0.0.1:5060";
        return new TraceEvent(
                sequence,
                TraceEvent.time(BEGAN + after),
                leg,
                TraceEvent.Message.of(
                        received,
                        again,
                        transport,
                        local,
                        remote,
                        false,
                        text.getBytes(StandardCharsets.UTF_8)),
                null,
                null);
    }

    static String request(String method, String more) {
        return method
                + " sip:bob@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK1\r\nCSeq: 1 "
                + method
                + "\r\n"
                + more
                + "\r\n";
    }

    static String response(int status, String reason, String method) {
        return "SIP/2.0 " + status + " " + reason + "\r\nCSeq: 1 " + method + "\r\n\r\n";
    }

    /** A call of two legs with one event of each kind. */
    static CallTrace call() {
        String sdp = "Content-Type: application/sdp\r\n";
        return new CallTrace(
                "leg-one",
                List.of("leg-one", "leg-two"),
                List.of("session-1"),
                "node1",
                false,
                List.of(
                        received(1, 0, "leg-one", request("INVITE", sdp), "UDP", "10.0.1.1:5060"),
                        new TraceEvent(
                                3,
                                TraceEvent.time(BEGAN + 100),
                                "leg-one",
                                null,
                                new TraceEvent.Handler(
                                        "relay", "relay", "INVITE", 420, 100L, false),
                                null),
                        message(
                                2,
                                300,
                                "leg-two",
                                request("INVITE", sdp),
                                "TLS",
                                "10.0.1.2:5060",
                                false,
                                false),
                        message(
                                4,
                                20_000,
                                "leg-two",
                                response(180, "Ringing", "INVITE"),
                                "TLS",
                                "10.0.1.2:5060",
                                true,
                                false),
                        message(
                                5,
                                500_000,
                                "leg-one",
                                request("BYE", ""),
                                "UDP",
                                "10.0.1.1:5060",
                                false,
                                false),
                        message(
                                6,
                                1_004_000,
                                "leg-one",
                                request("BYE", ""),
                                "UDP",
                                "10.0.1.1:5060",
                                false,
                                true),
                        new TraceEvent(
                                7,
                                TraceEvent.time(BEGAN + 32_500_000),
                                "leg-one",
                                null,
                                null,
                                new TraceEvent.Note(
                                        "client_timeouts", "BYE", "10.0.1.1:5060", ""))));
    }
}
