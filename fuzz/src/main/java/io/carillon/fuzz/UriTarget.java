package io.carillon.fuzz;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;

/** A URI is refused, or prints as what it was read from and equals itself. */
public final class UriTarget {
    private UriTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        Uri uri;
        try {
            uri = Uri.parse(text);
        } catch (SipParseException refused) {
            return;
        }
        Finding.unlessEqual("printed", uri.toString(), text);
        if (!uri.matches(uri)) {
            throw new Finding("does not match itself: " + text);
        }
        uri.param("transport");
        if (uri instanceof SipUri sip) {
            look(sip);
        }
    }

    private static void look(SipUri uri) {
        if (uri.port() < -1 || uri.port() > 65_535) {
            throw new Finding("port " + uri.port());
        }
        uri.user();
        uri.password();
        for (String name : uri.paramNames()) {
            uri.param(name);
        }
        uri.headers();
        SipUri built = uri.toBuilder().build();
        if (!built.matches(uri)) {
            throw new Finding("built anew it is another: " + uri + " and " + built);
        }
        SipUri with = uri.withParam("x-fuzz", "a b;c");
        try {
            Finding.unlessEqual("parameter", Uri.parse(with.toString()).param("x-fuzz"), "a b;c");
        } catch (SipParseException e) {
            throw new Finding("a changed URI cannot be read: " + with + ": " + e.getMessage());
        }
    }
}
