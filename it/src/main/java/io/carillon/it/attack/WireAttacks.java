package io.carillon.it.attack;

import java.util.List;

/** Attacks on TLS, WebSocket and HTTP. */
final class WireAttacks {
    private static final String CHUNK = "1\r\nx\r\n";

    private static final byte[] NONE = {};

    /** As many sources as if a botnet came. */
    private static final int MANY = 250;

    private WireAttacks() {}

    static void addTo(List<Attack> all, int rate) {
        tls(all, rate);
        webSocket(all, rate);
        http(all, rate);
    }

    private static void tls(List<Attack> all, int rate) {
        byte[] hello = TlsPipe.clientHello("TLSv1.3");
        List<Template> options = List.of(new Template(secure("OPTIONS", "TLS")));
        all.add(
                new StreamFlood(
                        "A13-tls-junk",
                        "SIP, HTTP and lying records on the TLS port",
                        Door.TLS,
                        NONE,
                        500,
                        1,
                        false,
                        junk(hello)));
        all.add(held("A15-tls-silent", "silent connections", Door.TLS, 5_000, NONE, 0, NONE));
        all.add(
                held(
                        "A15-tls-hello",
                        "ClientHello and nothing more",
                        Door.TLS,
                        2_000,
                        hello,
                        0,
                        NONE));
        all.add(
                new SecureFlood(
                        "A15-tls-deaf",
                        "requests whose answers nobody reads",
                        Door.TLS,
                        rate,
                        100,
                        SecureFlood.Conduct.DEAF,
                        options));
        all.add(
                new StreamFlood(
                        "A16-tls-reset",
                        "ClientHello and a reset",
                        Door.TLS,
                        NONE,
                        1_000,
                        1,
                        true,
                        List.of(new Template(hello))));
        all.add(
                new SecureFlood(
                        "A17-tls",
                        "OPTIONS on a connection",
                        Door.TLS,
                        2 * rate,
                        5,
                        SecureFlood.Conduct.TALK,
                        options));
        handshakes(all);
    }

    private static void handshakes(List<Attack> all) {
        all.add(
                new SecureFlood(
                        "A36-handshakes",
                        "full handshakes, one source",
                        Door.TLS,
                        1_000,
                        1,
                        SecureFlood.Conduct.CLOSE,
                        List.of()));
        all.add(
                new SecureFlood(
                        "A36-handshakes-many",
                        "full handshakes, 250 sources",
                        Door.TLS,
                        1_000,
                        MANY,
                        SecureFlood.Conduct.CLOSE,
                        List.of()));
        all.add(
                new SecureFlood(
                        "A36-renegotiate",
                        "TLS 1.2, a second handshake on each connection",
                        Door.TLS,
                        200,
                        5,
                        SecureFlood.Conduct.AGAIN,
                        List.of()));
        all.add(
                new SecureFlood(
                        "A36-wss-silent",
                        "TLS, and then no upgrade",
                        Door.WSS,
                        200,
                        MANY,
                        SecureFlood.Conduct.HOLD,
                        List.of()));
    }

    /** What is no handshake. */
    private static List<Template> junk(byte[] hello) {
        byte[] cut = hello.clone();
        cut[3] = (byte) 0x7F;
        byte[] typed = hello.clone();
        typed[0] = 0x17;
        byte[] noHello = hello.clone();
        noHello[5] = 0x0E;
        return List.of(
                new Template(AttackTexts.stream("OPTIONS", "")),
                new Template("GET / HTTP/1.1\nHost: x\n\n"),
                new Template(cut),
                new Template(typed),
                new Template(noHello),
                new Template(new byte[] {0x15, 3, 3, 0, 2, 2, 40}),
                new Template(new byte[20_000]));
    }

