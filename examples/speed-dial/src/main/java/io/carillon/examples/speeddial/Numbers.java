package io.carillon.examples.speeddial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
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
 * Short numbers: of the context parameter {@code numbers}, separated by semicolons, or else of the
 * file {@code /WEB-INF/numbers.txt}, one in a line: CALLER NUMBER ADDRESS. The caller {@code *} is
 * everybody who has no such number of his own. Immutable.
 */
final class Numbers {
    private static final String FILE = "/WEB-INF/numbers.txt";
    private static final String EVERYBODY = "*";

    private final Map<String, Map<String, URI>> byCaller = new HashMap<>();
    private final SipFactory factory;

    private Numbers(SipFactory factory) {
        this.factory = factory;
    }

    static Numbers of(ServletContext context) throws ServletException {
        Numbers made = new Numbers((SipFactory) context.getAttribute(SipServlet.SIP_FACTORY));
        String numbers = context.getInitParameter("numbers");
        try {
            if (numbers != null) {
                made.read("numbers", new StringReader(numbers.replace(';', '\n')));
                return made;
            }
            try (InputStream file = context.getResourceAsStream(FILE)) {
                if (file == null) {
                    throw new ServletException(FILE + " is not there, and no parameter 'numbers'");
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
        int at = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            at++;
            String rule = line.replaceFirst("#.*", "").trim();
            String[] words = rule.split("\\s+");
            if (words.length == 3) {
                add(source + ":" + at, words[0], words[1], words[2]);
            } else if (!rule.isEmpty()) {
                throw new ServletException(
                        source + ":" + at + ": '" + rule + "' is not CALLER NUMBER ADDRESS");
            }
        }
    }

    private void add(String place, String caller, String number, String address)
            throws ServletException {
        URI uri;
        try {
            // An address without scheme is a user of the host that the short number was dialled at.
            uri =
                    address.contains(":")
                            ? factory.createURI(address)
                            : factory.createSipURI(address, "invalid");
        } catch (ServletParseException | IllegalArgumentException e) {
            throw new ServletException(place + ": '" + address + "' is no address", e);
        }
        boolean dialled = uri.isSipURI() || uri.getScheme().equalsIgnoreCase("tel");
        Map<String, URI> own = byCaller.computeIfAbsent(caller, who -> new HashMap<>());
        if (!dialled || own.put(number, uri) != null) {
            throw new ServletException(
                    place
                            + ": "
                            + (dialled
                                    ? number + " stands twice"
                                    : address + " is no SIP or tel URI"));
        }
    }

    /** Null when neither this caller nor everybody has the number. */
    URI find(String caller, SipURI dialled) {
        URI found = get(caller, dialled.getUser());
        URI chosen = found == null ? get(EVERYBODY, dialled.getUser()) : found;
        if (chosen == null) {
            return null;
        }
        URI target = chosen.clone();
        if (target.isSipURI() && ((SipURI) target).getHost().equals("invalid")) {
            ((SipURI) target).setHost(dialled.getHost());
            ((SipURI) target).setPort(dialled.getPort());
        }
        return target;
    }

    private URI get(String caller, String number) {
        Map<String, URI> own = byCaller.get(caller);
        return own == null ? null : own.get(number);
    }
}
