package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.CARRIER;
import static io.carillon.sip.edge.Border.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens: of whom they can be read, and what becomes of those that somebody made up. */
class TokensTest {
    private static final byte[] OTHER = "another key of more than 16 bytes".getBytes(ISO_8859_1);

    private static SipRequest invite() {
        return request(
                "INVITE",
                "sip:b@198.51.100.7",
                "Contact: <sip:alice@10.0.0.9:5071>",
                "Call-ID: c@10.0.0.9",
                "Record-Route: <sip:203.0.113.1:5070;lr>, <sip:10.0.0.1;lr>");
    }

    private static SipRequest bye(SipRequest outside) {
        return request(
                "BYE",
                outside.contacts().getFirst().uri().toString(),
                "To: <sip:a@b>;tag=a",
                "Call-ID: " + outside.callId(),
                "Route: " + outside.recordRoutes().getFirst());
    }

    @Test
    void aNodeWithTheSameKeyAndARestartedOneUnderstandThem() {
        SipRequest outside = new Border(CARRIER).out(invite());
        Border other = new Border(CARRIER);
        assertThat(other.in(bye(outside)).requestUri()).hasToString("sip:alice@10.0.0.9:5071");
        assertThat(other.out(invite()).toString()).isEqualTo(outside.toString());
    }

    @Test
    void anOldKeyReadsOnWhileTheNewOneMakes() {
        SipRequest outside = new Border(CARRIER).out(invite());
        Border changed = new Border(CARRIER, List.of(OTHER, Border.KEY));
        assertThat(changed.in(bye(outside)).callId()).isEqualTo("c@10.0.0.9");
        assertThat(changed.out(invite()).callId()).isNotEqualTo(outside.callId());
    }

    @Test
    void everyChangedCharacterOfATokenIsRefusedTheSameWay() {
        Border border = new Border(CARRIER);
        String uri = border.out(invite()).contacts().getFirst().uri().toString();
        int from = uri.indexOf("crh=") + 4;
        int refused = 0;
        for (int i = from; i < uri.length(); i++) {
            char other = uri.charAt(i) == 'A' ? 'B' : 'A';
            String forged = uri.substring(0, i) + other + uri.substring(i + 1);
            SipRequest seen =
                    border.edge.arrived(request("BYE", forged, "To: <sip:a@b>;tag=a"), Border.OUT);
            // The last character holds bits that stand for nothing.
            if (seen == null) {
                assertThat(border.edge.refusal().status()).isEqualTo(481);
                refused++;
            } else {
                assertThat(i).isEqualTo(uri.length() - 1);
            }
        }
        assertThat(refused).isGreaterThanOrEqualTo(uri.length() - from - 1);
        assertThat(border.counted).filteredOn(Counter.EDGE_TOKENS_REFUSED::equals).hasSize(refused);
    }

    @Test
    void aForgedRouteOrTargetIsToldAsAnUnknownOne() {
        Border border = new Border(CARRIER);
        SipRequest outside = new Border(CARRIER, List.of(OTHER)).out(invite());
        for (String token :
                List.of("", "A", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "***", "x".repeat(9000))) {
            String uri = "sip:a@203.0.113.1:5070;crh=" + token;
            assertThat(border.edge.arrived(request("INVITE", uri), Border.OUT)).isNull();
            ParseResult.Rejected initial = border.edge.refusal();
            assertThat(initial.status()).isEqualTo(404);
            assertThat(
                            border.edge.arrived(
                                    request(
                                            "BYE",
                                            "sip:x@y",
                                            "To: <sip:a@b>;tag=a",
                                            "Route: <sip:203.0.113.1:5070;lr;crh=" + token + ">"),
                                    Border.OUT))
                    .isNull();
            assertThat(border.edge.refusal().status()).isEqualTo(481);
        }
        assertThat(border.edge.arrived(bye(outside), Border.OUT)).isNull();
        assertThat(border.edge.refusal().status()).isEqualTo(481);
        // A Call-ID that we did not make is an unknown one, as any other.
        assertThat(border.in(request("INVITE", "sip:x@y", "Call-ID: crh-AAAA")).callId())
                .isEqualTo("crh-AAAA");
    }

