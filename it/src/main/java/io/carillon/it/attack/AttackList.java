package io.carillon.it.attack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** All attacks, in the order of the checklist. */
final class AttackList {
    /** As many sources as if their addresses were forged. */
    private static final int FORGED = 250;

    /** A 2xx without ACK is given up by a BYE, which is given up when nobody answers it. */
    private static final int TWICE_64_T1_SECONDS = 64;

    private static final List<String> METHODS =
            List.of("REGISTER", "SUBSCRIBE", "PUBLISH", "OPTIONS", "MESSAGE", "INVITE");

    private AttackList() {}

    /**
     * @param rate messages a second of a flood
     */
    static List<Attack> all(int rate) {
        List<Attack> all = new ArrayList<>();
        messages(all, rate);
        streams(all, rate);
        floods(all, rate);
        busy(all);
        WireAttacks.addTo(all, rate);
        // A stable sort: within a line of the checklist the order stays.
        all.sort(Comparator.comparing(one -> one.id().substring(0, 3)));
        return all;
    }

    private static void messages(List<Attack> all, int rate) {
        all.add(
                new DatagramFlood(
                        "A02-one",
                        "malformed requests, one source",
                        rate,
                        1,
                        AttackTexts.malformed()));
        all.add(
                new DatagramFlood(
                        "A02-forged",
                        "malformed requests, 250 sources",
                        rate,
                        FORGED,
                        AttackTexts.malformed()));
        all.add(
                new DatagramFlood(
                        "A05", "400 headers, 5,000 values", 200, FORGED, AttackTexts.large()));
        all.add(
                new DatagramFlood(
                        "A07", "multipart bodies", rate / 10, FORGED, AttackTexts.multipart()));
        all.add(
                new DatagramFlood(
                        "A10", "60 kB of one character", 100, FORGED, AttackTexts.longFields()));
    }

    private static void streams(List<Attack> all, int rate) {
        all.add(flood("A11", "lengths that lie", 500, 1, false, AttackTexts.lengths()));
        all.add(
                held(
                        "A12-endless",
                        "headers without an end",
                        200,
                        AttackTexts.stream("OPTIONS", "").replace("Content-Length: 0\n\n", ""),
                        20,
                        "X-More: " + "x".repeat(1_000) + "\n"));
        all.add(
                held(
                        "A12-slow",
                        "a byte a second",
                        2_000,
                        "OPTIONS sip:a@b SIP/2.0\nVia: ",
                        1_000,
                        "x"));
        all.add(
                flood(
                        "A13-junk",
                        "HTTP and TLS on the SIP port",
                        500,
                        1,
                        false,
                        List.of("GET / HTTP/1.1\nHost: x\n\n", "\u0016\u0003\u0001\u0002hello")));
        all.add(
                flood(
                        "A13-pings",
                        "CRLF pings, eight at a time",
                        rate,
                        0,
                        false,
                        List.of("\n\n\n\n".repeat(4))));
        all.add(held("A15-silent", "silent connections", 5_000, "", 0, ""));
        all.add(
                held(
                        "A15-half",
                        "half a message of 30 kB",
                        2_000,
                        "OPTIONS sip:a@b SIP/2.0\nSubject: "
                                + "x".repeat(15_000)
                                + "\n "
                                + "y".repeat(15_000),
                        0,
                        ""));
        all.add(
                held(
                        "A15-deaf",
                        "requests whose answers nobody reads",
                        200,
                        "",
                        50,
                        AttackTexts.stream("OPTIONS", "").repeat(5)));
        all.add(
                flood(
                        "A16-reset",
                        "20 INVITEs and a reset",
                        2_000,
                        20,
                        true,
                        List.of(AttackTexts.stream("INVITE", ""))));
        all.add(flood("A16-connect", "connections closed at once", 2_000, 1, false, List.of("")));
    }

