package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Program;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes responses and ACKs around a call as a program says: true in all that it does not change.
 * Where a {@value #COUNT} stands each copy of a message has a number. Stateless.
 */
final class StrayMessages {
    /** Stands where copies of a message differ. */
    static final char COUNT = 1;

    /** Whom nobody of the call has to do with. */
    static final String THIRD = "10.0.0.9";

    private static final int[] STATUS = {
        200, 183, 180, 100, 199, 202, 302, 401, 408, 481, 486, 487, 491, 500, 503, 603
    };

    /**
     * A message and what it is to the server.
     *
     * @param asked an answer to a request of the server's own
     * @param routed as somebody of the call, through a proxy that gave it a route, or to where the
     *     call leads: it may go on
     * @param leadsAway such an answer that names somebody else as its Contact or in a route
     */
    record Made(String text, boolean asked, boolean routed, boolean leadsAway) {
        /** As it is sent, the copy of that number. */
        byte[] bytes(int number) {
            int at = text.indexOf(COUNT);
            if (at >= 0 && number > 9) {
                return text.replace(Character.toString(COUNT), Integer.toString(number))
                        .getBytes(StandardCharsets.ISO_8859_1);
            }
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            for (; at >= 0; at = text.indexOf(COUNT, at + 1)) {
                bytes[at] = (byte) ('0' + number);
            }
            return bytes;
        }
    }

    private StrayMessages() {}

    // ---- responses ----

    /**
     * A response.
     *
     * @param base that it seems to answer; null: a request that never was
     * @param peer whose dialog it seems to belong to
     */
    static Made response(Program program, @Nullable SipRequest base, CallPeer peer) {
        int status = STATUS[program.next(STATUS.length)];
        StringBuilder text = new StringBuilder(800);
        text.append("SIP/2.0 ").append(status).append(" X\r\n");
        int via = program.next(8);
        vias(text, via, base);
        int routes = program.next(5);
        recordRoutes(text, routes, base);
        text.append("From: ").append(from(program.next(8), base, peer));
        text.append("\r\nTo: ").append(to(program.next(8), base, peer)).append("\r\nCall-ID: ");
        text.append(
                program.next(8) == 7
                        ? "made" + COUNT
                        : base == null ? peer.callId() : base.callId());
        String method = base == null ? "INVITE" : base.method();
        String said = program.next(8) < 5 ? method : program.next("INVITE", "BYE", "INFO", "ACK");
        text.append("\r\nCSeq: ").append(number(program, base, peer)).append(' ').append(said);
        text.append("\r\n");
        int contacts = program.next(8);
        contacts(text, contacts, peer);
        text.append(program.next("", "", "Require: 100rel\r\nRSeq: 1\r\n", "RSeq: 7\r\n"));
        body(text, program.next(4));
        boolean matches = base != null && (via == 0 || via == 4) && said.equals(method);
        boolean away = routes >= 2 || (contacts >= 2 && contacts != 5 && contacts != 7);
        return new Made(text.toString(), matches, false, matches && away);
    }

    private static void vias(StringBuilder text, int kind, @Nullable SipRequest base) {
        List<String> given = base == null ? List.of() : base.headers(HeaderName.VIA);
        String top = "SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bKmade" + COUNT;
        if (!given.isEmpty()) {
            String own = given.getFirst();
            top =
                    switch (kind) {
                        case 0, 4 -> own;
                        case 1 -> longer(own);
                        case 5 -> own.replace("10.0.0.1", THIRD);
                        default -> top;
                    };
        }
        if (kind == 6) {
            top = "SIP/2.0/UDP 10.0.0.1;branch=1";
        } else if (kind == 7) {
            top = "SIP/2.0/TCP 10.0.0.1;branch=z9hG4bKmade;maddr=" + THIRD;
        }
        text.append("Via: ").append(top).append("\r\n");
        if (kind == 3 || kind == 4) {
            text.append("Via: SIP/2.0/UDP ").append(THIRD).append(";branch=z9hG4bKthird\r\n");
        } else if (kind < 2) {
            for (int i = 1; i < given.size(); i++) {
                text.append("Via: ").append(given.get(i)).append("\r\n");
            }
        }
    }

    /** The same with more at the end of its branch. */
    private static String longer(String via) {
        int end = via.indexOf(';', via.indexOf(";branch=") + 1);
        int at = end < 0 ? via.length() : end;
        return via.substring(0, at) + "x" + COUNT + via.substring(at);
    }

    private static void recordRoutes(StringBuilder text, int kind, @Nullable SipRequest base) {
        if (base != null && kind != 1) {
            CallPeer.copy(text, "Record-Route", base, HeaderName.RECORD_ROUTE);
        }
        String third = "Record-Route: <sip:" + THIRD + ";lr>\r\n";
        switch (kind) {
            case 2 -> text.append(third);
            case 3 ->
                    text.append("Record-Route: <sip:10.0.0.1;lr;crl=crln0aaaa>\r\n").append(third);
            case 4 -> text.repeat(third, 8);
            default -> {}
        }
    }

    private static String from(int kind, @Nullable SipRequest base, CallPeer peer) {
        String given = base == null ? peer.remote() : String.valueOf(base.header(HeaderName.FROM));
        return kind == 7 ? "<sip:made@10.0.0.1>;tag=made" : given;
    }

    private static String to(int kind, @Nullable SipRequest base, CallPeer peer) {
        String given = base == null ? peer.local() : String.valueOf(base.header(HeaderName.TO));
        int tag = given.indexOf(";tag=");
        String bare = tag < 0 ? given : given.substring(0, tag);
        return switch (kind) {
            case 0, 1, 2 -> tag < 0 ? given + ";tag=" + peer.name : given;
            case 3 -> bare;
            case 4 -> bare + ";tag=made";
            case 5 -> bare + ";tag=" + "long".repeat(50) + COUNT;
            default -> bare + ";tag=fork" + COUNT;
        };
    }

    private static String number(Program program, @Nullable SipRequest base, CallPeer peer) {
        long given = base == null ? peer.cseq() : base.cseqNumber();
        return switch (program.next(8)) {
            case 5 -> Long.toString(given + 1);
            case 6 -> "0";
            case 7 -> "2147483647";
            default -> Long.toString(given);
        };
    }

    private static void contacts(StringBuilder text, int kind, CallPeer peer) {
        String third = "Contact: <sip:third@" + THIRD + ">\r\n";
        switch (kind) {
            case 0, 1 -> text.append(peer.contact());
            case 2, 3 -> text.append(third);
            case 4 -> text.append("Contact: <sip:third@" + THIRD + ";transport=tcp>\r\n");
            case 5 -> text.append("Contact: <sip:10.0.0.1>\r\n");
            case 6 -> text.repeat(third, 3);
            default -> {}
        }
    }

    private static void body(StringBuilder text, int kind) {
        int length = kind == 2 ? 600 : kind == 3 ? 6_000 : 0;
        text.append("Content-Length: ").append(length).append("\r\n\r\n").repeat('b', length);
    }

    // ---- ACK ----

    /**
     * An ACK as from that peer.
     *
     * @param ledAway an answer of the call has named somebody else
     */
    static Made ack(Program program, CallPeer peer, boolean ledAway) {
        StringBuilder text = new StringBuilder(600);
        String target =
                program.next(
                        peer.target(),
                        peer.target(),
                        "sip:third@" + THIRD,
                        "sip:third@" + THIRD + ";transport=tcp",
                        "sip:10.0.0.1",
                        "sip:b@10.0.0.1;lr");
        text.append("ACK ").append(target).append(" SIP/2.0\r\nVia: SIP/2.0/UDP ");
        text.append(program.next(peer.host, peer.host, THIRD, THIRD + ";maddr=" + THIRD));
        text.append(";branch=z9hG4bK");
        text.append(program.next("ack" + COUNT, "ack", peer.name + "0")).append("\r\n");
        text.append(program.next("Max-Forwards: 70\r\n", "Max-Forwards: 0\r\n", ""));
        int kind = program.next(8);
        routes(text, kind, peer);
        int identity = program.next(8);
        identity(text, identity, peer);
        int number =
                switch (program.next(8)) {
                    case 5 -> peer.cseq() + 1;
                    case 6 -> 1;
                    case 7 -> Integer.MAX_VALUE;
                    default -> peer.cseq();
                };
        text.append("CSeq: ").append(number).append(program.next(8) == 7 ? " INVITE" : " ACK");
        text.append("\r\n");
        body(text, program.next(4));
        boolean byRoute = !peer.routes().isEmpty() && (kind < 2 || kind == 4 || identity < 5);
        // With the tags of the dialog, to where the dialog leads.
        boolean byTags = identity < 5 && (ledAway || leadsOn(target, peer));
        boolean routed = byRoute || byTags;
        return new Made(text.toString(), false, routed, false);
    }

    /** To its target, or to us under whatever user, who know it. */
    private static boolean leadsOn(String target, CallPeer peer) {
        return target.equals(peer.target())
                || target.startsWith("sip:10.0.0.1")
                || target.startsWith("sip:b@10.0.0.1");
    }

    private static void routes(StringBuilder text, int kind, CallPeer peer) {
        List<String> own = peer.routes();
        if (kind < 2 || kind == 4) {
            own.forEach(route -> text.append("Route: ").append(route).append("\r\n"));
        }
        switch (kind) {
            case 3 -> text.append("Route: <sip:10.0.0.1;lr;crl=crln0aaaaaaaaaaaaaaaaaa>\r\n");
            case 5 -> text.append("Route: <sip:10.0.0.1;lr>\r\n");
            case 6 ->
                    own.forEach(
                            route -> text.append("Route: ").append(other(route)).append("\r\n"));
            default -> {}
        }
        if (kind == 4 || kind == 7) {
            text.append("Route: <sip:").append(THIRD).append(";lr>\r\n");
        }
    }

    /** The same route of ours with another token. */
    private static String other(String route) {
        int token = route.indexOf("crl=");
        int at = token + 12;
        if (token < 0 || at >= route.length() - 1) {
            return route;
        }
        char changed = route.charAt(at) == 'a' ? 'b' : 'a';
        return route.substring(0, at) + changed + route.substring(at + 1);
    }

    private static void identity(StringBuilder text, int kind, CallPeer peer) {
        String from = kind == 4 ? peer.remote() : peer.local();
        String to = kind == 4 ? peer.local() : peer.remote();
        if (kind == 5) {
            from = "<sip:made@10.0.0.9>;tag=made" + COUNT;
        } else if (kind == 6) {
            to = to.replace(";tag=", ";tag=x");
        }
        text.append("From: ").append(from).append("\r\nTo: ").append(to).append("\r\nCall-ID: ");
        text.append(kind == 7 ? "made" + COUNT : peer.callId()).append("\r\n");
    }
}
