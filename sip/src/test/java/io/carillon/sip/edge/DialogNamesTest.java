package io.carillon.sip.edge;

import static io.carillon.sip.edge.Border.CARRIER;
import static io.carillon.sip.edge.Border.answer;
import static io.carillon.sip.edge.Border.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of dialogs across the border: Call-IDs, tags, and what refers to them, both ways. */
class DialogNamesTest {
    private final Border border = new Border(CARRIER);

    @Test
    void aTagThatTellsSomethingComesBackAsItWas() {
        SipRequest invite =
                request("INVITE", "sip:bob@198.51.100.7", "From: <sip:a@b>;tag=node7-1");
        SipRequest outside = border.out(invite);
        assertThat(outside.fromTag()).startsWith("crh-").doesNotContain("node7");
        SipRequest bye =
                border.in(
                        request(
                                "BYE",
                                "sip:alice@example.com",
                                "From: <sip:b@c>;tag=theirs",
                                "To: <sip:a@b>;tag=" + outside.fromTag()));
        assertThat(bye.toTag()).isEqualTo("node7-1");
        assertThat(border.in(answer(outside, 200), invite).fromTag()).isEqualTo("node7-1");
    }

    @Test
    void ofAnAnswerOurTagIsHiddenAndTheirsIsAsTheyGaveIt() {
        SipResponse ok =
                (SipResponse)
                        Border.parse(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKp\n"
                                        + "From: <sip:p@x>;tag=p-172.16.0.5\n"
                                        + "To: \"a;tag=b\" <sip:x@y;tag=c> ; tag = as-10.0.0.9;y\n"
                                        + "Call-ID: c\nCSeq: 1 OPTIONS\n\n");
        SipResponse outside = border.out(ok);
        assertThat(outside.header(HeaderName.TO))
                .startsWith("\"a;tag=b\" <sip:x@y;tag=c> ; tag = crh-")
                .endsWith(";y");
        assertThat(outside.fromTag()).isEqualTo("p-172.16.0.5");
        SipRequest bye =
                border.in(
                        request(
                                "BYE",
                                "sip:alice@example.com",
                                "From: <sip:p@x>;tag=p-172.16.0.5",
                                "To: <sip:x@y>;tag=" + outside.toTag()));
        assertThat(bye.toTag()).isEqualTo("as-10.0.0.9");
        SipRequest ours =
                border.out(
                        request(
                                "BYE",
                                "sip:p@198.51.100.7",
                                "From: <sip:x@y>;tag=as-10.0.0.9",
                                "To: <sip:p@x>;tag=p-172.16.0.5"));
        assertThat(ours.fromTag()).isEqualTo(outside.toTag());
        assertThat(ours.toTag()).isEqualTo("p-172.16.0.5");
    }

    @Test
    void whatReplacesACallOfThePeersNamesItAsTheInsideKnowsIt() {
        String call = "abc@192.168.1.5";
        SipRequest first = border.in(request("INVITE", "sip:a@example.com", "Call-ID: " + call));
        assertThat(first.callId()).endsWith("-" + call);
        for (String header : List.of("Replaces", "Join", "Target-Dialog")) {
            SipRequest next =
                    border.in(
                            request(
                                    "INVITE",
                                    "sip:a@example.com",
                                    "Call-ID: 8d7f",
                                    header + ": " + call + ";to-tag=1;from-tag=2"));
            assertThat(next.callId()).isEqualTo("8d7f");
            assertThat(next.header(HeaderName.of(header)))
                    .isEqualTo(first.callId() + ";to-tag=1;from-tag=2");
        }
    }

    @Test
    void theCallOfASubscriptionToItsStateIsItsOwnAgain() {
        String call =
                border.out(request("INVITE", "sip:b@198.51.100.7", "Call-ID: c1@10.0.0.9"))
                        .callId();
        for (String event : List.of("dialog;call-id=%s;to-tag=x", "dialog;CALL-ID=\"%s\"")) {
            SipRequest subscribe =
                    border.in(
                            request(
                                    "SUBSCRIBE",
                                    "sip:a@example.com",
                                    "Call-ID: 8d7f",
                                    "Event: " + event.formatted(call)));
            assertThat(subscribe.header(HeaderName.EVENT))
                    .isEqualTo(event.formatted("c1@10.0.0.9"));
        }
    }

    @Test
    void aCallIdThatLooksLikeAMarkOfOursComesBackAsItWas() {
        SipRequest outside = border.out(request("INVITE", "sip:b@198.51.100.7", "Call-ID: crf9x"));
        assertThat(outside.callId()).startsWith("crh-");
        assertThat(border.in(outside).callId()).isEqualTo("crf9x");
    }

    @Test
    void tagsByWhichADialogIsNamedAreThoseThatThePeerKnows() {
        String ours =
                border.out(request("INVITE", "sip:b@198.51.100.7", "From: <sip:a@b>;tag=node7-1"))
                        .fromTag();
        for (String header : List.of("Replaces", "Join", "Target-Dialog")) {
            String inside = "c1@10.0.0.9;to-tag=theirs;from-tag=node7-1;x=y";
            SipRequest outside =
                    border.out(request("INVITE", "sip:b@198.51.100.7", header + ": " + inside));
            assertThat(outside.header(HeaderName.of(header)))
                    .endsWith(";to-tag=theirs;from-tag=" + ours + ";x=y");
            assertThat(border.in(outside).header(HeaderName.of(header))).isEqualTo(inside);
        }
    }

    @Test
    void anEntityTagComesBackAsItWas() {
        SipRequest publish = request("PUBLISH", "sip:a@example.com");
        SipResponse ok = border.out(answer(publish, 200, "SIP-ETag: node7-12", "Expires: 60"));
        String tag = ok.header(HeaderName.SIP_ETAG);
        assertThat(tag).startsWith("crh-");
        SipRequest again =
                border.in(request("PUBLISH", "sip:a@example.com", "SIP-If-Match: " + tag));
        assertThat(again.header(HeaderName.SIP_IF_MATCH)).isEqualTo("node7-12");
    }
}
