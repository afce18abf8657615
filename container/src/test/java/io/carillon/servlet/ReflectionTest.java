package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.token.ShardToken;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a stranger sends that belongs to nothing: a third party, whose address stands in it at
 * every place that has one, gets nothing; and the sender gets no more messages than he sent, and
 * little more bytes.
 */
class ReflectionTest {
    /** What the server is. */
    enum Kind {
        USER_AGENT,
        PROXY,
        BACK_TO_BACK;

        SipServlet servlet() {
            return switch (this) {
                case USER_AGENT -> new Manual();
                case PROXY -> new ProxyTest.Forwarder();
                case BACK_TO_BACK -> new Bridge("sip:uas@10.0.0.3:5060");
            };
        }
    }

    private static final String VICTIM = "10.0.0.9:5060";
    private static final String CONTACT_OF_VICTIM = "Contact: <sip:v@" + VICTIM + ">";
    private static final InetSocketAddress STRANGER = SimulatedNetwork.address("10.0.0.8", 5060);
    private static final InetSocketAddress SERVER = SimulatedNetwork.address("10.0.0.1", 5060);
    private static final String[] METHODS = {
        "INVITE",
        "BYE",
        "CANCEL",
        "PRACK",
        "UPDATE",
        "INFO",
        "NOTIFY",
        "REFER",
        "SUBSCRIBE",
        "MESSAGE",
        "OPTIONS",
        "REGISTER",
        "PUBLISH",
        "UNHEARD"
    };
    private static final int[] STATUSES = {
        100, 180, 183, 199, 200, 202, 299, 300, 302, 305, 380, 401, 407, 422, 480, 486, 491, 500,
        503, 600, 603, 699
    };

    /** What an answer has more than its request: a tag, received, rport, a reason. */
    private static final int ADDED = 200;

    private static String addresses() {
        return "Contact: <sip:v@"
                + VICTIM
                + ">\nRecord-Route: <sip:"
                + VICTIM
                + ";lr>\nExpires: 600\nEvent: presence\nRefer-To: <sip:v@"
                + VICTIM
                + ">\nReply-To: <sip:v@"
                + VICTIM
                + ">\nPath: <sip:"
                + VICTIM
                + ";lr>\n";
    }

    private static String message(
            String line, String via, String callId, String cseq, String more) {
        return line
                + "\nVia: SIP/2.0/UDP "
                + via
                + "\nMax-Forwards: 70\nFrom: <sip:v@"
                + VICTIM
                + ">;tag=f\nTo: <sip:v@"
                + VICTIM
                + ">;tag=t\nCall-ID: "
                + callId
                + "\nCSeq: "
                + cseq
                + "\n"
                + more
                + "Content-Length: 0\n\n";
    }

    /** Responses that name us in their only, or their first, Via. */
    private static void responses(Map<String, String> all) {
        for (String method : METHODS) {
            for (int status : STATUSES) {
                String name = status + " " + method;
                String token = "z9hG4bK" + ShardToken.encode(0, 0, name.hashCode());
                String own = "10.0.0.1:5060;branch=" + token;
                String more = addresses() + "RSeq: 1\nRequire: 100rel\n";
                String line = "SIP/2.0 " + status + " x";
                String cseq = "1 " + method;
                all.put(name, message(line, own, "r1-" + name, cseq, more));
                all.put(
                        name + " of a proxy",
                        message(
                                line,
                                own + "\nVia: SIP/2.0/UDP " + VICTIM + ";branch=z9hG4bKv",
                                "r2-" + name,
                                cseq,
                                more));
                all.put(
                        name + " by tcp",
                        message(
                                line,
                                own,
                                "r3-" + name,
                                cseq,
                                more.replace(";lr>", ";lr;transport=tcp>")));
            }
        }
    }

