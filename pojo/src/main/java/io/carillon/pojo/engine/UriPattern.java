package io.carillon.pojo.engine;

import java.util.Locale;
import java.util.regex.Pattern;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;

/**
 * A pattern of {@link io.carillon.pojo.RequestUri}. Immutable.
 *
 * @param user scheme in small letters, colon and user, or all of a URI that has no host
 * @param host in small letters; matches nothing of a URI without a host
 * @param withPort whether URIs are compared with their ports
 */
record UriPattern(Glob user, Glob host, boolean withPort) {
    private static final Pattern PORT = Pattern.compile(".*:(\\d+|\\*)");
    private static final Glob ANY = new Glob("*");

    /**
     * @throws IllegalArgumentException in a sentence, where the text is no pattern
     */
    static UriPattern parse(String text) {
        String pattern = text.strip();
        int colon = pattern.indexOf(':');
        if (colon <= 0 || pattern.indexOf(';') >= 0 || pattern.indexOf('?') >= 0) {
            throw new IllegalArgumentException(
                    "@RequestUri(\""
                            + text
                            + "\") has to be a scheme, a colon and user@host, without parameters;"
                            + " * stands for any text");
        }
        String scheme = pattern.substring(0, colon + 1).toLowerCase(Locale.ROOT);
        String rest = pattern.substring(colon + 1);
        if (!scheme.equals("sip:") && !scheme.equals("sips:")) {
            return new UriPattern(new Glob(scheme + rest), ANY, false);
        }
        int at = rest.lastIndexOf('@');
        if (at < 0 && rest.equals("*")) {
            return new UriPattern(new Glob(scheme + "*"), ANY, false);
        }
        String host = rest.substring(at + 1).toLowerCase(Locale.ROOT);
        String user = at < 0 ? "" : rest.substring(0, at);
        return new UriPattern(
                new Glob(scheme + user), new Glob(host), PORT.matcher(host).matches());
    }

    boolean matches(URI uri) {
        if (uri instanceof SipURI sip) {
            String name = sip.getUser();
            String scheme = sip.isSecure() ? "sips:" : "sip:";
            return host.matches(hostOf(sip)) && user.matches(name == null ? scheme : scheme + name);
        }
        if (uri instanceof TelURL tel) {
            String digits = tel.getPhoneNumber();
            boolean bare = tel.isGlobal() && !digits.startsWith("+");
            return user.matches((bare ? "tel:+" : "tel:") + digits);
        }
        return user.matches(HeaderCondition.withoutParameters(uri.toString()));
    }

    private String hostOf(SipURI uri) {
        String name = uri.getHost().toLowerCase(Locale.ROOT);
        return withPort && uri.getPort() > 0 ? name + ':' + uri.getPort() : name;
    }

    int literals() {
        return user.literals() + host.literals();
    }

    boolean overlaps(UriPattern other) {
        return user.intersects(other.user)
                && (withPort != other.withPort || host.intersects(other.host));
    }
}