    /** The peer may be a Carillon, too, and hide its own topology from us. */
    @Test
    void tokensOfThePeerLeadToThePeer() {
        Border border = new Border(CARRIER);
        SipRequest sent = invite();
        SipRequest outside = border.out(sent);
        String theirs = "<sip:198.51.100.7;lr;crh=AAAABBBBCCCCDDDDEEEEFFFFGGGG>";
        SipRequest bye =
                border.edge.arrived(
                        request(
                                "BYE",
                                "sip:p@198.51.100.7;crh=AAAABBBBCCCCDDDDEEEEFFFFGGGG",
                                "To: <sip:p@x>;tag=p",
                                "Route: " + outside.recordRoutes().getFirst() + ", " + theirs),
                        Border.IN);
        assertThat(bye).isNotNull();
        assertThat(bye.requestUri().toString()).startsWith("sip:p@198.51.100.7;crh=");
        assertThat(bye.headers(HeaderName.ROUTE))
                .containsExactly("<sip:203.0.113.1:5070;lr>", "<sip:10.0.0.1;lr>", theirs);
        SipResponse ok =
                border.in(
                        (SipResponse)
                                Border.parse(
                                        Border.answer(outside, 200)
                                                .toString()
                                                .replace(
                                                        "Record-Route: ",
                                                        "Record-Route: " + theirs + ", ")),
                        sent);
        assertThat(ok.headers(HeaderName.RECORD_ROUTE))
                .containsExactly(theirs, "<sip:203.0.113.1:5070;lr>", "<sip:10.0.0.1;lr>");
    }

    @Test
    void aTokenOfOneKindIsNoneOfAnother() {
        Border border = new Border(CARRIER);
        SipRequest outside = border.out(invite());
        String callId = outside.callId().substring("crh-".length());
        SipRequest asUri =
                border.edge.arrived(
                        request("INVITE", "sip:a@203.0.113.1:5070;crh=" + callId), Border.OUT);
        assertThat(asUri == null ? "refused" : asUri.requestUri().toString())
                .doesNotContain("10.0.0.9");
    }

    private static SipRequest inTheCall(String uri, String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("To: <sip:a@b>;tag=a");
        headers.add("Call-ID: call-1");
        return request("BYE", uri, headers.toArray(String[]::new));
    }

    private static String contactOf(Border border) {
        SipRequest out =
                border.out(
                        request(
                                "INVITE",
                                "sip:b@198.51.100.7",
                                "Contact: <sip:+4930123@10.0.0.9:5071;x=y>"));
        return out.contacts().getFirst().uri().toString();
    }

