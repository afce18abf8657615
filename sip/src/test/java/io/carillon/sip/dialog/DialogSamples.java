package io.carillon.sip.dialog;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;

/** Messages of a dialog between alice, who called, and bob. */
final class DialogSamples {
    static final String SDP = "SDP";

    private DialogSamples() {}

    static SipMessage parse(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        ParseResult result =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        throw new AssertionError(result + "\n" + text);
    }

    /** A request of alice; SDP among the headers stands for a session description. */
    static SipRequest ofAlice(String method, long cseq, String... headers) {
        return request(method, cseq, "alice", "bob", headers);
    }

    static SipRequest ofBob(String method, long cseq, String... headers) {
        return request(method, cseq, "bob", "alice", headers);
    }

    /** The INVITE that begins: without a To tag. */
    static SipRequest invite(String... headers) {
        return request("INVITE", 1, "alice", "", headers);
    }

    private static SipRequest request(
            String method, long cseq, String from, String to, String... headers) {
        String tag = to.isEmpty() ? "" : ";tag=" + to;
        String text =
                method
                        + " sip:bob@example.com SIP/2.0\n"
                        + "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK"
                        + cseq
                        + "\nMax-Forwards: 70\nFrom: <sip:"
                        + from
                        + "@example.com>;tag="
                        + from
                        + "\nTo: <sip:"
                        + (to.isEmpty() ? "bob" : to)
                        + "@example.com>"
                        + tag
                        + "\nCall-ID: c\nCSeq: "
                        + cseq
                        + " "
                        + method
                        + "\n";
        return (SipRequest) parse(text + rest(from, headers));
    }

    private static String rest(String from, String... headers) {
        StringBuilder text = new StringBuilder();
        boolean description = false;
        boolean contact = false;
        for (String header : headers) {
            if (header.equals(SDP)) {
                description = true;
            } else {
                contact |= header.startsWith("Contact");
                text.append(header).append('\n');
            }
        }
        if (!contact) {
            text.append("Contact: <sip:").append(from).append("@192.0.2.1>\n");
        }
        text.append(
                description
                        ? "Content-Type: application/sdp\nContent-Length: 5\n\nv=0\n"
                        : "Content-Length: 0\n\n");
        return text.toString();
    }

    /** The answer of the side that got the request. */
    static SipResponse answer(SipRequest request, int status, String... headers) {
        String tag = request.toTag() == null ? "bob" : request.toTag();
        return answerBy(tag, request, status, headers);
    }

    static SipResponse answerBy(String tag, SipRequest request, int status, String... headers) {
        String head =
                MessageDraft.responseTo(request, status, null, tag).freezeResponse().toString();
        head = head.substring(0, head.indexOf("Content-Length:")).replace("\r\n", "\n");
        return (SipResponse) parse(head + rest(tag, headers));
    }

    /** What alice has when bob answered. */
    static Dialog alice() {
        SipRequest invite = invite(SDP);
        SipResponse ok = answer(invite, 200, SDP);
        Dialog dialog = Dialog.uac(invite, ok);
        dialog.received(ok);
        return dialog;
    }

    /** What bob has when alice's ACK came. */
    static Dialog bob() {
        SipRequest invite = invite(SDP);
        SipResponse ok = answer(invite, 200, SDP);
        Dialog dialog = Dialog.uas(invite, ok);
        dialog.responded(invite, ok);
        dialog.receive(ofAlice("ACK", 1));
        return dialog;
    }
}
