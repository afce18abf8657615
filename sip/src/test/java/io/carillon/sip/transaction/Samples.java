package io.carillon.sip.transaction;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;

/** Messages for tests of the machines. */
final class Samples {
    private Samples() {}

    static SipRequest request(String method) {
        return (SipRequest)
                parse(
                        method
                                + " sip:bob@example.com SIP/2.0\n"
                                + "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKsample\n"
                                + "Max-Forwards: 70\n"
                                + "From: <sip:alice@example.com>;tag=a\n"
                                + "To: <sip:bob@example.com>\n"
                                + "Call-ID: c1\n"
                                + "CSeq: 1 "
                                + method
                                + "\nContact: <sip:alice@192.0.2.1>\n"
                                + "Content-Length: 0\n\n");
    }

    static SipResponse response(SipRequest request, int status) {
        return MessageDraft.responseTo(request, status, null, status == 100 ? null : "b")
                .freezeResponse();
    }

    static SipMessage parse(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        ParseResult result =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        throw new IllegalArgumentException(result.toString());
    }
}
