package io.carillon.telemetry.records;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a record takes out of a message. Functions; what is taken is cut to what a record holds. */
final class Invites {
    private static final int MOST_ADDRESS = 256;
    private static final int MOST_CODECS = 1024;

    private Invites() {}

    /**
     * @param trusted does its sender belong to our trust domain, or is it ours?
     * @param peerName of the far end in the configuration; empty for a stranger
     * @param listener that it came to or left from; empty for none
     */
    static Leg.Invite of(
            SipRequest invite,
            boolean in,
            Hop hop,
            boolean trusted,
            String peerName,
            String listener) {
        return new Leg.Invite(
                in,
                invite.callId(),
                invite.fromTag(),
                branch(invite),
                invite.cseqNumber(),
                party(invite.from()),
                party(invite.to()),
                cut(invite.requestUri().toString()),
                trusted ? text(invite, HeaderName.P_ASSERTED_IDENTITY) : null,
                text(invite, HeaderName.PRIVACY),
                peer(hop),
                peerName,
                text(invite, HeaderName.REFERRED_BY),
                replaced(invite),
                invite.has(HeaderName.RECORD_ROUTE),
                listener);
    }

    static @Nullable String branch(SipMessage message) {
        Via top = message.topVia();
        return top.hasTransactionId() ? top.branch() : null;
    }

    static String party(NameAddress address) {
        return cut(address.withoutParams().toString());
    }

    /** All lines of a header in one; null where there is none. */
    static @Nullable String text(SipMessage message, HeaderName name) {
        return message.has(name) ? cut(String.join(", ", message.headers(name))) : null;
    }

    private static String peer(Hop hop) {
        return hop.transport().name().toLowerCase(Locale.ROOT)
                + ":"
                + (hop.remoteHost().indexOf(':') >= 0
                        ? "[" + hop.remoteHost() + "]"
                        : hop.remoteHost())
                + ":"
                + hop.remote().getPort();
    }

    /** RFC 3891: the Call-ID in Replaces. */
    private static @Nullable String replaced(SipRequest invite) {
        String value = invite.header(HeaderName.REPLACES);
        if (value == null) {
            return null;
        }
        int end = value.indexOf(';');
        return cut((end < 0 ? value : value.substring(0, end)).strip());
    }

    /** Where a REFER sends somebody, without the headers of that URI. */
    static String target(String uri) {
        int headers = uri.indexOf('?');
        String plain = headers < 0 ? uri : uri.substring(0, headers);
        int params = plain.indexOf(';');
        return cut(params < 0 ? plain : plain.substring(0, params));
    }

    /** The lines of a session description that name media and codecs (RFC 8866 5.14, 6.6). */
    static @Nullable String codecs(SipMessage message) {
        int length = message.bodyLength();
        String type = length == 0 ? null : message.header(HeaderName.CONTENT_TYPE);
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/sdp")) {
            return null;
        }
        String body =
                new String(message.bytes(), message.bodyOffset(), length, StandardCharsets.UTF_8);
        StringBuilder kept = new StringBuilder();
        for (String line : body.split("\r?\n", -1)) {
            if ((line.startsWith("m=") || line.startsWith("a=rtpmap:"))
                    && kept.length() + line.length() < MOST_CODECS) {
                kept.append(kept.isEmpty() ? "" : "\n").append(line);
            }
        }
        return kept.isEmpty() ? null : kept.toString();
    }

    static String cut(String text) {
        return OneCall.cut(text, MOST_ADDRESS);
    }
}