    private static void busy(List<Attack> all) {
        all.add(
                new BusyCalls(
                        "A41-acks",
                        "56 kB ACKs of a call whose handler sleeps",
                        BusyCalls.Kind.ACKS,
                        1));
        all.add(
                new BusyCalls(
                        "A41-acks-many",
                        "56 kB ACKs of 200 calls whose handlers sleep",
                        BusyCalls.Kind.ACKS,
                        200));
        all.add(
                new BusyCalls(
                        "A41-ringing",
                        "56 kB 180s to a call whose handler sleeps",
                        BusyCalls.Kind.RINGING,
                        1));
    }

    /** On plain TCP. */
    private static Attack flood(
            String id,
            String what,
            int perSecond,
            int messages,
            boolean reset,
            List<String> texts) {
        List<Template> templates = texts.stream().map(Template::new).toList();
        return new StreamFlood(
                id, what, Door.SIP, new byte[0], perSecond, messages, reset, templates);
    }

    private static Attack held(
            String id, String what, int connections, String first, int millis, String trickle) {
        return new HeldConnections(
                id, what, Door.SIP, connections, wire(first), millis, wire(trickle));
    }

    private static byte[] wire(String text) {
        return Frames.bytes(text.replace("\n", "\r\n"));
    }

    private static void floods(List<Attack> all, int rate) {
        for (String method : METHODS) {
            all.add(
                    new DatagramFlood(
                            "A17-" + method.toLowerCase(Locale.ROOT),
                            method + ", one source",
                            2 * rate,
                            1,
                            List.of(AttackTexts.request(method, ""))));
        }
        all.add(
                new DatagramFlood(
                        "A17-forged",
                        "all methods, 250 sources",
                        rate,
                        FORGED,
                        METHODS.stream().map(m -> AttackTexts.request(m, "")).toList()));
        all.add(
                flood(
                        "A17-tcp",
                        "OPTIONS on connections",
                        2 * rate,
                        0,
                        false,
                        List.of(AttackTexts.stream("OPTIONS", ""))));
        all.add(
                new DatagramFlood(
                        "A18",
                        "INVITEs whose 200 gets no ACK",
                        200,
                        FORGED,
                        List.of(AttackTexts.request("INVITE", ""))));
        all.add(
                new DatagramFlood(
                        "A18-share",
                        "the same from one source within its rate",
                        3 * rate / 10,
                        1,
                        List.of(AttackTexts.request("INVITE", "")),
                        TWICE_64_T1_SECONDS));
        forks(all, rate);
        all.add(
                new DatagramFlood(
                        "A19",
                        "Call-IDs of one hash code",
                        rate / 2,
                        FORGED,
                        AttackTexts.collisions()));
        all.add(
                new DatagramFlood(
                        "A32", "guessed tags and branches", rate, FORGED, AttackTexts.guesses()));
        strays(all, rate);
        all.add(
                new DatagramFlood(
                        "A40",
                        "a scanner that names itself",
                        rate,
                        1,
                        METHODS.stream().map(AttackTexts::scanner).toList()));
    }

    private static void strays(List<Attack> all, int rate) {
        all.add(
                new StrayAnswers(
                        "A33-stray",
                        "200s that nobody asked for, to a third party",
                        rate / 10,
                        StrayAnswers.Kind.PLAIN));
        all.add(
                new StrayAnswers(
                        "A33-stray-tcp",
                        "the same, to a third party by TCP",
                        rate / 10,
                        StrayAnswers.Kind.CONNECTION));
        all.add(
                new StrayAnswers(
                        "A33-stray-dialog",
                        "the same, in the name of a call that goes on",
                        rate / 10,
                        StrayAnswers.Kind.DIALOG));
    }

    private static void forks(List<Attack> all, int rate) {
        all.add(
                new MadeUpForks(
                        "A34-forks", "20,000 To tags to one proxied INVITE", 4 * rate / 10, 0));
        all.add(new MadeUpForks("A34-forks-large", "the same, responses of 7 kB", rate / 5, 6_500));
    }
}
