package io.carillon.sip.message;

import static io.carillon.sip.codec.TestMessages.bytes;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.request;
import static io.carillon.sip.codec.TestMessages.response;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.codec.MessageStructure;
import io.carillon.sip.codec.TestMessages;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The overlay and its printer. */
class MessageDraftTest {
    private static final String ODD =
            """
            INVITE sip:bob@b.example.com SIP/2.0
            v:SIP/2.0/UDP a;branch=z9hG4bK1 ,SIP/2.0/TCP  b;branch=z9hG4bK2
            Subject :  a
              folded\tvalue
            ROUTE: <sip:p1;lr>, <sip:p2;lr>
            MAX-forwards:   070
            f: Alice <sip:alice@a.example.com>;tag=1
            t: sip:bob@b.example.com
            i: x
            CSeq: 0007   INVITE
            X-Unknown: <<,,;"
            Route: <sip:p3;lr>
            Supported: 100rel,timer
            Supported: path
            l: 0

            """;

    private static final Via VIA = Via.of("UDP", "proxy", 5060, "z9hG4bKnew");

    private static NameAddress address(String text) {
        try {
            return NameAddress.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertParsesSame(SipMessage printed) {
        MessageStructure.assertSame(parse(MessageStructure.wire(printed)), printed);
    }

    @Test
    void s7_3_1_untouched_headers_leave_byte_identical_and_in_order() {
        SipRequest m = request(ODD);
        SipMessage same = MessageDraft.copyOf(m).freeze();
        assertThat(MessageStructure.wire(same)).isEqualTo(bytes(ODD));
        SipMessage forwarded =
                MessageDraft.copyOf(m)
                        .prependVia(VIA)
                        .setMaxForwards(69)
                        .removeFirst(HeaderName.ROUTE)
                        .prependRecordRoute(address("<sip:proxy;lr>"))
                        .setRequestUri(uri("sip:bob@192.0.2.4"))
                        .freeze();
        assertThat(forwarded.toString())
                .isEqualTo(
                        new String(bytes(ODD), UTF_8)
                                .replace("sip:bob@b.example.com SIP", "sip:bob@192.0.2.4 SIP")
                                .replace(
                                        "v:SIP",
                                        "Via: SIP/2.0/UDP proxy:5060;branch=z9hG4bKnew\r\nv:SIP")
                                .replace("Subject :", "Record-Route: <sip:proxy;lr>\r\nSubject :")
                                .replace("ROUTE: <sip:p1;lr>, <sip:p2;lr>", "Route: <sip:p2;lr>")
                                .replace("MAX-forwards:   070", "Max-Forwards: 69"));
        assertParsesSame(forwarded);
        assertThat(forwarded.topVia()).isSameAs(VIA);
    }

    @Test
    void s7_3_1_repeated_and_comma_joined_headers_are_one_list() {
        SipRequest m = request(ODD);
        assertThat(m.headers(HeaderName.SUPPORTED)).containsExactly("100rel", "timer", "path");
        assertThat(m.vias()).extracting(Via::branch).containsExactly("z9hG4bK1", "z9hG4bK2");
        assertThat(m.routes())
                .extracting(r -> ((SipUri) r.uri()).host())
                .containsExactly("p1", "p2", "p3");
        assertThat(m.headers(HeaderName.of("x-unknown"))).containsExactly("<<,,;\"");
        assertThat(m.header(HeaderName.SUBJECT)).isEqualTo("a folded\tvalue");
        MessageDraft d = MessageDraft.copyOf(m);
        for (int left = 3; left > 0; left--) {
            assertThat(d.routes()).hasSize(left);
            d.removeFirst(HeaderName.ROUTE);
        }
        assertThat(d.has(HeaderName.ROUTE)).isFalse();
        assertThat(d.all(HeaderName.SUPPORTED)).containsExactly("100rel", "timer", "path");
    }

    @Test
    void s7_3_3_long_and_compact_forms() {
        SipRequest m = request(ODD);
        String compact = MessageDraft.copyOf(m).headerForm(HeaderForm.COMPACT).freeze().toString();
        assertThat(compact)
                .contains("\r\ns: a\r\n", "\r\nk: path", "\r\nl: 0", "\r\nMax-Forwards: 070");
        SipMessage longForm = MessageDraft.copyOf(m).headerForm(HeaderForm.LONG).freeze();
        assertThat(longForm.toString())
                .contains("\r\nVia: SIP", "\r\nFrom: ", "\r\nContent-Length: 0");
        MessageStructure.assertSame(longForm, m);
        assertParsesSame(longForm);
        assertParsesSame(parse(bytes(compact)));
    }

    @Test
    void set_add_and_remove_keep_positions() {
        SipRequest m = request(ODD);
        MessageDraft d = MessageDraft.copyOf(m);
        d.set(HeaderName.SUPPORTED, "x")
                .set(HeaderName.of("X-New"), "1")
                .addLast(HeaderName.of("x-new"), "2");
        d.addFirst(HeaderName.of("X-New"), "0");
        assertThat(d.all(HeaderName.SUPPORTED)).containsExactly("x");
        assertThat(d.all(HeaderName.of("X-NEW"))).containsExactly("0", "1", "2");
        SipMessage out = d.freeze();
        assertThat(out.headers(HeaderName.of("X-New"))).containsExactly("0", "1", "2");
        assertThat(out.toString())
                .contains("Supported: x\r\nl: 0\r\nX-New: 0\r\nX-New: 1\r\nx-new: 2\r\n\r\n");
        assertThat(d.copy().remove(HeaderName.of("X-New")).freeze().has(HeaderName.of("X-New")))
                .isFalse();
        assertThat(d.all(HeaderName.of("X-New"))).hasSize(3);
        assertParsesSame(out);
    }

    @Test
    void a_line_break_or_nul_in_a_value_is_refused_at_the_setter() {
        MessageDraft d = MessageDraft.copyOf(request(ODD));
        for (String evil : List.of("a\r\nX: y", "a\nb", "a\rb", "a\u0000b", "\r\n\r\nINVITE")) {
            assertThatThrownBy(() -> d.set(HeaderName.SUBJECT, evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> d.addFirst(HeaderName.SUBJECT, evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> d.addLast(HeaderName.SUBJECT, evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> d.setMethod(evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> d.setCallId(evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> d.body(new byte[1], evil))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> MessageDraft.response(200, evil))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> d.set(HeaderName.CONTACT, "nonsense"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> d.set(HeaderName.VIA, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> d.set(HeaderName.CSEQ, "-1 X"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(d.freeze().toString()).isEqualTo(request(ODD).toString());
    }

    @Test
    void s20_14_content_length_is_always_right() {
        MessageDraft d = MessageDraft.copyOf(TestMessages.invite());
        assertThat(d.freeze().header(HeaderName.CONTENT_LENGTH)).isEqualTo("4");
        d.body("hello".getBytes(UTF_8), "text/plain").set(HeaderName.CONTENT_LENGTH, "99");
        SipMessage m = d.freeze();
        assertThat(m.headers(HeaderName.CONTENT_LENGTH)).containsExactly("5");
        assertThat(m.header(HeaderName.CONTENT_TYPE)).isEqualTo("text/plain");
        assertThat(m.body()).isEqualTo("hello".getBytes(UTF_8));
        SipMessage empty = d.remove(HeaderName.CONTENT_LENGTH).body(new byte[0], null).freeze();
        assertThat(empty.header(HeaderName.CONTENT_LENGTH)).isEqualTo("0");
        assertThat(empty.has(HeaderName.CONTENT_TYPE)).isFalse();
        assertParsesSame(m);
    }

    @Test
    void s8_1_1_a_request_from_nothing() {
        SipRequest r =
                MessageDraft.request(Methods.OPTIONS, uri("sip:h"))
                        .prependVia(VIA)
                        .setMaxForwards(70)
                        .setFrom(address("<sip:a@h>").withTag("1"))
                        .setTo(address("<sip:b@h>"))
                        .setCallId("c1")
                        .setCSeq(1, Methods.OPTIONS)
                        .setRoutes(List.of(address("<sip:p1;lr>"), address("<sip:p2;lr>")))
                        .set(HeaderName.SUBJECT, "Größe")
                        .freezeRequest();
        assertThat(r.toString())
                .isEqualTo(
                        "OPTIONS sip:h SIP/2.0\r\nVia: SIP/2.0/UDP proxy:5060;branch=z9hG4bKnew\r\n"
                                + "Route: <sip:p1;lr>\r\nRoute: <sip:p2;lr>\r\nMax-Forwards: 70\r\n"
                                + "From: <sip:a@h>;tag=1\r\nTo: <sip:b@h>\r\nCall-ID: c1\r\n"
                                + "CSeq: 1 OPTIONS\r\nSubject: Größe\r\nContent-Length: 0\r\n\r\n");
        assertParsesSame(r);
    }

    @Test
    void s8_2_6_2_a_response_takes_its_headers_from_the_request() {
        SipRequest m =
                request(
                        ODD.replace(
                                "Subject", "Record-Route: <sip:rr;lr>\nTimestamp: 54\nSubject"));
        SipResponse ok = MessageDraft.responseTo(m, 200, null, "srv").freezeResponse();
        assertThat(ok.toString())
                .isEqualTo(
                        "SIP/2.0 200 OK\r\n"
                                + "v:SIP/2.0/UDP a;branch=z9hG4bK1 ,SIP/2.0/TCP  b;branch=z9hG4bK2\r\n"
                                + "Record-Route: <sip:rr;lr>\r\n"
                                + "f: Alice <sip:alice@a.example.com>;tag=1\r\n"
                                + "To: sip:bob@b.example.com;tag=srv\r\ni: x\r\nCSeq: 0007   INVITE\r\n"
                                + "Content-Length: 0\r\n\r\n");
        assertThat(ok.toTag()).isEqualTo("srv");
        assertParsesSame(ok);
        SipResponse trying = MessageDraft.responseTo(m, 100, null, null).freezeResponse();
        assertThat(trying.toTag()).isNull();
        assertThat(trying.header(HeaderName.TIMESTAMP)).isEqualTo("54");
        assertThat(trying.has(HeaderName.RECORD_ROUTE)).isFalse();
        SipResponse busy = MessageDraft.responseTo(m, 486, "Not Now", "srv").freezeResponse();
        assertThat(busy.reason()).isEqualTo("Not Now");
        assertThat(busy.has(HeaderName.RECORD_ROUTE)).isFalse();
        SipRequest tagged =
                request(ODD.replace("t: sip:bob@b.example.com", "t: <sip:bob@b>;tag=old"));
        assertThat(MessageDraft.responseTo(tagged, 200, null, "new").freezeResponse().toTag())
                .isEqualTo("old");
    }

    @Test
    void s9_1_a_cancel_matches_the_request_it_cancels() {
        SipRequest invite = request(ODD);
        SipRequest cancel = MessageDraft.cancelOf(invite).freezeRequest();
        assertThat(cancel.toString())
                .isEqualTo(
                        "CANCEL sip:bob@b.example.com SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bK1\r\n"
                                + "Max-Forwards: 70\r\nf: Alice <sip:alice@a.example.com>;tag=1\r\n"
                                + "t: sip:bob@b.example.com\r\ni: x\r\nCSeq: 7 CANCEL\r\n"
                                + "ROUTE: <sip:p1;lr>, <sip:p2;lr>\r\nRoute: <sip:p3;lr>\r\n"
                                + "Content-Length: 0\r\n\r\n");
        assertParsesSame(cancel);
    }

    @Test
    void s17_1_1_3_an_ack_takes_to_from_the_response() {
        SipRequest invite = TestMessages.invite();
        SipResponse busy = MessageDraft.responseTo(invite, 486, null, "srv").freezeResponse();
        SipRequest ack = MessageDraft.ackOf(invite, busy).freezeRequest();
        assertThat(ack.method()).isSameAs(Methods.ACK);
        assertThat(ack.toTag()).isEqualTo("srv");
        assertThat(ack.topVia()).isEqualTo(invite.topVia());
        assertThat(ack.cseq().number()).isEqualTo(1);
        assertThat(ack.requestUri()).isEqualTo(invite.requestUri());
        assertThat(ack.bodyLength()).isZero();
        assertParsesSame(ack);
    }

    @Test
    void s18_2_1_the_top_via_is_replaced_without_touching_the_rest() {
        SipRequest invite = TestMessages.invite();
        SipRequest received =
                invite.withTopVia(invite.topVia().withReceived("192.0.2.9").withRport(40000));
        assertThat(received.toString())
                .isEqualTo(
                        invite.toString()
                                .replace(
                                        ":5060;rport;branch=z9hG4bK74bf9",
                                        ":5060;rport=40000;branch=z9hG4bK74bf9;received=192.0.2.9"));
        assertParsesSame(received);
        SipRequest joined = request(ODD);
        SipRequest changed = joined.withTopVia(joined.topVia().withReceived("1.2.3.4"));
        assertThat(changed.vias()).hasSize(2);
        assertThat(changed.vias().get(0).received()).isEqualTo("1.2.3.4");
        assertThat(changed.vias().get(1)).isEqualTo(joined.vias().get(1));
        assertParsesSame(changed);
    }

    @Test
    void top_via_of_a_response_is_popped() {
        SipResponse ok = MessageDraft.responseTo(request(ODD), 200, null, "x").freezeResponse();
        SipResponse popped =
                (SipResponse) MessageDraft.copyOf(ok).removeFirst(HeaderName.VIA).freeze();
        assertThat(popped.vias()).extracting(Via::branch).containsExactly("z9hG4bK2");
        assertParsesSame(popped);
    }

    /** RFC 3261 8.2.6.2: its Vias are those of the request; the view of the first is made once. */
    @Test
    void a_response_has_the_top_via_of_its_request_until_it_is_passed_on() {
        SipRequest request = request(ODD);
        Via first = request.topVia();
        SipResponse ok = MessageDraft.responseTo(request, 200, null, "x").freezeResponse();
        assertThat(ok.topVia()).isSameAs(first);
        assertParsesSame(ok);
        SipResponse popped =
                (SipResponse) MessageDraft.copyOf(ok).removeFirst(HeaderName.VIA).freeze();
        assertThat(popped.topVia().branch()).isEqualTo("z9hG4bK2");
    }

    @Test
    void a_draft_can_be_printed_again_and_copied() {
        MessageDraft d = MessageDraft.copyOf(TestMessages.invite());
        MessageDraft branch = d.copy().prependVia(VIA);
        assertThat(d.freezeRequest().vias()).hasSize(1);
        assertThat(branch.freezeRequest().vias()).hasSize(2);
        assertThat(branch.freezeRequest().toString()).isEqualTo(branch.freezeRequest().toString());
        assertThat(d.requestUri()).isEqualTo(TestMessages.invite().requestUri());
    }

    @Test
    void typed_views_are_the_same_whoever_makes_them() {
        SipResponse r =
                response(
                        """
                        SIP/2.0 180 Ringing
                        Via: SIP/2.0/UDP a;branch=z9hG4bK1
                        From: <sip:a@h>;tag=1
                        To: <sip:b@h>;tag=2
                        Call-ID: c
                        CSeq: 1 INVITE

                        """);
        assertThat(r.status()).isEqualTo(180);
        assertThat(r.reason()).isEqualTo("Ringing");
        assertThat(r.to()).isSameAs(r.to());
        assertThat(r.cseq().method()).isSameAs(Methods.INVITE);
        assertThat(MessageDraft.copyOf(r).method()).isSameAs(r.cseq().method());
        assertThat(MessageDraft.copyOf(r).setStatus(183, null).freezeResponse().reason())
                .isEqualTo("Session Progress");
    }
}
