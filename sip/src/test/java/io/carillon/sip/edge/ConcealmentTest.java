package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.CARRIER;
import static io.carillon.sip.edge.Border.answer;
import static io.carillon.sip.edge.Border.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each header that could tell something of the inside; {@link Border#out} searches every message.
 */
class ConcealmentTest {
    private final Border border = new Border(CARRIER);

    private static String body(SipMessage message) {
        return new String(message.body(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void onlyOurViaLeavesAndThoseBelowComeBackWithTheResponse() {
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:bob@198.51.100.7",
                        "Via: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKown, SIP/2.0/UDP"
                                + " 10.0.0.9;branch=z9hG4bKphone;received=10.0.0.9",
                        "Via: SIP/2.0/TCP node7.core.example:5071;branch=z9hG4bKfirst");
        SipRequest outside = border.out(invite);
        assertThat(outside.vias()).hasSize(1);
        assertThat(outside.topVia().branch()).isEqualTo("z9hG4bKown");
        SipResponse inside = border.in(answer(outside, 180), invite);
        assertThat(inside.vias()).hasToString(invite.vias().toString());
    }

    @Test
    void viasOfAResponseAreThoseOfThePeersRequest() {
        SipResponse response =
                (SipResponse)
                        Border.parse(
                                "SIP/2.0 200 OK\n"
                                        + "Via: SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKp;received=198.51.100.7\n"
                                        + "Via: SIP/2.0/UDP 172.16.4.4;branch=z9hG4bKphone\n"
                                        + "From: <sip:p@172.16.4.4>;tag=p\nTo: <sip:x@y>;tag=x\n"
                                        + "Call-ID: c\nCSeq: 1 OPTIONS\n\n");
        SipResponse outside = border.out(response);
        assertThat(outside.vias()).hasToString(response.vias().toString());
        assertThat(outside.from()).hasToString("<sip:p@172.16.4.4>;tag=p");
    }

    @Test
    void recordRoutesBelowOursAreInItsToken() {
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:bob@198.51.100.7",
                        "Record-Route: <sip:203.0.113.1:5070;lr;crl=k1>",
                        "Record-Route: <sip:10.0.0.1:5060;lr;crl=k1>, <sip:node7;lr>",
                        "Record-Route: \"core\" <sip:p1.core.example:5071;transport=tcp;lr>;x=y");
        SipRequest outside = border.out(invite);
        assertThat(outside.recordRoutes()).hasSize(1);
        assertThat(outside.recordRoutes().getFirst().toString())
                .startsWith("<sip:203.0.113.1:5070;lr;crl=k1;crh=");
        SipResponse inside = border.in(answer(outside, 200), invite);
        assertThat(inside.headers(HeaderName.RECORD_ROUTE))
                .isEqualTo(invite.headers(HeaderName.RECORD_ROUTE));
        SipRequest bye =
                border.in(
                        request(
                                "BYE",
                                "sip:alice@example.com",
                                "To: <sip:a@b>;tag=z",
                                "Route: " + outside.recordRoutes().getFirst()));
        assertThat(bye.headers(HeaderName.ROUTE))
                .isEqualTo(invite.headers(HeaderName.RECORD_ROUTE));
    }

    @Test
    void aRouteSetWithoutOursGetsAnEntryOfOursThatVanishesAgain() {
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:bob@198.51.100.7",
                        "Record-Route: <sip:10.0.0.9;lr>, <sip:10.0.0.8;lr>");
        SipRequest outside = border.out(invite);
        assertThat(outside.recordRoutes()).hasSize(1);
        assertThat(outside.recordRoutes().getFirst().toString())
                .startsWith("<sip:203.0.113.1:5070;lr;crh=");
        SipRequest bye =
                border.in(
                        request(
                                "BYE",
                                "sip:alice@example.com",
                                "Route: " + outside.recordRoutes().getFirst()));
        assertThat(bye.headers(HeaderName.ROUTE))
                .containsExactly("<sip:10.0.0.9;lr>", "<sip:10.0.0.8;lr>");
    }

    @Test
    void recordRoutesAboveOursInAResponseAreRestoredTheWayThatTheCallerTurnsThem() {
        SipResponse ok =
                (SipResponse)
                        Border.parse(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKp\n"
                                        + "Record-Route: <sip:p3.core.example;lr>, <sip:10.0.0.1:5060;lr;crl=k>\n"
                                        + "Record-Route: <sip:203.0.113.1:5070;lr;crl=k>,<sip:198.51.100.7;lr>\n"
                                        + "From: <sip:p@x>;tag=p\nTo: <sip:x@y>;tag=x\n"
                                        + "Contact: <sip:bob@10.0.0.7:5071;ob>\n"
                                        + "Call-ID: c\nCSeq: 1 INVITE\n\n");
        SipResponse outside = border.out(ok);
        List<String> routes = outside.headers(HeaderName.RECORD_ROUTE);
        assertThat(routes).hasSize(2);
        assertThat(routes.getLast()).isEqualTo("<sip:198.51.100.7;lr>");
        // RFC 3261 12.1.2: the caller takes them in reverse order; its own proxy's is popped there.
        SipRequest ack =
                border.in(
                        request(
                                "ACK",
                                outside.contacts().getFirst().uri().toString(),
                                "Route: " + routes.getFirst()));
        assertThat(ack.headers(HeaderName.ROUTE))
                .containsExactly(
                        "<sip:203.0.113.1:5070;lr;crl=k>",
                        "<sip:10.0.0.1:5060;lr;crl=k>",
                        "<sip:p3.core.example;lr>");
        assertThat(ack.requestUri()).hasToString("sip:bob@10.0.0.7:5071;ob");
    }

    @Test
    void anEntryOfThePeersOwnOtherPassageStaysHidden() {
        // The call went out to the carrier, which sends it back to us: below its entry is ours.
        SipRequest first =
                border.out(
                        request(
                                "INVITE",
                                "sip:bob@198.51.100.7",
                                "Record-Route: <sip:203.0.113.1:5070;lr;crl=k1>, <sip:10.0.0.1;lr>"));
        String below = first.recordRoutes().getFirst().toString();
        SipRequest second =
                border.in(
                        request(
                                "INVITE",
                                "sip:bob@203.0.113.1",
                                "Record-Route: <sip:198.51.100.7;lr>, " + below));
        assertThat(second.headers(HeaderName.RECORD_ROUTE))
                .containsExactly("<sip:198.51.100.7;lr>", below);
        SipResponse outside =
                border.out(
                        answer(
                                request(
                                        "INVITE",
                                        "sip:x@y",
                                        "Record-Route: <sip:10.0.0.1;lr>,"
                                                + " <sip:203.0.113.1:5070;lr;crl=k2>,"
                                                + " <sip:198.51.100.7;lr>, "
                                                + below),
                                200));
        assertThat(outside.headers(HeaderName.RECORD_ROUTE)).hasSize(3).endsWith(below);
    }

    @Test
    void pathOfARegistrationComesBackAsTheRouteOfCallsToItsUser() {
        SipRequest register =
                request(
                        "REGISTER",
                        "sip:198.51.100.7",
                        "Path: <sip:edge@10.0.0.1:5060;lr>, <sip:node7;lr;ob>",
                        "Contact: <sip:alice@10.0.0.9:5071>;expires=600;+sip.instance=\"<urn:uuid:1>\"");
        SipRequest outside = border.out(register);
        String path = outside.headers(HeaderName.PATH).getFirst();
        String contact = outside.contacts().getFirst().toString();
        assertThat(contact).contains("sip:alice@203.0.113.1:5070;crh=").contains(";expires=600");
        SipResponse ok =
                border.in(answer(outside, 200, "Path: " + path, "Contact: " + contact), register);
        assertThat(ok.headers(HeaderName.PATH)).isEqualTo(register.headers(HeaderName.PATH));
        assertThat(ok.contacts()).hasToString(register.contacts().toString());
        SipRequest invite =
                border.in(
                        request(
                                "INVITE",
                                outside.contacts().getFirst().uri().toString(),
                                "Route: " + path));
        assertThat(invite.requestUri()).hasToString("sip:alice@10.0.0.9:5071");
        assertThat(invite.headers(HeaderName.ROUTE)).isEqualTo(register.headers(HeaderName.PATH));
    }

    @Test
    void serviceRouteGivenToAUserOutsideLeadsBackThroughUs() {
        SipResponse outside =
                border.out(
                        answer(
                                request("REGISTER", "sip:x"),
                                200,
                                "Service-Route: <sip:orig@s1.core.example;lr>, <sip:10.0.0.4;lr>",
                                "Path: <sip:10.0.0.1;lr>, <sip:198.51.100.7;lr>"));
        List<String> routes = outside.headers(HeaderName.SERVICE_ROUTE);
        assertThat(routes).hasSize(2).allMatch(route -> route.contains(";lr"));
        assertThat(outside.headers(HeaderName.PATH)).containsExactly("<sip:198.51.100.7;lr>");
        SipRequest invite =
                border.in(request("INVITE", "sip:x@y", "Route: " + String.join(",", routes)));
        assertThat(invite.headers(HeaderName.ROUTE))
                .containsExactly("<sip:orig@s1.core.example;lr>", "<sip:10.0.0.4;lr>");
    }

    @Test
    void theContactOfAPeerStaysAsItIsAndTheRequestToItToo() {
        SipRequest invite =
                border.in(
                        request(
                                "INVITE",
                                "sip:x@203.0.113.1",
                                "Contact: <sip:p@192.168.1.5:5071>"));
        assertThat(invite.contacts()).hasToString("[<sip:p@192.168.1.5:5071>]");
        SipMessage bye =
                border.edge.leaves(
                        request(
                                "BYE",
                                "sip:p@192.168.1.5:5071",
                                "To: <sip:p@x>;tag=p",
                                "Route: <sip:198.51.100.7;lr>,<sip:172.16.1.1;lr>"),
                        Border.OUT,
                        false);
        assertThat(String.valueOf(bye))
                .startsWith("BYE sip:p@192.168.1.5:5071 SIP")
                .contains("<sip:172.16.1.1;lr>");
    }

    @Test
    void callIdsOfTheInsideAreTheSameTokenEachTime() {
        String inside = "abc@10.0.0.9";
        String token =
                border.out(request("INVITE", "sip:b@198.51.100.7", "Call-ID: " + inside)).callId();
        assertThat(token).startsWith("crh-");
        assertThat(border.out(request("BYE", "sip:b@198.51.100.7", "Call-ID: " + inside)).callId())
                .isEqualTo(token);
        assertThat(border.in(request("BYE", "sip:x@y", "Call-ID: " + token)).callId())
                .isEqualTo(inside);
        assertThat(border.out(request("INVITE", "sip:b@198.51.100.7", "Call-ID: plain")).callId())
                .isEqualTo("plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc@192.168.1.5", "crf-of-a-peer", "x-node7-1"})
    void callIdsOfThePeerComeBackToItAsTheyWere(String callId) {
        SipRequest inside = border.in(request("INVITE", "sip:x@y", "Call-ID: " + callId));
        assertThat(inside.callId()).isNotEqualTo(callId);
        SipMessage answer = border.edge.leaves(answer(inside, 200), Border.OUT, false);
        assertThat(String.valueOf(answer)).contains("Call-ID: " + callId + "\r\n");
    }

    @Test
    void replacesJoinTargetDialogAndInReplyToNameTheSameCallsOnBothSides() {
        String token =
                border.out(request("INVITE", "sip:b@198.51.100.7", "Call-ID: c1@10.0.0.9"))
                        .callId();
        for (String header : List.of("Replaces", "Join", "Target-Dialog")) {
            SipRequest inside =
                    request(
                            "INVITE",
                            "sip:b@198.51.100.7",
                            header + ": c1@10.0.0.9;to-tag=1;from-tag=2");
            SipRequest outside = border.out(inside);
            String value = outside.header(HeaderName.of(header));
            assertThat(value).isEqualTo(token + ";to-tag=1;from-tag=2");
            assertThat(border.in(outside).header(HeaderName.of(header)))
                    .isEqualTo("c1@10.0.0.9;to-tag=1;from-tag=2");
        }
        SipRequest outside =
                border.out(
                        request(
                                "INVITE",
                                "sip:b@198.51.100.7",
                                "In-Reply-To: c1@10.0.0.9, other, c1@10.0.0.9"));
        assertThat(outside.header(HeaderName.IN_REPLY_TO)).isEqualTo(token + ", other, " + token);
        assertThat(border.in(outside).header(HeaderName.IN_REPLY_TO))
                .isEqualTo("c1@10.0.0.9, other, c1@10.0.0.9");
    }

    @Test
    void referToLeadsBackAndItsReplacesNamesTheCall() {
        String target =
                "<sip:carol@10.0.0.5:5071?Replaces=c1%4010.0.0.9%3Bto-tag%3D1&Subject=node7>";
        SipRequest outside =
                border.out(
                        request(
                                "REFER",
                                "sip:b@198.51.100.7",
                                "To: <sip:b@x>;tag=b",
                                "Refer-To: " + target));
        String seen = outside.header(HeaderName.REFER_TO);
        assertThat(seen).contains("carol@203.0.113.1:5070;crh=").contains("?Replaces=crh-");
        assertThat(border.in(outside).header(HeaderName.REFER_TO))
                .startsWith("<sip:carol@10.0.0.5:5071?Replaces=c1%4010.0.0.9%3Bto-tag%3D1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From: \"node7\" <sip:+4930@10.0.0.9:5071;user=phone>;tag=f",
                "To: <sip:bob@gw.core.example:5071>",
                "P-Asserted-Identity: \"A\" <sip:+4930@10.0.0.9>, <tel:+4930;phone-context=core.example>",
                "P-Preferred-Identity: <sip:a@10.0.0.9>",
                "P-Charging-Vector: icid-value=\"ab@10.0.0.9\";icid-generated-at=10.0.0.9;orig-ioi=core.example",
                "P-Charging-Function-Addresses: ccf=10.0.0.9; ecf=node7",
                "P-Visited-Network-ID: \"core.example\"",
                "P-Access-Network-Info: IEEE-802.11; i-wlan-node-id=node7",
                "P-Called-Party-ID: <sip:x@core.example>",
                "P-Associated-URI: <sip:x@core.example>",
                "Remote-Party-ID: <sip:x@core.example>;party=calling",
                "Referred-By: <sip:a@10.0.0.9>;cid=\"x@core.example\"",
                "Reply-To: <sip:a@10.0.0.9>",
                "History-Info: <sip:b@10.0.0.9?Reason=SIP%3Bcause%3D302>;index=1, <sip:c@node7>;index=1.1",
                "Diversion: <sip:b@10.0.0.9>;reason=unconditional",
                "Warning: 399 node7.core.example \"route via 10.0.0.9:5071 failed\"",
                "Reason: SIP ;cause=200 ;text=\"answered at [fd00::12]:5071\"",
                "Call-Info: <http://10.0.0.9/a.png>;purpose=icon, <http://x.example/b>;purpose=info",
                "Alert-Info: <http://node7/ring.wav>",
                "Error-Info: <sip:busy@announce.core.example>",
                "Server: Carillon node7",
                "User-Agent: PBX 10.0.0.9",
                "Organization: CORE.example",
                "Event: dialog;call-id=\"c1@10.0.0.9\";to-tag=x",
                "Authorization: Digest username=\"a\", realm=\"r\", nonce=\"n\", uri=\"sip:10.0.0.9\", response=\"0\"",
                "Proxy-Authorization: Digest realm=\"core.example\", uri=\"sip:node7\"",
                "X-Routed-By: node7,10.9.9.1:5071",
                "Geolocation: <sip:loc@10.0.0.9>",
                "Identity: abc;info=<https://cert.core.example/c.pem>",
                "Session-Expires: 1800;refresher=uac;x=10.0.0.9",
                "User-to-User: 10.0.0.9;encoding=hex",
                "Subject: call me at\n  10.0.0.9",
            })
    void nothingOfTheInsideIsInAnyHeader(String header) {
        border.out(request("INVITE", "sip:bob@198.51.100.7", header));
        border.out(
                answer(
                        request("INVITE", "sip:bob@198.51.100.7"),
                        200,
                        header.startsWith("From") || header.startsWith("To") ? "X: y" : header));
    }

    @Test
    void usersAndNumbersStayReadable() {
        SipRequest outside =
                border.out(
                        request(
                                "INVITE",
                                "sip:bob@198.51.100.7",
                                "From: \"Alice\" <sip:+4930123@10.0.0.9:5071;user=phone>;tag=f",
                                "P-Asserted-Identity: <sip:+4930123@core.example>"));
        assertThat(outside.from())
                .hasToString("\"Alice\" <sip:+4930123@203.0.113.1;user=phone>;tag=f");
        assertThat(outside.header(HeaderName.P_ASSERTED_IDENTITY))
                .isEqualTo("<sip:+4930123@203.0.113.1>");
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:bob@198.51.100.7",
                        "From: <sip:+4930123@10.0.0.9:5071>;tag=f",
                        "To: <sip:bob@node7>",
                        "Call-ID: x@10.0.0.9");
        SipResponse inside = border.in(answer(border.out(invite), 200), invite);
        assertThat(inside.from()).isEqualTo(invite.from());
        assertThat(inside.to()).hasToString("<sip:bob@node7>;tag=peer");
        assertThat(inside.callId()).isEqualTo(invite.callId());
    }

    @Test
    void theTargetOfARequestThatBeginsSomethingIsHiddenWhereItIsInside() {
        SipRequest outside = border.out(request("INVITE", "sip:bob@10.0.0.1;x=y"));
        assertThat(outside.requestUri().toString()).startsWith("sip:bob@203.0.113.1:5070;crh=");
        // CANCEL and the ACK for a failure have the Request-URI of their INVITE.
        assertThat(border.out(request("CANCEL", "sip:bob@10.0.0.1;x=y")).requestUri())
                .isEqualTo(outside.requestUri());
        SipMessage ack =
                border.edge.leaves(
                        request("ACK", "sip:bob@10.0.0.1;x=y", "To: <sip:b@x>;tag=b"),
                        Border.OUT,
                        true);
        assertThat(String.valueOf(ack)).startsWith("ACK " + outside.requestUri() + " SIP");
    }

    @Test
    void aSessionDescriptionNamesOurAddressForTheirs() {
        String sdp =
                "v=0\r\no=node7 1 2 IN IP4 10.0.0.9\r\ns=call at core.example\r\nc=IN IP6 fd00::9\r\n"
                        + "t=0 0\r\nm=audio 6000 RTP/AVP 0\r\na=rtcp:6001 IN IP4 10.0.0.9\r\n"
                        + "a=candidate:1 1 UDP 1 10.0.0.9 6000 typ host\r\n";
        String text =
                "INVITE sip:b@198.51.100.7 SIP/2.0\nVia: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKt\n"
                        + "From: <sip:a@b>;tag=a\nTo: <sip:b@c>\nCall-ID: c\nCSeq: 1 INVITE\n"
                        + "Content-Type: application/sdp\nContent-Length: "
                        + sdp.length()
                        + "\n\n"
                        + sdp;
        SipMessage outside = border.out(Border.parse(text));
        assertThat(body(outside))
                .contains("o=203.0.113.1 1 2 IN IP4 203.0.113.1\r\n")
                .contains("c=IN IP4 203.0.113.1\r\n")
                .contains("a=rtcp:6001 IN IP4 203.0.113.1\r\n");
        Border relay = new Border(CARRIER.media("2001:db8::5", List.of()));
        assertThat(body(relay.out(Border.parse(text))))
                .contains("c=IN IP6 2001:db8::5\r\n")
                .contains("a=rtcp:6001 IN IP6 2001:db8::5");
    }

    @Test
    void partsFragmentsAndDialogStatesAreBodiesToo() {
        String parts =
                "--b\r\nContent-Type: message/sipfrag\r\n\r\nSIP/2.0 200 OK\r\n"
                        + "Contact: <sip:x@10.0.0.9:5071>\r\nCall-ID: c1@10.0.0.9\r\n"
                        + "Via: SIP/2.0/UDP node7\r\n--b\r\n"
                        + "Content-Type: application/dialog-info+xml\r\n\r\n"
                        + "<dialog id=\"1\" call-id=\"c1@10.0.0.9\"><target uri=\"sip:x@10.0.0.9:5071\"/>"
                        + "</dialog>\r\n--b\r\nContent-Type: application/sdp\r\n\r\nc=IN IP4 10.0.0.9\r\n--b--\r\n";
        SipMessage outside =
                border.out(
                        Border.parse(
                                "NOTIFY sip:b@198.51.100.7 SIP/2.0\n"
                                        + "Via: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKt\n"
                                        + "From: <sip:a@b>;tag=a\nTo: <sip:b@c>;tag=b\nCall-ID: c\n"
                                        + "CSeq: 1 NOTIFY\nContent-Type: multipart/mixed;boundary=b\n"
                                        + "Content-Length: "
                                        + parts.length()
                                        + "\n\n"
                                        + parts));
        String token = border.out(request("BYE", "sip:x@y", "Call-ID: c1@10.0.0.9")).callId();
        assertThat(body(outside))
                .contains("call-id=\"" + token + "\"")
                .contains("\r\nCall-ID: " + token + "\r\n")
                .contains("uri=\"sip:x@203.0.113.1:5070;crh=")
                .contains("<sip:x@203.0.113.1:5070;crh=")
                .contains("c=IN IP4 203.0.113.1");
    }

    /** The tolerance {@code content-length-without-digits} lets such a request in. */
    @Test
    void aContentLengthInWordsBecomesANumber() {
        SipRequest invite =
                request("INVITE", "sip:b@198.51.100.7", "Content-Length: node.core.example");
        assertThat(border.out(invite).toString()).contains("Content-Length: 0\r\n");
    }

    @Test
    void whatBelongsToThePeerIsNotOurs() {
        Border behind =
                new Border(CARRIER.media(null, List.of(AddressRange.parse("10.77.0.0/16"))));
        SipMessage left =
                behind.edge.leaves(
                        request("INVITE", "sip:b@10.77.1.1", "To: <sip:b@10.77.1.1>"),
                        Border.OUT,
                        false);
        assertThat(String.valueOf(left))
                .startsWith("INVITE sip:b@10.77.1.1 SIP")
                .contains("<sip:b@10.77.1.1>");
    }

    @Test
    void aStrangerGetsEverythingAsItIs() {
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:b@10.0.0.9",
                        "Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1,SIP/2.0/UDP 10.0.0.2;branch=z9hG4bK2");
        assertThat(border.edge.leaves(invite, Border.IN, false)).isSameAs(invite);
        assertThat(border.edge.arrived(invite, Border.IN)).isSameAs(invite);
    }

    @Test
    void aRepeatedMessageIsTheSameBytes() {
        SipRequest invite =
                request(
                        "INVITE",
                        "sip:bob@10.0.0.1",
                        "Record-Route: <sip:203.0.113.1:5070;lr>, <sip:10.0.0.1;lr>",
                        "Contact: <sip:a@10.0.0.9>",
                        "Call-ID: a@10.0.0.9");
        assertThat(border.out(invite).toString()).isEqualTo(border.out(invite).toString());
    }

    @Test
    void whatLeadsIntoTheBodyStays() {
        SipRequest outside =
                border.out(
                        request(
                                "INVITE",
                                "sip:b@198.51.100.7",
                                "Geolocation: <cid:loc@core.example>, <sip:loc@10.0.0.9>",
                                "Content-ID: <loc@core.example>"));
        assertThat(outside.headers(HeaderName.of("Geolocation")))
                .containsExactly("<cid:loc@203.0.113.1>");
        assertThat(outside.headers(HeaderName.of("Content-ID")))
                .containsExactly("<loc@203.0.113.1>");
    }

    @Test
    void aPeerMayPrintTheParameterInCapitals() {
        String contact =
                border.out(request("INVITE", "sip:b@198.51.100.7", "Contact: <sip:a@10.0.0.9>"))
                        .contacts()
                        .getFirst()
                        .uri()
                        .toString();
        SipRequest bye = border.in(request("BYE", contact.replace(";crh=", ";CRH=")));
        assertThat(bye.requestUri()).hasToString("sip:a@10.0.0.9");
    }
}
