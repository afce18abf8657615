package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.bytes;
import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What decides over accepting a message: RFC 3261 7, 8.1.1, 18.3. */
class MessageParserTest {
    private static final String OPTIONS =
            """
            OPTIONS sip:b@h SIP/2.0
            Via: SIP/2.0/UDP a;branch=z9hG4bK1
            Max-Forwards: 70
            From: <sip:a@h>;tag=1
            To: <sip:b@h>
            Call-ID: c
            CSeq: 1 OPTIONS

            """;

    private static String refusal(String text) {
        return refusal(text, Compliance.DEFAULT);
    }

    private static String refusal(String text, Compliance compliance) {
        byte[] b = bytes(text);
        return switch (new MessageParser(compliance, MessageLimits.DEFAULT)
                .parseDatagram(b, b.length)) {
            case ParseResult.Parsed p -> "accepted";
            case ParseResult.Rejected r -> r.status() + " " + r.reason();
            case ParseResult.Dropped d -> "dropped: " + d.cause();
        };
    }

    private static String with(String from, String to) {
        assertThat(OPTIONS).contains(from);
        return OPTIONS.replace(from, to);
    }

    @Test
    void s8_1_1_each_mandatory_header() {
        assertThat(refusal(OPTIONS)).isEqualTo("accepted");
        assertThat(refusal(OPTIONS, Compliance.STRICT)).isEqualTo("accepted");
        for (String header : List.of("Via", "From", "To", "Call-ID", "CSeq")) {
            String without = OPTIONS.replaceFirst("\n" + header + ":[^\n]*", "");
            assertThat(refusal(without)).isEqualTo("400 Missing " + header);
        }
        String noHops = OPTIONS.replace("Max-Forwards: 70\n", "");
        assertThat(refusal(noHops)).isEqualTo("accepted");
        assertThat(refusal(noHops, Compliance.STRICT)).isEqualTo("400 Missing Max-Forwards");
    }

    @Test
    void s7_3_1_a_single_header_stands_once_in_any_spelling() {
        for (String twice :
                List.of(
                        "f: <sip:x@h>;tag=2",
                        "t: <sip:x@h>",
                        "CALL-ID: c",
                        "cseq : 1 OPTIONS",
                        "max-forwards: 3",
                        "l: 0\nContent-Length: 0",
                        "c: a/b\nContent-Type: a/b",
                        "Expires: 1\nExpires: 2",
                        "RAck: 1 1 X\nRAck: 1 1 X")) {
            assertThat(refusal(with("Max-Forwards", twice + "\nMax-Forwards")))
                    .as(twice)
                    .startsWith("400 Repeated ");
        }
        String subjects = with("Max-Forwards", "s: a\nSubject: b\nMax-Forwards");
        assertThat(refusal(subjects)).isEqualTo("accepted");
        assertThat(refusal(subjects, Compliance.STRICT)).isEqualTo("400 Repeated Header");
    }

    @Test
    void s25_1_an_empty_uri_parameter_is_tolerated_by_name() {
        Compliance without = Compliance.DEFAULT.without(Violation.EMPTY_PARAMETER);
        assertThat(OPTIONS).startsWith("OPTIONS sip:");
        String line = OPTIONS.substring(0, OPTIONS.indexOf(" SIP/2.0"));
        for (String header : List.of("From", "To", "Contact", "Route", "Record-Route")) {
            String text =
                    header.equals("From") || header.equals("To")
                            ? OPTIONS.replaceFirst(
                                    "\n" + header + ":[^\n]*",
                                    "\n"
                                            + header
                                            + ": <sip:x@h;>;p"
                                            + (header.equals("From") ? ";tag=1" : ""))
                            : with("Max-Forwards", header + ": <sip:x@h;lr;>\nMax-Forwards");
            assertThat(refusal(text)).as(header).isEqualTo("accepted");
            assertThat(refusal(text, without)).as(header).isEqualTo("400 Empty Parameter");
        }
        String asked = OPTIONS.replace(line, line + ";");
        assertThat(refusal(asked)).isEqualTo("accepted");
        assertThat(refusal(asked, without)).isEqualTo("400 Empty Parameter In Request-URI");
        assertThat(refusal(OPTIONS, without)).isEqualTo("accepted");
    }

