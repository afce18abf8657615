package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.CARRIER;
import static io.carillon.sip.edge.Border.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URIs at the border: what is one, what only looks like one, and how each of its forms leaves. */
class ConcealedUrisTest {
    private final Border border = new Border(CARRIER);

    private @Nullable String referToOutside(String value) {
        SipRequest refer = request("REFER", "sip:b@198.51.100.7", "Refer-To: " + value);
        return border.out(refer).header(HeaderName.REFER_TO);
    }

    @ParameterizedTest
    @CsvSource({
        "<sip:alice@10.0.0.9:5071>, alice",
        "sip:alice@10.0.0.9:5071, alice",
        "\"node7 desk\" <sips:+4930@[fd00::9]:5071;user=phone;transport=tcp>, +4930",
        "<sip:10.0.0.9>, ''",
        "<sip:alice%40core.example@10.0.0.9;ob>, ''",
        "<sip:node7@10.0.0.9;gr=urn:uuid:f81d>, ''",
        "<sip:alice:secret@h.core.example;method=INVITE;maddr=10.0.0.4>;q=0.7, alice:secret",
    })
    void aContactLeadsBackAndIsAUriStill(String contact, String user) {
        SipRequest invite = request("INVITE", "sip:bob@198.51.100.7", "Contact: " + contact);
        SipRequest outside = border.out(invite);
        String uri = outside.contacts().getFirst().uri().toString();
        assertThat(uri)
                .contains(user.isEmpty() ? ":203.0.113.1:5070;" : user + "@203.0.113.1:5070;");
        SipRequest bye = border.in(request("BYE", uri, "To: <sip:a@b>;tag=a"));
        assertThat(bye.requestUri()).isEqualTo(invite.contacts().getFirst().uri());
    }

    /** RFC 3261 20: what follows a semicolon is no part of a URI without brackets. */
    @ParameterizedTest
    @CsvSource({
        "sip:carol@198.51.100.9;via=10.0.0.9, sip:carol@198.51.100.9;via=203.0.113.1",
        "sip:;lr10.0.0.2, sip:;lr203.0.113.1",
        "sips:?node7, sips:?203.0.113.1",
        "<sip:x@198.51.100.9>$ sip:node7;lr, <sip:x@198.51.100.9>$ sip:203.0.113.1;lr",
    })
    void whatStandsInAParameterIsNoUriToBeHidden(String target, String seen) {
        assertThat(referToOutside(target)).isEqualTo(seen);
    }

    @Test
    void aSchemesColonIsNoPartOfAnAddress() {
        assertThat(referToOutside("<sip::1@198.51.100.7;x=node7>"))
                .isEqualTo("<sip::1@198.51.100.7;x=203.0.113.1>");
    }

    @Test
    void aUriWithinOneOfAnotherSchemeIsTextOfIt() {
        assertThat(referToOutside("<x-sip:sip:node7;lr>, x:y sip:a@node7 b, node7 sip:a@node7"))
                .isEqualTo(
                        "<x-sip:sip:203.0.113.1;lr>, x:y sip:a@203.0.113.1 b,"
                                + " 203.0.113.1 sip:a@203.0.113.1");
    }

    @Test
    void whatFollowsAUriInBracketsIsNoUriWhereverAHostStandsInIt() {
        assertThat(
                        referToOutside(
                                "<sip:x@198.51.100.7>;a=10.0.0.8sip:10.0.0.1;b=10.0.0.9"
                                        + ";c=sip:10.0.0.2"))
                .isEqualTo(
                        "<sip:x@198.51.100.7>;a=203.0.113.1sip:203.0.113.1;b=203.0.113.1"
                                + ";c=sip:203.0.113.1");
    }

    @ParameterizedTest
    @CsvSource({
        "tel:+4930123;phone-context=core.example, tel:+4930123;phone-context=203.0.113.1",
        "urn::1, urn::1",
        "urn:10.0.0.9:5060, urn:203.0.113.1",
        "urn:[::1], urn:203.0.113.1",
        "sip10.0.0.1:10.0.0inv.1user@example.com, hidden:10.0.0inv.1user@example.com",
        "node7:10@198.51.100.7, hidden:10@198.51.100.7",
    })
    void aTargetKeepsAScheme(String target, String seen) {
        assertThat(border.out(request("OPTIONS", target)).toString())
                .startsWith("OPTIONS " + seen + " SIP/2.0\r\n");
    }

