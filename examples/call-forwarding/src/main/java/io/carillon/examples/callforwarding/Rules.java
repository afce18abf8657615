package io.carillon.examples.callforwarding;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * Who wants his calls where: of the context parameter {@code rules}, separated by semicolons, or
 * else of the file {@code /WEB-INF/forwarding.txt}, one in a line. Immutable.
 */
final class Rules {
    private static final String FILE = "/WEB-INF/forwarding.txt";

    /** One rule; {@code seconds} of ringing count for no-answer alone. */
    static final class Rule {
        final When when;
        final int seconds;
        private final SipURI target;
        private final boolean sameHost;

        Rule(When when, SipURI target, boolean sameHost, int seconds) {
            this.when = when;
            this.target = target;
            this.sameHost = sameHost;
            this.seconds = seconds;
        }

        /** The target of a call to this address, with the cause (RFC 4458). */
        SipURI target(SipURI called) {
            SipURI uri = (SipURI) target.clone();
            if (sameHost) {
                uri.setHost(called.getHost());
                uri.setPort(called.getPort());
            }
            uri.setParameter("cause", Integer.toString(when.cause));
            return uri;
        }
    }

    private final Map<String, Map<When, Rule>> byUser = new HashMap<>();
    private final SipFactory factory;

    private Rules(SipFactory factory) {
        this.factory = factory;
    }

    static Rules of(ServletContext context) throws ServletException {
        Rules made = new Rules((SipFactory) context.getAttribute(SipServlet.SIP_FACTORY));
        String rules = context.getInitParameter("rules");
        try {
            if (rules != null) {
                made.read("rules", new StringReader(rules.replace(';', '\n')));
                return made;
            }
            try (InputStream file = context.getResourceAsStream(FILE)) {
                if (file == null) {
                    throw new ServletException(FILE + " is not there, and no parameter 'rules'");
                }
                made.read(FILE, new InputStreamReader(file, StandardCharsets.UTF_8));
                return made;
            }
        } catch (IOException e) {
            throw new ServletException(FILE + ": " + e.getMessage(), e);
        }
    }

    private void read(String source, Reader text) throws IOException, ServletException {
        BufferedReader lines = new BufferedReader(text);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            String words = line.replaceFirst("#.*", "").trim();
            if (!words.isEmpty()) {
                try {
                    add(words.split("\\s+"));
                } catch (ServletException | IllegalArgumentException e) {
                    throw new ServletException(source + ":" + number + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private void add(String[] words) throws ServletException {
        boolean timed = words.length == 4 && words[3].matches("[1-9]\\d{0,3}");
        if (words.length != 3 && !timed) {
            throw new ServletException("a rule is USER WHEN TARGET [SECONDS]");
        }
        When when = When.of(words[1]);
        if (timed != (when == When.NO_ANSWER)) {
            throw new ServletException("no-answer needs seconds of ringing, and nothing else does");
        }
        boolean sameHost = !words[2].contains(":");
        Rule rule =
                new Rule(
                        when,
                        uri(words[2], sameHost),
                        sameHost,
                        timed ? Integer.parseInt(words[3]) : 0);
        if (byUser.computeIfAbsent(words[0], user -> new EnumMap<>(When.class)).put(when, rule)
                != null) {
            throw new ServletException(words[0] + " has a rule for " + words[1] + " already");
        }
    }

    private SipURI uri(String text, boolean sameHost) throws ServletException {
        if (sameHost) {
            return factory.createSipURI(text, "invalid");
        }
        try {
            URI uri = factory.createURI(text);
            if (uri.isSipURI()) {
                return (SipURI) uri;
            }
        } catch (ServletParseException e) {
            throw new ServletException("'" + text + "' is no SIP URI: " + e.getMessage(), e);
        }
        throw new ServletException("'" + text + "' is no SIP URI");
    }

    /** Null when this user wants nothing then. */
    Rule find(SipURI called, When when) {
        Map<When, Rule> rules = byUser.get(called.getUser());
        return rules == null ? null : rules.get(when);
    }

    boolean has(SipURI called) {
        return byUser.containsKey(called.getUser());
    }
}
