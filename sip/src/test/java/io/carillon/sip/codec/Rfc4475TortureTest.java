package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The 50 torture messages of RFC 4475, at the parser, by their EXPECTED.tsv. */
class Rfc4475TortureTest {
    private static final Path FOLDER = folder("rfc4475");

    private static SipMessage accepted(String name) {
        return parse(read(FOLDER.resolve(name + ".dat")));
    }

    private static SipRequest request(String name) {
        return (SipRequest) accepted(name);
    }

    @TestFactory
    List<DynamicTest> each_message_as_expected() {
        List<Map<String, String>> rows = TestMessages.table(FOLDER.resolve("EXPECTED.tsv"));
        assertThat(rows).hasSize(50);
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.get("file"), () -> check(row)))
                .toList();
    }

    private static void check(Map<String, String> row) {
        byte[] b = read(FOLDER.resolve(row.get("file")));
        ParseResult result = datagram(b);
        String expected = row.get("parser");
        switch (row.get("file")) {
            case "badbranch.dat" -> assertThat(result).isInstanceOf(ParseResult.Parsed.class);
            case "badvers.dat" -> assertRejected(result, 505);
            case "mismatch02.dat" -> assertRejected(result, 501);
            // No SIP version at all: nobody to answer to, nothing to answer.
            case "test.dat" -> assertThat(result).isInstanceOf(ParseResult.Dropped.class);
            default -> {
                if (expected.startsWith("accept")) {
                    assertThat(result).isInstanceOf(ParseResult.Parsed.class);
                    assertRoundTrip(b, ((ParseResult.Parsed) result).message());
                } else if (expected.startsWith("drop")) {
                    assertThat(result).isInstanceOf(ParseResult.Dropped.class);
                } else {
                    assertRejected(result, 400);
                }
            }
        }
    }

    private static void assertRejected(ParseResult result, int status) {
        assertThat(result).isInstanceOf(ParseResult.Rejected.class);
        ParseResult.Rejected rejected = (ParseResult.Rejected) result;
        assertThat(rejected.status()).as(rejected.reason()).isEqualTo(status);
        if (rejected.request() != null) {
            SipRequest partial = rejected.request();
            SipResponse answer =
                    MessageDraft.responseTo(partial, status, rejected.reason(), "tag")
                            .freezeResponse();
            assertThat(answer.topVia()).isEqualTo(partial.topVia());
            assertThat(answer.status()).isEqualTo(status);
        }
    }

    private static void assertRoundTrip(byte[] b, SipMessage message) {
        if (message.has(HeaderName.CONTENT_LENGTH)) {
            SipMessage printed = MessageDraft.copyOf(message).freeze();
            assertThat(printed.toString()).isEqualTo(message.toString());
        }
        MessageStructure.assertSame(
                parse(MessageStructure.wire(MessageDraft.copyOf(message).freeze())), message);
    }

    @Test
    void an_answer_can_be_made_to_each_rejected_request_whose_via_is_good() {
        for (String name :
                List.of(
                        "clerr",
                        "ncl",
                        "scalar02",
                        "quotbal",
                        "ltgtruri",
                        "lwsruri",
                        "lwsstart",
                        "trws",
                        "escruri",
                        "regbadct",
                        "badaspec",
                        "badvers",
                        "mismatch01",
                        "mismatch02",
                        "insuf",
                        "multi01",
                        "mcl01")) {
            ParseResult result = datagram(read(FOLDER.resolve(name + ".dat")));
            assertThat(((ParseResult.Rejected) result).request()).as(name).isNotNull();
        }
    }

    @Test
    void s3_1_1_1_a_short_tortuous_invite() {
        SipRequest m = request("wsinv");
        assertThat(m.maxForwards()).isEqualTo(68);
        assertThat(m.cseq().number()).isEqualTo(9);
        assertThat(m.cseq().method()).isSameAs("INVITE");
        assertThat(m.fromTag()).isEqualTo("98asjd8");
        assertThat(m.toTag()).isEqualTo("1918181833n");
        assertThat(m.from().displayName()).isEqualTo("J Rosenberg \\\"");
        assertThat(m.vias())
                .extracting(Via::branch)
                .containsExactly("390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239");
        assertThat(m.vias())
                .extracting(Via::host)
                .containsExactly("192.0.2.2", "spindle.example.com", "192.168.255.111");
        assertThat(m.header(HeaderName.of("NewFangledHeader")))
                .isEqualTo("newfangled value continued newfangled value");
        assertThat(m.header(HeaderName.of("UnknownHeaderWithUnusualValue"))).isEqualTo(";;,,;;,;");
        assertThat(m.header(HeaderName.SUBJECT)).isEmpty();
        assertThat(m.contacts()).hasSize(1);
        assertThat(m.contacts().get(0).displayName()).isEqualTo("Quoted string \"\"");
        assertThat(m.contacts().get(0).param("newparam")).isEqualTo("newvalue");
        assertThat(m.contacts().get(0).param("secondparam")).isEmpty();
        assertThat(m.contacts().get(0).param("q")).isEqualTo("0.33");
        assertThat(m.routes()).hasSize(1);
        assertThat(((SipUri) m.routes().get(0).uri()).isLooseRouter()).isTrue();
    }

    @Test
    void s3_1_1_2_wide_range_of_valid_characters() {
        SipRequest m = request("intmeth");
        assertThat(m.method()).isEqualTo("!interesting-Method0123456789_*+`.%indeed'~");
        SipUri uri = (SipUri) m.requestUri();
        assertThat(uri.host()).isEqualTo("example.com");
        assertThat(uri.rawUser()).isEqualTo("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
        assertThat(uri.password()).isEqualTo("&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
        assertThat(m.to().displayName()).isEqualTo("BEL:\u0007 NUL:\u0000 DEL:\u007f");
        assertThat(m.from().displayName()).isEqualTo("token1~` token2'+_ token3*%!.-");
        assertThat(m.from().param("fromParam''~+*_!.-%")).isEqualTo("работающий");
        assertThat(m.fromTag()).isEqualTo("_token~1'+`*%!-.");
        assertThat(m.callId()).isEqualTo("intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{");
        assertThat(m.header(HeaderName.of("extensionHeader-!.%*+_`'~"))).isEqualTo("\ufeff大停電");
    }

    @Test
    void s3_1_1_3_and_4_escapes_are_decoded_once_and_nul_does_not_end_a_user() {
        SipUri uri = (SipUri) request("esc01").requestUri();
        assertThat(uri.user()).isEqualTo("sips:user@example.com");
        assertThat(uri.host()).isEqualTo("example.net");
        SipRequest register = request("escnull");
        assertThat(register.contacts()).hasSize(2);
        assertThat(((SipUri) register.contacts().get(0).uri()).user()).hasSize(1);
        assertThat(((SipUri) register.contacts().get(1).uri()).user()).hasSize(2);
    }

    @Test
    void s3_1_1_5_percent_is_no_escape_in_methods_and_header_names() {
        SipRequest m = request("esc02");
        assertThat(m.method()).isEqualTo("RE%47IST%45R");
        assertThat(m.contacts()).hasSize(2);
        assertThat(m.to().displayName()).isEqualTo("%Z%45");
    }

    @Test
    void s3_1_1_8_what_follows_the_body_in_a_datagram_is_cut() {
        SipRequest m = request("dblreq");
        assertThat(m.method()).isEqualTo("REGISTER");
        assertThat(m.bodyLength()).isZero();
        assertThat(m.toString()).doesNotContain("INVITE");
    }

    @Test
    void s3_1_1_9_semicolon_separated_parameters_in_the_user_part() {
        assertThat(((SipUri) request("semiuri").requestUri()).user())
                .isEqualTo("user;par=u@example.net");
    }

    @Test
    void s3_1_1_10_unknown_transports() {
        assertThat(request("transports").vias())
                .extracting(Via::transport)
                .containsExactly("UDP", "SCTP", "TLS", "UNKNOWN", "TCP");
    }

    @Test
    void s3_1_1_11_a_body_with_nul_bytes() {
        SipRequest m = request("mpart01");
        assertThat(m.bodyLength()).isEqualTo(553);
        assertThat(m.body()).contains((byte) 0);
    }

    @Test
    void s3_1_1_12_and_13_reason_phrases() {
        assertThat(((SipResponse) accepted("unreason")).reason())
                .isEqualTo("= 2**3 * 5**2 но сто девяносто девять - простое");
        assertThat(((SipResponse) accepted("noreason")).reason()).isEmpty();
    }

    @Test
    void s3_2_1_the_bare_cookie_identifies_no_transaction() {
        assertThat(request("badbranch").topVia().hasTransactionId()).isFalse();
    }

    @Test
    void s3_3_12_and_13_a_contact_parameter_belongs_to_the_uri_inside_brackets_only() {
        assertThat(request("cparam01").contacts().get(0).param("unknownparam")).isEmpty();
        assertThat(((SipUri) request("cparam01").contacts().get(0).uri()).hasParam("unknownparam"))
                .isFalse();
        assertThat(((SipUri) request("cparam02").contacts().get(0).uri()).hasParam("unknownparam"))
                .isTrue();
    }

    @Test
    void s3_3_14_escaped_headers_stay_in_the_contact_uri() {
        SipUri uri = (SipUri) request("regescrt").contacts().get(0).uri();
        assertThat(uri.uriHeader("Route")).isEqualTo("<sip:sip.example.com>");
    }

    @Test
    void s3_4_1_an_rfc_2543_invite_has_the_rest_of_the_datagram_as_body() {
        SipRequest m = request("inv2543");
        assertThat(m.bodyLength()).isEqualTo(105);
        assertThat(m.fromTag()).isNull();
        assertThat(m.topVia().branch()).isNull();
        assertThat(m.maxForwards()).isEqualTo(-1);
        SipMessage printed = MessageDraft.copyOf(m).freeze();
        assertThat(printed.header(HeaderName.CONTENT_LENGTH)).isEqualTo("105");
    }
}
