package io.carillon.examples.callblocking;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;

/**
 * Rules of two words: a caller and whom he cannot call. Of the context parameter {@code rules},
 * separated by semicolons, or else of the file {@code /WEB-INF/blocked.txt}, one in a line.
 * Immutable.
 */
final class Blocklist {
    enum Verdict {
        PASS,
        BLOCKED,
        ANONYMOUS
    }

    private static final String FILE = "/WEB-INF/blocked.txt";
    private static final String ANONYMOUS = "anonymous";

    private static final class Rule {
        final boolean anonymous;
        final AddressPattern caller;
        final AddressPattern called;

        Rule(String caller, String called) {
            this.anonymous = caller.equals(ANONYMOUS);
            this.caller = new AddressPattern(caller);
            this.called = new AddressPattern(called);
        }
    }

    private final List<Rule> rules = new ArrayList<>();

    private Blocklist(String source, Reader text) throws IOException, ServletException {
        BufferedReader lines = new BufferedReader(text);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            String rule = line.replaceFirst("#.*", "").trim();
            String[] words = rule.split("\\s+");
            if (words.length == 2) {
                rules.add(new Rule(words[0], words[1]));
            } else if (!rule.isEmpty()) {
                throw new ServletException(
                        source + ":" + number + ": '" + rule + "' is not CALLER CALLED");
            }
        }
    }

    static Blocklist of(ServletContext context) throws ServletException {
        String rules = context.getInitParameter("rules");
        try {
            if (rules != null) {
                return new Blocklist("rules", new StringReader(rules.replace(';', '\n')));
            }
            try (InputStream file = context.getResourceAsStream(FILE)) {
                if (file == null) {
                    throw new ServletException(FILE + " is not there, and no parameter 'rules'");
                }
                return new Blocklist(FILE, new InputStreamReader(file, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new ServletException(FILE + ": " + e.getMessage(), e);
        }
    }

    /** The first rule that holds decides. */
    Verdict verdict(SipServletRequest request) throws ServletException {
        String caller = address(identity(request));
        String called = address(request.getRequestURI());
        boolean withheld = withheld(request);
        for (Rule rule : rules) {
            boolean holds = rule.anonymous ? withheld : rule.caller.matches(caller);
            if (holds && rule.called.matches(called)) {
                return rule.anonymous ? Verdict.ANONYMOUS : Verdict.BLOCKED;
            }
        }
        return Verdict.PASS;
    }

    /**
     * Whom the server vouches for, by digest or by a trusted peer's P-Asserted-Identity (RFC 3325);
     * else From, which a caller writes as he likes.
     */
    private static URI identity(SipServletRequest request) throws ServletException {
        boolean vouched =
                request.getUserPrincipal() != null
                        && request.getHeader("P-Asserted-Identity") != null;
        return vouched
                ? request.getAddressHeader("P-Asserted-Identity").getURI()
                : request.getFrom().getURI();
    }

    /**
     * RFC 3323 4.1.1.3: a From without identity; RFC 3325 9.3 and RFC 3323 4.2: privacy is asked.
     */
    private static boolean withheld(SipServletRequest request) {
        URI from = request.getFrom().getURI();
        if (from.isSipURI()) {
            SipURI sip = (SipURI) from;
            if (AddressPattern.host(sip.getHost()).endsWith("anonymous.invalid")
                    || ANONYMOUS.equalsIgnoreCase(AddressPattern.user(sip.getUser()))) {
                return true;
            }
        }
        ListIterator<String> privacy = request.getHeaders("Privacy");
        while (privacy.hasNext()) {
            for (String asked : privacy.next().toLowerCase(Locale.ROOT).split("[;,\\s]+")) {
                if (asked.equals("id") || asked.equals("user")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** {@code user@host} as rules are written; of a telephone number the digits alone. */
    private static String address(URI uri) {
        if (uri instanceof TelURL) {
            TelURL tel = (TelURL) uri;
            return (tel.isGlobal() ? "+" : "") + AddressPattern.digits(tel.getPhoneNumber());
        }
        if (!uri.isSipURI()) {
            return uri.toString();
        }
        SipURI sip = (SipURI) uri;
        return AddressPattern.user(sip.getUser()) + '@' + AddressPattern.host(sip.getHost());
    }
}
