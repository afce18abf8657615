package io.carillon.sip.privacy;

import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of Identity (RFC 8224) that tell of a caller whom From does not show. Pure functions. */
final class SignedCallers {
    private static final Pattern DIV =
            Pattern.compile(";\\s*ppt\\s*=\\s*\"?div\"?\\s*(?:;|$)", Pattern.CASE_INSENSITIVE);

    private SignedCallers() {}

    /**
     * Is its PASSporT about somebody else than From names? Where that cannot be read, it is. The
     * compact form names nobody, but whoever has the certificate can try numbers; it may be about
     * From, unless nobody can sign for that (RFC 8224 11: "no corresponding authority for the
     * domain can exist").
     */
    static boolean tellMoreThan(Uri from, String identity) {
        int params = identity.indexOf(';');
        String[] token = (params < 0 ? identity : identity.substring(0, params)).split("\\.", -1);
        if (token.length != 3) {
            return true;
        }
        if (token[1].isBlank()) {
            return from instanceof SipUri sip && sip.host().endsWith(".invalid");
        }
        String claims = claims(token[1]);
        if (claims == null) {
            return true;
        }
        int orig = claims.indexOf("\"orig\"");
        int end = orig < 0 ? -1 : claims.indexOf('}', orig);
        return end < 0 || !claims.substring(orig, end).contains('"' + canonical(from) + '"');
    }

    /**
     * RFC 8946: does it say who diverted the call? By its parameter ppt, or by the claim itself,
     * which may stand beside others; where it cannot be read, it does.
     */
    static boolean tellsDiversion(String identity) {
        int params = identity.indexOf(';');
        String[] token = (params < 0 ? identity : identity.substring(0, params)).split("\\.", -1);
        if (DIV.matcher(identity).find() || token.length != 3) {
            return true;
        }
        String claims = token[1].isBlank() ? "" : claims(token[1]);
        return claims == null || claims.contains("\"div\"");
    }

    /** Null when they cannot be read. */
    private static @Nullable String claims(String base64) {
        try {
            byte[] json = Base64.getUrlDecoder().decode(base64.strip());
            return new String(json, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** RFC 8224 8.3 and 8.5: the digits of a number, else scheme, user and host. */
    private static String canonical(Uri from) {
        if (from instanceof TelUri tel) {
            return digits(tel.number());
        }
        if (!(from instanceof SipUri sip) || sip.user() == null) {
            return "";
        }
        String user = sip.user();
        String subscriber = user.indexOf(';') < 0 ? user : user.substring(0, user.indexOf(';'));
        String number = digits(subscriber);
        return number.isEmpty()
                ? (sip.scheme() + ':' + user + '@' + sip.host()).toLowerCase(Locale.ROOT)
                : number;
    }

    /** Empty when there is more in it than a number and what separates its digits. */
    private static String digits(String text) {
        StringBuilder digits = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= '0' && c <= '9') || c == '#' || c == '*') {
                digits.append(c);
            } else if ("+-.() ".indexOf(c) < 0) {
                return "";
            }
        }
        return digits.toString();
    }
}