    @Test
    void s8_1_1_5_cseq_range_and_method() {
        assertThat(refusal(with("CSeq: 1", "CSeq: 2147483647"), Compliance.STRICT))
                .isEqualTo("accepted");
        assertThat(refusal(with("CSeq: 1", "CSeq: 2147483648"), Compliance.STRICT))
                .isEqualTo("400 CSeq Out Of Range");
        assertThat(refusal(with("CSeq: 1", "CSeq: 4294967295"))).isEqualTo("accepted");
        assertThat(refusal(with("CSeq: 1", "CSeq: 4294967296"))).isEqualTo("400 Bad CSeq Number");
        assertThat(refusal(with("CSeq: 1", "CSeq: -1"))).isEqualTo("400 Bad CSeq Number");
        assertThat(refusal(with("1 OPTIONS", "1 INVITE"))).isEqualTo("400 CSeq Method Mismatch");
        assertThat(refusal(with("1 OPTIONS", "1 options"))).isEqualTo("400 CSeq Method Mismatch");
        assertThat(refusal(with("OPTIONS sip", "FOO sip"))).isEqualTo("501 Not Implemented");
    }

    @Test
    void s7_1_the_request_line() {
        assertThat(refusal(with("b@h SIP/2.0", "b@h SIP/3.0")))
                .isEqualTo("505 Version Not Supported");
        assertThat(refusal(with("b@h SIP/2.0", "b@h sip/2.0"))).isEqualTo("accepted");
        assertThat(refusal(with("b@h SIP/2.0", "b@h SIP/2.0 "))).isEqualTo("400 Bad Request-Line");
        assertThat(refusal(with("b@h SIP/2.0", "b@h  SIP/2.0"))).isEqualTo("400 Bad Request-URI");
        assertThat(refusal(with("sip:b@h SIP", "sip:b@h?a=b SIP")))
                .isEqualTo("400 Headers In Request-URI");
        assertThat(refusal(with("sip:b@h SIP", "SIP"))).isEqualTo("400 Bad Request-Line");
        assertThat(refusal(with("b@h SIP/2.0", "b@h HTTP/1.1"))).isEqualTo("dropped: no SIP");
        assertThat(refusal("\u0000\u0001\u0002")).isEqualTo("dropped: no SIP");
        assertThat(refusal("GET / HTTP/1.1\n\n")).isEqualTo("dropped: no SIP");
        assertThat(refusal("\n\n")).isEqualTo("dropped: keep-alive");
        assertThat(refusal("")).isEqualTo("dropped: keep-alive");
    }

    @Test
    void s7_2_the_status_line() {
        String ok = OPTIONS.replace("OPTIONS sip:b@h SIP/2.0", "SIP/2.0 200");
        assertThat(refusal(ok)).isEqualTo("accepted");
        assertThat(refusal(ok, Compliance.STRICT)).isEqualTo("dropped: malformed response");
        for (String bad :
                List.of(
                        "SIP/2.0 099 x",
                        "SIP/2.0 700 x",
                        "SIP/2.0 20 x",
                        "SIP/2.0 2000 x",
                        "SIP/1.0 200 x",
                        "SIP/2.0  200 x")) {
            assertThat(refusal(ok.replace("SIP/2.0 200\n", bad + "\n")))
                    .as(bad)
                    .isEqualTo("dropped: malformed response");
        }
        assertThat(refusal(ok.replace("From: ", "Frog: ")))
                .isEqualTo("dropped: malformed response");
    }

    @Test
    void s7_5_line_breaks_before_the_start_line_are_skipped() {
        SipRequest m = (SipRequest) parse(bytes("\n\n\n" + OPTIONS));
        assertThat(m.bytes()[0]).isEqualTo((byte) 'O');
        assertThat(m.method()).isSameAs("OPTIONS");
    }

    @Test
    void s18_3_content_length_of_a_datagram() {
        assertThat(request(OPTIONS + "abc").bodyLength()).isEqualTo(3);
        assertThat(request(with("CSeq", "l: 2\nCSeq") + "abc").bodyLength()).isEqualTo(2);
        assertThat(refusal(with("CSeq", "l: 4\nCSeq") + "abc"))
                .isEqualTo("400 Content-Length Beyond Message");
        assertThat(refusal(with("CSeq", "l: -1\nCSeq") + "abc"))
                .isEqualTo("400 Bad Content-Length");
        assertThat(refusal(with("CSeq", "l: 4294967299\nCSeq") + "abc"))
                .isEqualTo("400 Bad Content-Length");
        byte[] b = bytes(with("CSeq", "l: 2\nCSeq") + "abc");
        assertThat(
                        new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                                .parseFramed(b, b.length))
                .isInstanceOf(ParseResult.Rejected.class);
    }

