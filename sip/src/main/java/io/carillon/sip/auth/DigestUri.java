package io.carillon.sip.auth;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import io.carillon.sip.uri.Uri;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How near the {@code uri} of credentials has to be to the Request-URI of the request that brings
 * them. Credentials that were taken off the way of one request are then of no use for another
 * target.
 *
 * <p>RFC 7616 3.4.6: "The authenticating server MUST assure that the resource designated by the
 * "uri" parameter is the same as the resource specified in the Request-Line". RFC 8760 2.6 item 6:
 * "In a SIP context, these two URIs may refer to different users due to forwarding at some proxy.
 * [...] it MAY still accept it if the two fields are not equivalent."
 */
public enum DigestUri {
    /** The same user at the same host; all hosts of ours are one. */
    SAME,
    /** The same user; a proxy may have changed the host. */
    USER,
    /** Not compared: a proxy before us changes users too, as one that completes numbers does. */
    ANY;

    private static final String SEPARATORS = "-.()";

    /**
     * Does it designate the same resource?
     *
     * @param uri of the credentials
     * @param requestUri as it came
     * @param own whether a host of a URI is one of ours
     */
    public boolean agrees(String uri, Uri requestUri, Predicate<String> own) {
        if (this == ANY) {
            return true;
        }
        Uri named = parsed(uri);
        if (named == null) {
            return false;
        }
        return named.equals(requestUri)
                || (user(named).equals(user(requestUri))
                        && (this == USER || sameHost(named, requestUri, own)));
    }

    /**
     * Does it name us? Within a dialog that is enough, as the tags designate the resource: some
     * clients keep the URI that began the dialog, or know our Contact by another name.
     */
    public boolean leadsHere(String uri, Predicate<String> own) {
        return this == ANY
                || (parsed(uri) instanceof SipUri sip && (this == USER || own.test(sip.host())));
    }

    private static @Nullable Uri parsed(String uri) {
        try {
            return Uri.parse(uri);
        } catch (SipParseException e) {
            return null; // what cannot be read designates nothing
        }
    }

    /** RFC 3261 19.1.6: a number is the same in a SIP and in a tel URI. */
    private static String user(Uri uri) {
        if (uri instanceof TelUri tel) {
            return number(tel.number());
        }
        if (!(uri instanceof SipUri sip)) {
            return uri.toString();
        }
        String user = sip.user();
        if (user == null) {
            return "";
        }
        int params = user.indexOf(';');
        return number(params < 0 ? user : user.substring(0, params));
    }

    /** RFC 3966 5.1.1: visual separators "are not used for URI comparison or placing a call." */
    private static String number(String user) {
        if (user.isEmpty() || (user.charAt(0) != '+' && !digit(user.charAt(0)))) {
            return user;
        }
        StringBuilder digits = new StringBuilder(user.length());
        for (int i = 0; i < user.length(); i++) {
            char c = user.charAt(i);
            if (digit(c) || (c == '+' && i == 0)) {
                digits.append(c);
            } else if (SEPARATORS.indexOf(c) < 0) {
                return user;
            }
        }
        return digits.toString();
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean sameHost(Uri named, Uri requestUri, Predicate<String> own) {
        if (!(named instanceof SipUri one) || !(requestUri instanceof SipUri other)) {
            return named instanceof TelUri
                    || (requestUri instanceof TelUri
                            && named instanceof SipUri sip
                            && own.test(sip.host()));
        }
        return Ascii.equalsIgnoreCase(one.host(), other.host())
                || (own.test(one.host()) && own.test(other.host()));
    }
}
