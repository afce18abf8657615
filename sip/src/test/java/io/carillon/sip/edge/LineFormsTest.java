package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.HeaderForm;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineFormsTest {
    private static final String TARGET = "sip:b@198.51.100.7";
    private final LineForms forms = new LineForms();

    private static Peer peer(int most, HeaderForm names, ListForm lists) {
        return Peer.named("p").with(most, names, lists);
    }

    private static Peer shortLines(int most) {
        return peer(most, HeaderForm.DEFAULT, ListForm.AS_IS);
    }

    private SipMessage formed(SipMessage message, Peer peer) {
        SipMessage formed = forms.formed(message, peer);
        if (formed == null) {
            throw new AssertionError("refused: " + message);
        }
        assertThat(longest(formed))
                .isLessThanOrEqualTo(peer.maxLine() == 0 ? Integer.MAX_VALUE : peer.maxLine());
        return Border.parse(formed.toString());
    }

    private static int longest(SipMessage message) {
        String head = message.toString();
        return head.substring(0, head.indexOf("\r\n\r\n"))
                .lines()
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private static String routes(int count) {
        List<String> routes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            routes.add("<sip:proxy-number-" + i + ".example.com;lr;transport=tcp>");
        }
        return String.join(", ", routes);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100, 256})
    void aLongListIsPartedAtItsCommas(int most) {
        SipRequest invite =
                request(
                        "INVITE",
                        TARGET,
                        "Route: " + routes(20),
                        "Supported: " + "timer,".repeat(60) + "x");
        SipMessage formed = formed(invite, shortLines(most));
        assertThat(formed.headers(HeaderName.ROUTE)).isEqualTo(invite.headers(HeaderName.ROUTE));
        assertThat(formed.headers(HeaderName.SUPPORTED)).hasSize(61);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Contact: \"A display name; with, signs\" <sip:a@b.example.com;ob;x=y>;expires=600;+sip.instance=\"<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>\";reg-id=1;q=0.5",
                "Subject: words and words and words and words and words and words and words and words and words",
                "Authorization: Digest username=\"alice\",realm=\"a realm of some length\",nonce=\"84a4cc6f3082121f32b42a2187831a9e\",uri=\"sip:x\",response=\"7587245234b3434cc3412213e5f113a5432\"",
                "P-Access-Network-Info: 3GPP-E-UTRAN-FDD;utran-cell-id-3gpp=26201abcd1234567;sbc-domain=x;ue-ip=1;ue-port=5",
                "Via: SIP/2.0/UDP 203.0.113.1:5070;branch=z9hG4bKabcdefghijklmnopqrstuvw.-l0123456789abc;rport;maddr=198.51.100.1;ttl=16",
            })
    void aLongElementIsFoldedWhereTheGrammarHasSpace(String header) {
        SipRequest invite = request("INVITE", TARGET, header);
        HeaderName name = HeaderName.of(header.substring(0, header.indexOf(':')));
        SipMessage formed = formed(invite, shortLines(80));
        String said = String.valueOf(formed.header(name)).replace("; ", ";").replace(" ;", ";");
        assertThat(said.replace(", ", ","))
                .isEqualTo(
                        header.substring(header.indexOf(':') + 2)
                                .replace("; ", ";")
                                .replace(", ", ","));
        assertThat(formed.contacts()).hasToString(invite.contacts().toString());
        assertThat(formed.topVia().branch()).isEqualTo(invite.topVia().branch());
    }

    @Test
    void foldsThatAreThereAreMadeAnew() {
        SipRequest invite =
                request("INVITE", TARGET, "Subject: one\n  two\n\t" + "three ".repeat(40));
        assertThat(formed(invite, shortLines(80)).header(HeaderName.SUBJECT))
                .isEqualTo(invite.header(HeaderName.SUBJECT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Call-ID: ",
                "Contact: <sip:",
                "X-Token: ",
                "Identity: ",
                "Subject: ",
                "Route: <sip:a;lr>, <sip:",
            })
    void whatCannotBePartedIsRefused(String header) {
        String value = "a".repeat(260) + (header.endsWith("<sip:") ? ">" : "");
        assertThat(forms.formed(request("INVITE", TARGET, header + value), shortLines(256)))
                .isNull();
        assertThat(
                        forms.formed(
                                request("INVITE", "sip:" + "u".repeat(256) + "@x"),
                                shortLines(256)))
                .isNull();
    }

    @Test
    void aLineOfExactlyTheLimitStays() {
        String name = "X-Word: ";
        String word = "a".repeat(256 - name.length());
        @Nullable SipMessage same =
                forms.formed(request("INVITE", TARGET, name + word), shortLines(256));
        assertThat(String.valueOf(same)).contains(name + word + "\r\n");
        assertThat(forms.formed(request("INVITE", TARGET, name + word + "a"), shortLines(256)))
                .isNull();
    }

    @Test
    void namesAreCompactOrLong() {
        SipRequest invite =
                request("INVITE", TARGET, "Contact: <sip:a@b>", "s: hello", "X-Own: 1", "k: timer");
        String compact = formed(invite, peer(0, HeaderForm.COMPACT, ListForm.AS_IS)).toString();
        assertThat(compact)
                .contains("\r\nm: <sip:a@b>\r\n", "\r\ns: hello\r\n", "\r\nX-Own: 1\r\n", "\r\nv: ")
                .contains("\r\ni: call-1\r\n", "\r\nCSeq: 1 INVITE\r\n");
        String whole = formed(invite, peer(0, HeaderForm.LONG, ListForm.AS_IS)).toString();
        assertThat(whole)
                .contains(
                        "\r\nContact: <",
                        "\r\nSubject: hello",
                        "\r\nSupported: timer",
                        "\r\nVia: ");
    }

    @Test
    void listsAreJoinedOrTakenApart() {
        SipRequest invite =
                request(
                        "INVITE",
                        TARGET,
                        "Route: <sip:a;lr>, <sip:b;lr>",
                        "Supported: timer",
                        "Route: <sip:c;lr>",
                        "Proxy-Authorization: Digest realm=\"a\", nonce=\"b\"",
                        "Proxy-Authorization: Digest realm=\"c\", nonce=\"d\"");
        String joined = formed(invite, peer(0, HeaderForm.DEFAULT, ListForm.JOINED)).toString();
        assertThat(joined)
                .containsOnlyOnce("Route: ")
                .contains("<sip:a;lr>, <sip:b;lr>, <sip:c;lr>");
        String separate = formed(invite, peer(0, HeaderForm.DEFAULT, ListForm.SEPARATE)).toString();
        assertThat(separate)
                .contains(
                        "\r\nRoute: <sip:a;lr>\r\nRoute: <sip:b;lr>\r\n",
                        "\r\nRoute: <sip:c;lr>\r\n");
        // RFC 3261 7.3.1: the commas of authentication headers part no elements.
        for (String text : List.of(joined, separate)) {
            assertThat(text)
                    .contains("Proxy-Authorization: Digest realm=\"a\", nonce=\"b\"\r\n")
                    .contains("Proxy-Authorization: Digest realm=\"c\", nonce=\"d\"\r\n");
        }
        SipMessage folded =
                formed(
                        request("INVITE", TARGET, "Route: " + routes(20)),
                        peer(120, HeaderForm.DEFAULT, ListForm.JOINED));
        assertThat(folded.toString()).containsOnlyOnce("\r\nRoute: ");
        assertThat(folded.headers(HeaderName.ROUTE)).hasSize(20);
    }

    @Test
    void hiddenRoutesAreSharedOutOverShortLines() {
        Border border = new Border(Border.CARRIER.with(256, HeaderForm.DEFAULT, ListForm.AS_IS));
        List<String> inside = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            inside.add("<sip:p" + i + ".a-rather-long-name-of-a-host.core.example;lr;x=" + i + ">");
        }
        SipRequest invite =
                request(
                        "INVITE",
                        TARGET,
                        "Record-Route: <sip:203.0.113.1:5070;lr;crl=k>, "
                                + String.join(",", inside));
        SipRequest outside = border.out(invite);
        assertThat(longest(outside)).isLessThanOrEqualTo(256);
        List<String> seen = outside.headers(HeaderName.RECORD_ROUTE);
        assertThat(seen.size()).isBetween(5, 15);
        SipRequest bye = border.in(request("BYE", "sip:x@y", "Route: " + String.join(",", seen)));
        assertThat(bye.headers(HeaderName.ROUTE))
                .isEqualTo(invite.headers(HeaderName.RECORD_ROUTE));
        assertThat(border.in(Border.answer(outside, 200), invite).headers(HeaderName.RECORD_ROUTE))
                .isEqualTo(invite.headers(HeaderName.RECORD_ROUTE));
        // The other direction: the caller outside turns the list around.
        SipMessage ok =
                border.out(
                        Border.answer(
                                request(
                                        "INVITE",
                                        TARGET,
                                        "Record-Route: "
                                                + String.join(",", inside)
                                                + ",<sip:203.0.113.1:5070;lr;crl=k>"),
                                200));
        List<String> routes = ok.headers(HeaderName.RECORD_ROUTE).reversed();
        SipRequest ack = border.in(request("ACK", "sip:x@y", "Route: " + String.join(",", routes)));
        List<String> wanted = new ArrayList<>(inside.reversed());
        wanted.addFirst("<sip:203.0.113.1:5070;lr;crl=k>");
        assertThat(ack.headers(HeaderName.ROUTE)).isEqualTo(wanted);
    }
}
