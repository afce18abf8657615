package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

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

    private static List<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
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
        boolean once = new HashSet<>(lowerCase(uri.paramNames())).size() == uri.paramNames().size();
        // RFC 3261 19.1.1: "any given parameter-name MUST NOT appear more than once"
        if (once && !built.matches(uri)) {
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
