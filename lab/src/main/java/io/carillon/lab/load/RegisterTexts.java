package io.carillon.lab.load;

import static io.carillon.lab.load.CallerTexts.bytes;

import io.carillon.sip.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/** The REGISTER requests. Owner: the engine's thread. */
final class RegisterTexts {
    /** Kinds of the two requests of a registration, in the branch. */
    static final char FIRST = 'r';

    static final char WITH_CREDENTIALS = 'q';

    private final ByteWriter out;
    private final LegTokens tokens;
    private final String uri;
    private final String domain;
    private final byte[] start;
    private final byte[] contactEnd;

    RegisterTexts(ByteWriter out, LegTokens tokens, LoadAddresses places, CallPlan plan) {
        this.out = out;
        this.tokens = tokens;
        uri = plan.requestUri();
        domain = uri.substring(uri.indexOf(':') + 1);
        String address = LoadAddresses.print(places.caller());
        start =
                bytes(
                        "REGISTER "
                                + uri
                                + " SIP/2.0\r\nVia: SIP/2.0/"
                                + places.transport().viaToken()
                                + " "
                                + address
                                + ";branch="
                                + LegTokens.COOKIE);
        contactEnd =
                bytes(
                        "@"
                                + address
                                + places.uriParameter()
                                + ">\r\nExpires: "
                                + plan.expiresSeconds()
                                + "\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n");
    }

    /** The Request-URI, as digest counts it. */
    String uri() {
        return uri;
    }

    /** Writes a request; returns the offset of the empty line. */
    int register(Leg leg, char kind, RegisteredUser user, @Nullable String authorization) {
        out.clear().put(start);
        tokens.put(out, leg);
        out.put(kind);
        out.put("\r\nFrom: <sip:").put(user.name()).put('@').put(domain).put(">;tag=");
        tokens.put(out, leg);
        out.put("\r\nTo: <sip:").put(user.name()).put('@').put(domain).put(">\r\nCall-ID: ");
        tokens.put(out, leg);
        out.put("@load\r\nCSeq: ").put(kind == FIRST ? '1' : '2').put(" REGISTER\r\n");
        if (authorization != null) {
            out.put("Authorization: ").put(authorization).putCrLf();
        }
        out.put("Contact: <sip:").put(user.name()).put(contactEnd);
        return out.length() - 2;
    }
}