    /** Requests within dialogs that are not there, by every kind of way. */
    private static void requests(Map<String, String> all) {
        String token = ShardToken.encode(0, 0, 77);
        Map<String, String> ways = new LinkedHashMap<>();
        ways.put("", "");
        ways.put(" by a route of ours", "Route: <sip:10.0.0.1:5060;lr>\n");
        ways.put(" by a token", "Route: <sip:10.0.0.1:5060;lr;crl=" + token + ">\n");
        ways.put(
                " by two",
                "Route: <sip:10.0.0.1:5060;lr;crl=" + token + ">, <sip:" + VICTIM + ";lr>\n");
        String[] vias = {
            "10.0.0.8:5060;branch=z9hG4bKa%d",
            VICTIM + ";branch=z9hG4bKb%d",
            VICTIM + ";rport;branch=z9hG4bKc%d",
            VICTIM + ";rport=5060;received=10.0.0.9;branch=z9hG4bKd%d",
            "10.0.0.8:5060;maddr=10.0.0.9;branch=z9hG4bKe%d",
            "10.0.0.8:5060;branch=z9hG4bKf%d\nVia: SIP/2.0/UDP " + VICTIM + ";branch=z9hG4bKg",
            "10.0.0.1:5060;branch=z9hG4bK" + token + "%d",
        };
        int number = 0;
        List<String> methods = new ArrayList<>(List.of(METHODS));
        methods.remove("INVITE"); // with a foreign tag it is the application's: its own test
        methods.add("ACK");
        for (String method : methods) {
            for (Map.Entry<String, String> way : ways.entrySet()) {
                for (String via : vias) {
                    String name = method + way.getKey() + " via " + via;
                    all.put(
                            name,
                            message(
                                    method + " sip:v@" + VICTIM + " SIP/2.0",
                                    via.formatted(number),
                                    "q" + number++,
                                    "1 " + method,
                                    way.getValue() + addresses() + "RAck: 1 1 INVITE\n"));
                }
            }
        }
    }

    private static void malformed(Map<String, String> all) {
        String good =
                message(
                        "INFO sip:v@" + VICTIM + " SIP/2.0",
                        VICTIM + ";branch=z9hG4bKm",
                        "m",
                        "1 INFO",
                        addresses());
        all.put("without CSeq", good.replace("CSeq: 1 INFO\n", ""));
        all.put("wrong CSeq", good.replace("CSeq: 1 INFO", "CSeq: x INFO"));
        all.put("without Call-ID", good.replace("Call-ID: m\n", ""));
        all.put("wrong version", good.replace(" SIP/2.0\n", " SIP/3.0\n"));
        all.put("wrong length", good.replace("Content-Length: 0", "Content-Length: 99"));
        all.put("no request", "HELLO\n\n");
        all.put("a broken 200", message("SIP/2.0 200 OK", "10.0.0.1", "m2", "x INVITE", ""));
    }