    @Test
    void aTokenWithAnotherUserIsNoneOfOurs() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border);
        assertThat(border.in(inTheCall(uri)).requestUri())
                .hasToString("sip:+4930123@10.0.0.9:5071;x=y");
        // RFC 3261 19.1.4: an escaped character is the character.
        assertThat(border.in(inTheCall(uri.replace("+4930", "%2B4930"))).requestUri().toString())
                .endsWith("@10.0.0.9:5071;x=y");
        for (String user : List.of("+1900", "", "+4930123:x", "sip:+4930123")) {
            String other = uri.replace("+4930123@", user.isEmpty() ? "" : user + "@");
            for (SipRequest sent : List.of(inTheCall(other), request("INVITE", other))) {
                assertThat(border.edge.arrived(sent, Border.OUT)).as(other).isNull();
            }
        }
    }

    @Test
    void parametersBehindATokenAreNotOursAndLeadNowhere() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border) + ";maddr=10.0.0.77";
        assertThat(border.in(inTheCall(uri)).requestUri())
                .hasToString("sip:+4930123@10.0.0.9:5071;x=y");
    }

    @Test
    void aContactLeadsInsideInItsOwnDialogAlone() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border);
        assertThat(border.in(inTheCall(uri)).requestUri().toString()).contains("10.0.0.9");
        assertThat(border.edge.aimed()).isTrue();
        for (String strange : List.of("Call-ID: other", "To: <sip:a@b>;tag=zz1")) {
            SipRequest sent =
                    strange.startsWith("To")
                            ? request("BYE", uri, strange)
                            : request("BYE", uri, strange, "To: <sip:a@b>;tag=a");
            assertThat(border.edge.arrived(sent, Border.OUT)).as(strange).isNull();
            assertThat(border.edge.refusal().status()).isEqualTo(481);
        }
        // Without a tag it may begin a call (RFC 3891): that is for the applications.
        SipRequest initial = border.in(request("INVITE", uri, "Call-ID: other"));
        assertThat(initial.requestUri().toString()).contains("10.0.0.9");
        assertThat(border.edge.aimed()).isFalse();
    }

    /** RFC 3261 17.1.1.3: its Request-URI is that of the INVITE, its To tag is ours. */
    @Test
    void theAckForARefusalOfANewCallIsLetIn() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border);
        border.in(request("ACK", uri, "Call-ID: other", "To: <sip:a@b>;tag=refused"));
        assertThat(border.edge.aimed()).isFalse();
    }

    @Test
    void theContactOfARegistrationIsOfNoDialog() {
        Border border = new Border(CARRIER);
        SipRequest register =
                border.out(
                        request(
                                "REGISTER",
                                "sip:198.51.100.7",
                                "Contact: <sip:alice@10.0.0.9:5071>"));
        String uri = register.contacts().getFirst().uri().toString();
        assertThat(border.in(request("INVITE", uri)).requestUri())
                .hasToString("sip:alice@10.0.0.9:5071");
        assertThat(border.edge.arrived(inTheCall(uri), Border.OUT)).isNull();
    }

    @Test
    void aTargetThatLeavesAgainStaysAToken() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border);
        SipRequest through =
                border.in(
                        inTheCall(
                                uri, "Route: <sip:203.0.113.1:5070;lr>, <sip:198.51.100.200;lr>"));
        assertThat(through.requestUri()).hasToString(uri);
        assertThat(border.edge.aimed()).isFalse();
    }

    @Test
    void whatAPeerMayNotSeeIsNotShownToItsFriends() {
        Border border = new Border(CARRIER);
        String uri = contactOf(border);
        SipRequest refer =
                border.in(
                        request(
                                "REFER",
                                "sip:x@192.0.2.1",
                                "Refer-To: <" + uri + "?Replaces=c%4010.0.0.9>"));
        assertThat(refer.header(HeaderName.REFER_TO)).contains("10.0.0.9:5071;x=y");
        SipMessage stranger = border.edge.leaves(refer, Border.hop("192.0.2.1", 5060), true);
        assertThat(String.valueOf(stranger))
                .contains("Refer-To: <sip:+4930123@203.0.113.1:5070;crh=")
                .doesNotContain("10.0.0.9");
        assertThat(border.edge.leaves(refer, Border.IN, true)).isSameAs(refer);
    }

    @Test
    void aKeyHasAtLeast16Bytes() {
        assertThatThrownBy(() -> new Seal(List.of(new byte[15])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Seal(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theSameTextIsTheSameTokenAndShowsNothing() {
        Seal seal = new Seal(List.of(Border.KEY));
        String token = seal.close("10.0.0.9:5071");
        assertThat(token).isEqualTo(seal.close("10.0.0.9:5071")).hasSize(Seal.length(13));
        assertThat(seal.open(token)).isEqualTo("10.0.0.9:5071");
        assertThat(seal.close("10.0.0.9:5072")).doesNotStartWith(token.substring(0, 8));
        for (int characters = 30; characters < 100; characters++) {
            assertThat(Seal.length(Seal.room(characters))).isLessThanOrEqualTo(characters);
        }
    }
}
