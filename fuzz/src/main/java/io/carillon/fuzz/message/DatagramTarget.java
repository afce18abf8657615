package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.Arrays;

/**
 * A datagram is a message, refused or dropped. What everybody reads of an accepted message can be
 * read, and the message means the same once more; a refused request can be answered.
 */
public final class DatagramTarget {
    private static final MessageParser STRICT =
            new MessageParser(Compliance.STRICT, MessageLimits.DEFAULT);
    private static final MessageParser LENIENT =
            new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);

    private DatagramTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        ParseResult strict = STRICT.parseDatagram(data.clone(), data.length);
        ParseResult lenient = LENIENT.parseDatagram(data.clone(), data.length);
        if (strict instanceof ParseResult.Parsed && !(lenient instanceof ParseResult.Parsed)) {
            throw new Finding("accepted by the strict parser, not by the lenient one");
        }
        look(strict);
        look(lenient);
    }

    private static void look(ParseResult result) {
        switch (result) {
            case ParseResult.Parsed parsed -> {
                readAll(parsed.message());
                again(parsed.message());
            }
            case ParseResult.Rejected rejected -> answer(rejected);
            case ParseResult.Dropped dropped -> {
                if (dropped.cause().length() > 60) {
                    throw new Finding("a cause quotes the input: " + dropped.cause());
                }
            }
        }
    }

    private static void readAll(SipMessage message) {
        message.vias();
        message.from();
        message.to();
        message.fromTag();
        message.toTag();
        message.callId();
        message.cseq();
        message.maxForwards();
        message.routes();
        message.recordRoutes();
        message.contacts();
        message.body();
        for (int i = 0; i < message.headerCount(); i++) {
            HeaderName name = message.nameAt(i);
            message.valueAt(i);
            message.count(name);
        }
        if (message instanceof SipRequest request) {
            Finding.unlessEqual("method", request.method(), request.cseqMethod());
            Finding.unlessEqual("Request-URI", request.requestUri().toString(), uriText(request));
        } else if (message instanceof SipResponse response) {
            if (response.status() < 100 || response.status() > 699) {
                throw new Finding("status " + response.status());
            }
        }
    }

    private static String uriText(SipRequest request) {
        return WireText.string(request.bytes(), request.uriStart(), request.uriEnd());
    }

    /** The bytes that a message keeps are that message. */
    private static void again(SipMessage message) {
        byte[] kept = Arrays.copyOf(message.bytes(), message.length());
        if (!(LENIENT.parseDatagram(kept, kept.length) instanceof ParseResult.Parsed second)) {
            throw new Finding("an accepted message is refused the second time");
        }
        SipMessage other = second.message();
        Finding.unlessEqual("headers", message.headerCount(), other.headerCount());
        Finding.unlessEqual("Call-ID", message.callId(), other.callId());
        Finding.unlessEqual("CSeq", message.cseq(), other.cseq());
        Finding.unlessEqual("top Via", message.topVia(), other.topVia());
        Finding.unlessEqual("body", message.bodyLength(), other.bodyLength());
    }

    private static void answer(ParseResult.Rejected rejected) {
        if (rejected.status() < 400 || rejected.status() > 699) {
            throw new Finding("refused with " + rejected.status());
        }
        SipRequest request = rejected.request();
        if (request == null) {
            return;
        }
        // A refused request can be answered, whatever is wrong with it.
        MessageDraft.responseTo(request, rejected.status(), rejected.reason(), null).freeze();
        request.topVia();
    }
}
