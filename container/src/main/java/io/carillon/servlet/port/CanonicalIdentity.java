package io.carillon.servlet.port;

import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import io.carillon.sip.uri.Uri;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An identity as PASSporTs have it: a telephone number (RFC 8224 section 8.3) or a URI (8.5).
 * Immutable.
 *
 * @param number is it a telephone number?
 * @param value digits, or {@code sip:user@host} in lower case
 */
public record CanonicalIdentity(boolean number, String value) {
    private static final int LEAST_DIGITS = 7;
    private static final int MOST_DIGITS = 15;
    private static final String SEPARATORS = "-.() ";

    /**
     * RFC 8224 8.1: a number is what is labelled as one (tel, user=phone), begins with a plus, or
     * consists of 7 to 15 digits. A number is taken as it stands: no country code is added.
     *
     * @return null for a URI of another scheme, or without a user
     */
    public static @Nullable CanonicalIdentity of(Uri uri) {
        return switch (uri) {
            case TelUri tel -> number(tel.number());
            case SipUri sip -> of(sip);
            default -> null;
        };
    }

    private static @Nullable CanonicalIdentity of(SipUri sip) {
        String user = sip.user();
        if (user == null || user.isEmpty()) {
            return null;
        }
        int params = user.indexOf(';');
        String subscriber = params < 0 ? user : user.substring(0, params);
        String kind = sip.param("user");
        boolean labelled = kind != null && kind.equalsIgnoreCase("phone");
        if (labelled || subscriber.startsWith("+") || plainDigits(subscriber)) {
            CanonicalIdentity number = number(subscriber);
            if (number != null) {
                return number;
            }
        }
        // 8.5: scheme, user and host, in lower case, with unreserved characters unescaped.
        String raw = sip.rawUser();
        String name = normalized(raw == null ? user : raw);
        return new CanonicalIdentity(
                false, (sip.scheme() + ':' + name + '@' + sip.host()).toLowerCase(Locale.ROOT));
    }

    /**
     * What an application makes of the other by completing it, or the other way round: the same
     * user at another host; the same number with another prefix, 00, a country code, an area code,
     * or none. So an extension is a part of many numbers.
     */
    public boolean mayBe(CanonicalIdentity other) {
        String one = withoutZeros(digits());
        String two = withoutZeros(other.digits());
        return (one.isEmpty() || two.isEmpty())
                ? user().equals(other.user())
                : (one.endsWith(two) || two.endsWith(one));
    }

    /** Is a user of that name called so, wherever he is, as a number or by his name? */
    public boolean isUser(String name) {
        String number = digits(name);
        return number.isEmpty() ? user().equalsIgnoreCase(name) : number.equals(digits());
    }

    /** A number, or the name of a user. */
    private String user() {
        return number ? value : value.substring(value.indexOf(':') + 1, value.lastIndexOf('@'));
    }

    /**
     * Of a number, or of a user whose name is one: too short, or written in a form that RFC 8224
     * 8.1 does not take for one. What stands before {@code *} and {@code #} is a service. Empty for
     * a name.
     */
    private String digits() {
        return digits(number ? value : user());
    }

    private static String digits(String text) {
        StringBuilder digits = new StringBuilder(text.length());
        for (int i = 0; i < text.length() && text.charAt(i) != ';'; i++) {
            char c = text.charAt(i);
            if (c == '%' && i + 2 < text.length()) {
                c = (char) octet(text, i);
                i += 2;
            }
            if (c >= '0' && c <= '9') {
                digits.append(c);
            } else if ((c == '*' || c == '#') && i < text.length() - 1) {
                digits.setLength(0);
            } else if (c != '+' && c != '*' && c != '#' && SEPARATORS.indexOf(c) < 0) {
                return "";
            }
        }
        return digits.toString();
    }

    private static String withoutZeros(String digits) {
        int at = 0;
        while (at < digits.length() && digits.charAt(at) == '0') {
            at++;
        }
        return digits.substring(at);
    }

    private static boolean plainDigits(String text) {
        return text.length() >= LEAST_DIGITS
                && text.length() <= MOST_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Null when there is more in it than a number and what separates its digits. */
    private static @Nullable CanonicalIdentity number(String text) {
        StringBuilder digits = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= '0' && c <= '9') || c == '#' || c == '*') {
                digits.append(c);
            } else if (c != '+' && SEPARATORS.indexOf(c) < 0) {
                return null;
            }
        }
        return digits.isEmpty() ? null : new CanonicalIdentity(true, digits.toString());
    }

    private static String normalized(String user) {
        StringBuilder out = new StringBuilder(user.length());
        for (int i = 0; i < user.length(); i++) {
            char c = user.charAt(i);
            if (c != '%' || i + 2 >= user.length()) {
                out.append(c);
                continue;
            }
            int octet = octet(user, i);
            if (octet >= 0 && unreserved(octet)) {
                out.append((char) octet);
                i += 2;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Of the escape at that index; negative where it is none. */
    private static int octet(String text, int at) {
        int high = Character.digit(text.charAt(at + 1), 16);
        int low = Character.digit(text.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    /** RFC 3986 2.3. */
    private static boolean unreserved(int octet) {
        return (octet >= 'a' && octet <= 'z')
                || (octet >= 'A' && octet <= 'Z')
                || (octet >= '0' && octet <= '9')
                || octet == '-'
                || octet == '.'
                || octet == '_'
                || octet == '~';
    }

    /** The host of a URI; empty for a number. */
    public String host() {
        return number ? "" : value.substring(value.lastIndexOf('@') + 1);
    }

    /** The claim's name. */
    public String kind() {
        return number ? "tn" : "uri";
    }
}