    @Test
    void s7_3_lines_that_are_no_headers() {
        assertThat(refusal(with("CSeq", ": x\nCSeq"))).isEqualTo("400 Bad Header Line");
        assertThat(refusal(with("CSeq", "a b: x\nCSeq"))).isEqualTo("400 Bad Header Line");
        assertThat(refusal(with("Via", " folded: x\nVia"))).isEqualTo("400 Bad Header Line");
        assertThat(refusal(with("CSeq", "junk\nCSeq"), Compliance.STRICT))
                .isEqualTo("400 Bad Header Line");
        SipMessage m = request(with("CSeq", "junk\nCSeq"));
        assertThat(m.headerCount()).isEqualTo(6);
        assertThat(io.carillon.sip.message.MessageDraft.copyOf(m).freeze().toString())
                .doesNotContain("junk");
    }

    @Test
    void control_characters_outside_quoted_pairs() {
        assertThat(refusal(with("CSeq", "X: a\u0000b\nCSeq"))).isEqualTo("400 NUL In Header");
        assertThat(refusal(with("CSeq", "X: a\u0007b\nCSeq")))
                .isEqualTo("400 Control Character In Header");
        assertThat(refusal(with("CSeq", "X: a\u0007b\nCSeq"), Compliance.LENIENT))
                .isEqualTo("accepted");
        byte[] bare =
                new String(bytes(OPTIONS), UTF_8)
                        .replace("CSeq", "X: a\nY: b\r\nCSeq")
                        .getBytes(UTF_8);
        assertThat(((ParseResult.Rejected) datagram(bare)).reason()).isEqualTo("Bad Line Break");
    }

    @Test
    void a_message_that_ends_early() {
        String text = OPTIONS.strip();
        assertThat(refusal(text)).isEqualTo("400 Truncated Header");
        assertThat(refusal(text + "\n")).isEqualTo("400 Missing Empty Line");
        assertThat(refusal(text + "\n", Compliance.LENIENT)).isEqualTo("accepted");
    }

    @Test
    void limits_bound_the_work() {
        assertThat(refusal(with("CSeq", "X-Y: z\n".repeat(300) + "CSeq")))
                .isEqualTo("400 Too Many Headers");
        assertThat(refusal(with("CSeq", "X-Y: " + "z".repeat(20_000) + "\nCSeq")))
                .isEqualTo("400 Header Line Too Long");
        byte[] big = bytes(OPTIONS + "x".repeat(70_000));
        assertThat(datagram(big)).isInstanceOf(ParseResult.Dropped.class);
    }

    @Test
    void a_rejected_ack_is_not_answered() {
        String ack = OPTIONS.replace("OPTIONS", "ACK").replace("To: ", "T0: ");
        assertThat(((ParseResult.Rejected) datagram(ack)).request()).isNull();
        assertThat(((ParseResult.Rejected) datagram(with("To: ", "T0: "))).request()).isNotNull();
    }

    @Test
    void tolerated_violations_are_counted_and_each_has_its_reference() {
        MessageParser parser = new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
        byte[] b = bytes(with(";tag=1", ""));
        assertThat(parser.parseDatagram(b, b.length)).isInstanceOf(ParseResult.Parsed.class);
        assertThat(parser.tolerated(Violation.FROM_TAG_MISSING)).isEqualTo(1);
        assertThat(parser.tolerated(Violation.CONTROL_CHARACTER)).isZero();
        for (Violation v : Violation.values()) {
            assertThat(v.reference()).startsWith("RFC ");
            assertThat(v.sentence()).isNotEmpty();
            assertThat(Compliance.STRICT.with(v).tolerates(v)).isTrue();
            assertThat(Compliance.LENIENT.without(v).tolerates(v)).isFalse();
        }
    }

    @Test
    void a_name_is_the_same_with_white_space_before_its_colon() {
        assertThat(request(with("Call-ID:", "Call-ID \t:")).callId()).isEqualTo("c");
        assertThat(
                        request(with("CSeq", "p-asserted-IDENTITY\t : <sip:x@h>\nCSeq"))
                                .has(HeaderName.P_ASSERTED_IDENTITY))
                .isTrue();
    }