    private static byte[] wire(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatBelongsToNothingReachesNobodyElseAndIsAnsweredOnce(Kind kind) {
        Server server = Server.fresh(5).deploy(kind.servlet(), ExecutionMode.NON_BLOCKING);
        List<byte[]> back = new ArrayList<>();
        List<String> elsewhere = new ArrayList<>();
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate != SimulatedNetwork.Fate.SENT || !from.equals(SERVER)) {
                return;
            }
            // The port is the one that the Via names (RFC 3261 18.2.2); the address is the
            // sender's.
            if (to.getAddress().equals(STRANGER.getAddress())) {
                back.add(bytes);
            } else {
                elsewhere.add(to + "\n" + new String(bytes, StandardCharsets.UTF_8));
            }
        });
        Map<String, String> all = new LinkedHashMap<>();
        responses(all);
        requests(all);
        malformed(all);
        for (Map.Entry<String, String> one : all.entrySet()) {
            back.clear();
            byte[] sent = wire(one.getValue());
            server.network.send(Transport.UDP, STRANGER, SERVER, sent);
            server.run(Duration.ofSeconds(40));
            assertThat(elsewhere).as("sent to others for %s", one.getKey()).isEmpty();
            assertThat(back).as(one.getKey()).hasSizeLessThanOrEqualTo(1);
            assertThat(back.stream().mapToInt(bytes -> bytes.length).sum())
                    .as("bytes back for %s", one.getKey())
                    .isLessThanOrEqualTo(sent.length + ADDED);
        }
        server.run(Duration.ofSeconds(70));
        server.assertClean();
        server.assertEmpty();
    }

    /**
     * What is repeated until it is acknowledged, and only to where the request came from. RFC 3261
     * 17.2.1: "timer G is set to fire in T1 seconds" for a final response to an INVITE over UDP;
     * Timer H ends it after 64*T1, and eleven have left.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void rfc3261_17_2_1_theRefusalOfAnInviteIsRepeatedToItsSenderAlone(Kind kind) {
        Server server = Server.fresh(5).deploy(kind.servlet(), ExecutionMode.NON_BLOCKING);
        int[] sent = new int[2];
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT
                    && from.getAddress().getHostAddress().equals("10.0.0.1")) {
                sent[to.getAddress().getHostAddress().equals("10.0.0.8") ? 0 : 1]++;
            }
        });
        // Nobody is bound at 10.0.0.8: no ACK comes.
        server.network.send(
                Transport.UDP,
                STRANGER,
                SERVER,
                wire(
                        message(
                                        "INVITE sip:v@" + VICTIM + " SIP/2.0",
                                        VICTIM + ";rport;branch=z9hG4bKi",
                                        "i",
                                        "1 INVITE",
                                        addresses() + "Replaces: nobody\n")
                                .replace(";tag=t", "")));
        server.run(Duration.ofSeconds(100));
        assertThat(sent[0]).isBetween(1, 11);
        assertThat(sent[1]).isZero();
    }

    /**
     * RFC 3261 13.3.1.4: without an ACK "the session SHOULD be terminated. This is accomplished
     * with a BYE". It goes to the Contact, which whoever wrote it may have had from anywhere: once.
     */
    @Test
    void rfc3261_13_3_1_4_whoNeverAcknowledgedIsSentOneBye() {
        Manual phone = new Manual();
        Server server = Server.fresh(5).deploy(phone, ExecutionMode.NON_BLOCKING);
        RawPeer stranger = server.peer("10.0.0.8");
        RawPeer victim = server.peer("10.0.0.9");
        stranger.request(
                "INVITE sip:v@10.0.0.1", "<sip:a@x>;tag=a", "<sip:v@y>", "c", 1, CONTACT_OF_VICTIM);
        stranger.response(180);
        phone.answer(200);
        server.run(Duration.ofSeconds(120));
        assertThat(stranger.responses(200)).isLessThanOrEqualTo(11);
        assertThat(victim.all).hasSize(1);
        assertThat(victim.request("BYE").callId()).isEqualTo("c");
        server.assertClean();
    }

    /** The same for a caller who is in no dialog: the Contact of an initial request is not used. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void anInitialRequestReachesNobodyButWhoTheApplicationNames(Kind kind) {
        Server server = Server.fresh(5).deploy(kind.servlet(), ExecutionMode.NON_BLOCKING);
        RawPeer stranger = server.peer("10.0.0.8");
        RawPeer callee = server.peer("10.0.0.3");
        RawPeer victim = server.peer("10.0.0.9");
        int number = 0;
        for (String method : METHODS) {
            stranger.send(
                    message(
                                    method + " sip:v@10.0.0.1 SIP/2.0",
                                    VICTIM + ";rport;branch=z9hG4bKn" + number,
                                    "n" + number++,
                                    "1 " + method,
                                    addresses())
                            .replace(";tag=t", ""));
            server.run(Duration.ofSeconds(1));
        }
        server.run(Duration.ofMinutes(4));
        assertThat(victim.all).isEmpty();
        for (SipMessage message : callee.all) {
            assertThat(message).isInstanceOf(SipRequest.class);
        }
    }
}