    @Test
    void aUriOfAnotherSchemeKeepsItsColon() {
        SipRequest refer =
                request(
                        "REFER",
                        "sip:b@198.51.100.7",
                        "Refer-To: <x.example10.0.0.9:5062>",
                        "X-Peer: up10.0.0.9:5062");
        assertThat(border.out(refer).toString())
                .contains("Refer-To: <x.example203.0.113.1:5070>\r\n")
                .contains("X-Peer: up203.0.113.1:5070\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "sip:+4930123@198.51.100.7;x-gw=node7, sip:+4930123@198.51.100.7;x-gw=203.0.113.1",
        "sip:4711;phone-context=core.example@198.51.100.7;user=phone,"
                + " sip:4711;phone-context=203.0.113.1@198.51.100.7;user=phone",
    })
    void aTargetOutsideStaysOne(String target, String seen) {
        SipRequest outside = border.out(request("INVITE", target, "Refer-To: <" + target + ">"));
        assertThat(outside.requestUri()).hasToString(seen);
        assertThat(outside.header(HeaderName.REFER_TO)).isEqualTo("<" + seen + ">");
    }

    @Test
    void maddrInsideIsATargetInside() {
        assertThat(referToOutside("<sip:carol@198.51.100.9;maddr=10.0.0.9>"))
                .startsWith("<sip:carol@203.0.113.1:5070;crh=");
    }

    @Test
    void aTokenInARouteOfAnotherSchemeIsLeftAlone() {
        String token =
                border.out(
                                request(
                                        "INVITE",
                                        "sip:b@198.51.100.7",
                                        "Contact: <sip:10.0.0.9:5071;ob>"))
                        .contacts()
                        .getFirst()
                        .uri()
                        .toString();
        String param = token.substring(token.indexOf(";crh="));
        for (String route : List.of("<tel:+1" + param + ">", "<x:y" + param + ">")) {
            SipRequest shown = border.in(request("INVITE", "sip:a@example.com", "Route: " + route));
            assertThat(shown.headers(HeaderName.ROUTE)).containsExactly(route);
        }
        SipRequest quoted =
                border.in(
                        request(
                                "INVITE",
                                "sip:a@example.com",
                                "Route: \"a<b\" <sip:203.0.113.1:5070;lr" + param + ">"));
        assertThat(quoted.headers(HeaderName.ROUTE))
                .allSatisfy(route -> assertThat(route).startsWith("\"a<b\" <sip:10.0.0.9:5071"));
    }

    @Test
    void aUriInXmlIsHiddenWithoutBrackets() {
        SipMessage outside =
                border.out(
                        Border.parse(
                                "NOTIFY sip:b@198.51.100.7 SIP/2.0\n"
                                        + "Via: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKx\n"
                                        + "From: <sip:a@b>;tag=a\nTo: <sip:b@c>;tag=b\nCall-ID: c\n"
                                        + "CSeq: 2 NOTIFY\nContent-Type: application/dialog-info+xml\n\n"
                                        + "<identity>sip:x@10.0.0.9</identity>\n"
                                        + "sip:y@node7\n"));
        assertThat(new String(outside.body(), UTF_8))
                .containsPattern("<identity>sip:x@203.0.113.1:5070;crh=[^<>]+</identity>")
                .containsPattern("\nsip:y@203.0.113.1:5070;crh=[^<>]+\r?\n$");
    }

    @Test
    void aFoldInsideAUriIsNotShownAgain() {
        SipRequest outside =
                border.out(
                        request(
                                "INVITE",
                                "sip:b@198.51.100.7",
                                "Contact: <sip:alice@10.0.0.9\r\n ;x=y>"));
        String contact = outside.contacts().getFirst().uri().toString();
        assertThat(border.in(request("BYE", contact)).requestUri())
                .hasToString("sip:alice@10.0.0.9;x=y");
    }

    @Test
    void aUserMayHaveAQuestionMark() {
        SipRequest outside =
                border.out(
                        request(
                                "INVITE",
                                "sip:b@198.51.100.7",
                                "Contact: <sip:a?b@10.0.0.9:5071>"));
        String contact = outside.contacts().getFirst().uri().toString();
        assertThat(contact).startsWith("sip:a?b@203.0.113.1:5070;crh=");
        assertThat(border.in(request("BYE", contact)).requestUri())
                .hasToString("sip:a?b@10.0.0.9:5071");
    }
}