    private static void webSocket(List<Attack> all, int rate) {
        all.add(
                frames(
                        "A14-upgrades",
                        "upgrades that are closed",
                        1_000,
                        1,
                        List.of(Frames.ping()),
                        true));
        all.add(
                new StreamFlood(
                        "A14-refused",
                        "upgrades that have to be refused",
                        Door.WS,
                        NONE,
                        500,
                        1,
                        false,
                        Frames.refused()));
        all.add(
                held(
                        "A14-half",
                        "half an upgrade of 12 kB",
                        Door.WS,
                        5_000,
                        Frames.halfUpgrade(),
                        0,
                        NONE));
        all.add(
                held(
                        "A14-slow",
                        "an upgrade, a byte a second",
                        Door.WS,
                        2_000,
                        Frames.bytes("GET / HTTP/1.1\r\nX: "),
                        1_000,
                        Frames.bytes("x")));
        all.add(frames("A14-wrong", "frames that break a rule", 500, 1, Frames.wrong(), false));
        all.add(
                new StreamFlood(
                        "A14-fragments",
                        "500 fragments of a byte or none at a time",
                        Door.WS,
                        Frames.upgradeAndBegin(),
                        rate / 10,
                        0,
                        false,
                        Frames.fragments()));
        all.add(
                new StreamFlood(
                        "A14-empty",
                        "10,000 fragments without a byte at a time",
                        Door.WS,
                        Frames.upgradeAndBegin(),
                        rate,
                        0,
                        false,
                        List.of(Frames.emptyFragments())));
        all.add(
                frames(
                        "A14-nothing",
                        "empty texts, line breaks and pongs, 1,000 at a time",
                        rate,
                        0,
                        Frames.nothing(),
                        false));
        all.add(frames("A14-pings", "pings of 125 bytes", rate, 0, List.of(Frames.ping()), false));
        all.add(
                held(
                        "A15-ws-deaf",
                        "requests whose answers nobody reads",
                        Door.WS,
                        200,
                        Frames.upgrade(),
                        50,
                        Frames.message(secure("OPTIONS", "WS")).next(1)));
        all.add(
                frames(
                        "A17-ws",
                        "OPTIONS in frames",
                        2 * rate,
                        0,
                        List.of(Frames.message(secure("OPTIONS", "WS"))),
                        false));
    }

    /** On connections that were upgraded. */
    private static Attack frames(
            String id,
            String what,
            int perSecond,
            int messages,
            List<Template> templates,
            boolean reset) {
        return new StreamFlood(
                id, what, Door.WS, Frames.upgrade(), perSecond, messages, reset, templates);
    }

    private static void http(List<Attack> all, int rate) {
        all.add(
                held(
                        "A37-slow-head",
                        "HTTP, a head of a byte a second",
                        Door.HTTP,
                        2_000,
                        Frames.bytes("GET /status HTTP/1.1\r\nX: "),
                        1_000,
                        Frames.bytes("x")));
        all.add(
                held(
                        "A37-slow-body",
                        "HTTP, a body of a byte a second",
                        Door.HTTP,
                        500,
                        Frames.bytes(
                                "POST /status HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n"),
                        1_000,
                        Frames.bytes("x")));
        bodies(all, "nothing", "Content-Length: 1500\r\n\r\n", 500, "");
        bodies(all, "a byte in nine seconds", "Content-Length: 1500\r\n\r\n{", 9_000, "x");
        bodies(all, "chunks, a byte each", "Transfer-Encoding: chunked\r\n\r\n", 9_000, CHUNK);
        bodies(all, "asked for", "Content-Length: 1500\r\nExpect: 100-continue\r\n\r\n", 500, "");
        all.add(
                new StreamFlood(
                        "A37-visitors",
                        "HTTP, visitors without a cookie, a session each",
                        Door.HTTP,
                        NONE,
                        3 * rate / 10,
                        0,
                        false,
                        List.of(
                                Frames.raw(
                                        "GET /"
                                                + Prey.NAME
                                                + "/visit HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))) {
                    @Override
                    int outlivesSeconds() {
                        return Prey.SESSION_SECONDS;
                    }
                });
        all.add(
                new StreamFlood(
                        "A37-flood",
                        "HTTP, requests of a page that is not there",
                        Door.HTTP,
                        NONE,
                        rate / 2,
                        0,
                        false,
                        List.of(
                                Frames.raw(
                                        "GET /########/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))));
    }

    /** More of them than {@code http.max-threads}, for a servlet that reads what it is sent. */
    private static void bodies(
            List<Attack> all, String what, String begin, int trickleMillis, String trickle) {
        all.add(
                held(
                        "A37-body-" + what.replaceFirst("^an? ", "").replaceFirst("\\W.*", ""),
                        "HTTP, 200 bodies at a time of which comes: " + what,
                        Door.HTTP,
                        200,
                        Frames.bytes(
                                "POST /click-to-call/calls HTTP/1.1\r\nHost: localhost\r\n"
                                        + "Content-Type: application/json\r\n"
                                        + begin),
                        trickleMillis,
                        Frames.bytes(trickle)));
    }

    private static Attack held(
            String id,
            String what,
            Door door,
            int connections,
            byte[] first,
            int millis,
            byte[] trickle) {
        return new HeldConnections(id, what, door, connections, first, millis, trickle);
    }

    private static String secure(String method, String transport) {
        return AttackTexts.stream(method, "").replace("SIP/2.0/TCP", "SIP/2.0/" + transport);
    }
}