    @Test
    void rfc3261_20_34_routes_without_brackets_get_them_and_keep_their_parameters() {
        SipRequest request =
                request(
                        TestMessages.INVITE.replace(
                                "Max-Forwards",
                                "Route: sip:p1.example.com;lr , <sip:p2.example.com;lr>,sips:p3\n"
                                        + "Record-Route: sip:p4.example.com;lr;x=1\nMax-Forwards"));

        assertThat(request.routes())
                .extracting(route -> route.uri().toString())
                .containsExactly("sip:p1.example.com;lr", "sip:p2.example.com;lr", "sips:p3");
        assertThat(request.recordRoutes())
                .extracting(Object::toString)
                .containsExactly("<sip:p4.example.com;lr;x=1>");
        assertThat(new String(request.body(), UTF_8)).isEqualTo("v=0\r");
    }

    @Test
    void rfc3261_20_10_a_contact_nobody_needs_may_be_unreadable_and_leaves_as_it_came() {
        String ok =
                """
                SIP/2.0 200 OK
                Via: SIP/2.0/UDP pc33.example.org;branch=z9hG4bKnashds8
                From: <sip:a@example.org>;tag=1
                To: <sip:b@example.org>;tag=2
                Call-ID: c
                CSeq: 1 INVITE
                Contact: <sip:b@
                Content-Length: 0

                """;
        SipResponse response = TestMessages.response(ok);

        assertThat(response.contact()).isNull();
        assertThat(response.contacts()).isEmpty();
        assertThat(response.toString()).contains("Contact: <sip:b@\r\n");
        assertThat(MessageStructure.wire(MessageDraft.copyOf(response).freeze()))
                .contains("Contact: <sip:b@\r\n".getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "SUBSCRIBE", "REFER", "UPDATE", "REGISTER"})
    void a_contact_that_decides_where_later_requests_go_must_be_readable(String method) {
        String text =
                TestMessages.INVITE
                        .replace("INVITE", method)
                        .replaceAll("Contact: .*", "Contact: <sip:alice@");

        assertThat(datagram(text)).isInstanceOf(ParseResult.Rejected.class);
    }

    @Test
    void lines_are_found_again_however_they_are_spaced() {
        SipMessage m =
                request(
                        with(
                                "CSeq:",
                                "Subject : \t a \nX-Empty:\nX-Blank: \t\nX-Tight:a:b:\n"
                                        + "X-Fold: a\n  b\nno header at all\nX-After: c\nCSeq:"));
        assertThat(m.header(HeaderName.of("Subject"))).isEqualTo("a");
        assertThat(m.header(HeaderName.of("X-Empty"))).isEmpty();
        assertThat(m.header(HeaderName.of("X-Blank"))).isEmpty();
        assertThat(m.header(HeaderName.of("X-Tight"))).isEqualTo("a:b:");
        assertThat(m.header(HeaderName.of("X-Fold"))).isEqualTo("a b");
        assertThat(m.header(HeaderName.of("X-After"))).isEqualTo("c");
        for (int i = 0; i < m.headerCount(); i++) {
            assertThat(m.valueStart(i)).isLessThanOrEqualTo(m.valueEnd(i));
            assertThat(m.lineEnd(i)).isGreaterThanOrEqualTo(m.valueEnd(i) + 2);
        }
        // What is no header is behind the fold, and belongs to no line.
        int fold = m.find(HeaderName.of("X-Fold"), 0);
        String line =
                new String(
                        m.bytes(), m.lineStart(fold), m.lineEnd(fold) - m.lineStart(fold), UTF_8);
        assertThat(line).isEqualTo("X-Fold: a\r\n  b\r\n");
        SipMessage copy = MessageDraft.copyOf(m).freeze();
        assertThat(copy.toString()).doesNotContain("no header").contains("X-After: c\r\n");
        assertThat(copy.valueAt(copy.find(HeaderName.of("X-Blank"), 0))).isEmpty();
    }

    @Test
    void cseq_and_tags_are_the_same_by_every_way_to_them() {
        SipMessage m =
                request(with("<sip:b@h>", "<sip:b@h>;x=1;tag=\"q t\"").replace("1 O", "7\tO"));
        assertThat(m.cseqNumber()).isEqualTo(7);
        assertThat(m.cseqMethod()).isSameAs(Methods.OPTIONS);
        assertThat(m.cseq().toString()).isEqualTo("7 OPTIONS");
        String before = m.toTag();
        assertThat(m.to().tag()).isEqualTo("q t");
        assertThat(m.toTag()).isEqualTo(before).isEqualTo("\"q t\"");
        assertThat(m.fromTag()).isEqualTo("1");
        assertThat(m.from().tag()).isEqualTo(m.fromTag());
    }
}
