package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.check.Nowhere;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.dialog.SessionInterval;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Parameterized;
import io.carillon.sip.header.RetryAfter;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.header.SessionExpires.Refresher;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.privacy.PrivacyValues;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.sip.proxy.RequestValidation;
import io.carillon.sip.proxy.RoutePreprocessing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Any header in a request, the first byte says which of those that have a name here: what the
 * layers above do with it (as an address, a value with parameters, a session interval, a privacy,
 * an assertion at the border of a trust domain, a route, a requirement) ends well, and the request
 * can be copied, changed and sent.
 */
public final class HeadersTarget {
    private static final String HEAD =
            """
            INVITE sip:bob@example.com SIP/2.0
            Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1
            From: <sip:alice@example.org>;tag=a
            To: <sip:bob@example.com>
            Call-ID: 1
            CSeq: 1 INVITE
            Max-Forwards: 70
            Content-Length: 0
            """
                    .replace("\n", "\r\n");
    private static final MessageParser PARSER =
            new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);
    private static final TrustDomain BORDER =
            new TrustDomain(AddressRanges.of(List.of("10.0.0.0/8")), false);
    private static final Hop STRANGER =
            Hop.to(Transport.UDP, new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 5060));
    private static final int LONGEST = 1_800;

    private HeadersTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        HeaderName name = HeaderName.byId((data[0] & 0xff) % HeaderName.knownCount());
        String value = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
        byte[] bytes =
                (HEAD + name.text() + ": " + value + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        if (!(PARSER.parseDatagram(bytes, bytes.length)
                instanceof ParseResult.Parsed(SipRequest request))) {
            return;
        }
        for (String each : request.headers(name)) {
            read(each);
        }
        interval(request);
        privacy(request);
        border(request);
        route(request);
        changed(request, name);
    }

    private static void read(String value) {
        try {
            Parameterized read = Parameterized.parse(value);
            Finding.unlessEqual("once more", Parameterized.parse(read.toString()), read);
        } catch (SipParseException refused) {
            // As it should be.
        }
        try {
            NameAddress read = NameAddress.parse(value);
            Finding.unlessEqual("once more", NameAddress.parse(read.toString()), read);
        } catch (SipParseException refused) {
            // As it should be.
        }
        try {
            AuthHeader read = AuthHeader.parse(value);
            Finding.unlessEqual("once more", AuthHeader.parse(read.toString()), read);
        } catch (SipParseException refused) {
            // As it should be.
        }
        try {
            RetryAfter read = RetryAfter.parse(value);
            Finding.unlessEqual("once more", RetryAfter.parse(read.toString()), read);
        } catch (SipParseException refused) {
            // As it should be.
        }
    }

    private static void interval(SipRequest request) {
        SessionInterval asked;
        try {
            asked = SessionInterval.of(request);
        } catch (SipParseException refused) {
            return;
        }
        asked.tooSmall(90);
        SessionExpires answer = asked.answer(LONGEST, true, Refresher.UAC);
        if (answer != null) {
            again(answer);
            if (answer.seconds() < SessionExpires.LEAST_SECONDS
                    || answer.refresher() == Refresher.NONE
                    || SessionInterval.giveUpSeconds(answer.seconds()) <= 0) {
                throw new Finding("an answer that cannot be: " + answer);
            }
        }
        again(asked.forward(LONGEST, 90).expires());
    }

    private static void again(SessionExpires value) {
        try {
            Finding.unlessEqual("once more", SessionExpires.parse(value.toString()), value);
        } catch (SipParseException e) {
            throw new Finding("cannot be read: " + value);
        }
    }

    private static void privacy(SipRequest request) {
        PrivacyValues values = PrivacyValues.of(request.headers(HeaderName.PRIVACY));
        String text = values.text();
        if (!text.isEmpty()) {
            Finding.unlessEqual("once more", PrivacyValues.of(List.of(text)), values);
        }
        String refusal = PrivacyService.refusal(request);
        if (refusal != null) {
            parsed(MessageDraft.responseTo(request, 500, refusal, "t").freeze());
        }
    }

    private static void border(SipRequest request) {
        SipMessage received = parsed(BORDER.received(request, STRANGER));
        if (received.has(HeaderName.P_ASSERTED_IDENTITY)) {
            throw new Finding("a stranger's assertion is believed");
        }
        SipMessage leaving = parsed(BORDER.leaving(request, STRANGER));
        PrivacyValues wanted = PrivacyValues.of(request.headers(HeaderName.PRIVACY));
        if (leaving.has(HeaderName.P_PREFERRED_IDENTITY)
                || (leaving.has(HeaderName.P_ASSERTED_IDENTITY) && !wanted.none())) {
            throw new Finding("an identity leaves the domain");
        }
    }

    private static void route(SipRequest request) {
        var refusal = RequestValidation.check(request, Set.of(), Nowhere.WIRE, false);
        if (refusal == null) {
            MessageDraft draft = MessageDraft.copyOf(request);
            RoutePreprocessing.of(request, STRANGER, Nowhere.WIRE).applyTo(draft);
            parsed(draft.freeze());
        } else if (refusal.status() < 400 || refusal.status() > 699) {
            throw new Finding("refused with " + refusal.status());
        }
    }

    private static void changed(SipRequest request, HeaderName name) {
        MessageDraft draft = MessageDraft.copyOf(request);
        List<String> before = draft.all(name);
        draft.setMaxForwards(7);
        SipMessage copy = parsed(draft.freeze());
        if (!name.equals(HeaderName.MAX_FORWARDS)) {
            Finding.unlessEqual(name.text(), before, MessageDraft.copyOf(copy).all(name));
        }
        parsed(MessageDraft.responseTo(request, 200, null, "t").freeze());
    }

    /** What we send everybody can read. */
    private static SipMessage parsed(SipMessage message) {
        byte[] bytes = Arrays.copyOf(message.bytes(), message.length());
        if (PARSER.parseDatagram(bytes, bytes.length) instanceof ParseResult.Parsed(SipMessage m)) {
            return m;
        }
        throw new Finding("cannot be read:\n" + message);
    }
}
