package io.carillon.examples.registrar;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/** A REGISTER as the registrar reads it: what it may ask for, and the bindings it asks for. */
final class Registration {
    static final int MIN_SECONDS = 60;

    private static final int DEFAULT_SECONDS = 3600;
    private static final int MAX_INSTANCE = 250;
    private static final int MAX_CONTACT = 450;
    private static final int MAX_PARAMS = 1900;
    private static final int MAX_PATH = 1900;
    private static final int FIRST_HOP_LACKS_OUTBOUND_SUPPORT = 439;
    private static final Set<String> UNDERSTOOD = Set.of("path", "outbound", "gruu");

    /** Ours to write, or a part of the binding itself. */
    private static final Set<String> OWN_PARAMS =
            Set.of("q", "expires", "pub-gruu", "temp-gruu", "+sip.instance", "reg-id");

    private static final Pattern SENT_BY =
            Pattern.compile("^SIP\\s*/\\s*2\\.0\\s*/\\s*\\S+\\s+(\\[[^]]*]|[^\\s:;,]+)");

    /** RFC 1918, RFC 6598, RFC 3927, loopback; and of IPv6 what is not global. */
    private static final Pattern PRIVATE =
            Pattern.compile(
                    "(10|127)\\..*|192\\.168\\..*|172\\.(1[6-9]|2\\d|3[01])\\..*|169\\.254\\..*"
                            + "|100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\..*"
                            + "|\\[(f[cd]|fe[89ab]).*|\\[::1\\]",
                    Pattern.CASE_INSENSITIVE);

    final List<Address> contacts = new ArrayList<>();
    final List<String> path = new ArrayList<>();
    private final SipServletRequest request;

    /** The flow straight to the user agent; null when others stand between. */
    private final SipURI flow;

    private Registration(SipServletRequest request) throws ServletException {
        this.request = request;
        request.getAddressHeaders("Contact").forEachRemaining(contacts::add);
        request.getHeaders("Path").forEachRemaining(path::add);
        Object offered = request.getAttribute("io.carillon.flow");
        flow = offered instanceof SipURI && path.isEmpty() ? (SipURI) offered : null;
    }

    /**
     * @throws Refused when it asks for what there is not, or contradicts itself
     */
    static Registration of(SipServletRequest request) throws ServletException {
        Registration made = new Registration(request);
        made.checkRequired();
        made.checkContacts();
        return made;
    }

    /** RFC 3261 8.2.2.3. */
    private void checkRequired() throws Refused {
        boolean all = true;
        // Each once, the first 16, none of more than 64 characters: no 420 outgrows its request.
        Set<String> unknown = new LinkedHashSet<>();
        for (String tag : tags("Require")) {
            if (!UNDERSTOOD.contains(tag)) {
                all = false;
                if (tag.length() <= 64 && unknown.size() < 16) {
                    unknown.add(tag);
                }
            }
        }
        if (!all) {
            throw unknown.isEmpty()
                    ? new Refused(SipServletResponse.SC_BAD_EXTENSION)
                    : new Refused(
                            SipServletResponse.SC_BAD_EXTENSION,
                            "Unsupported",
                            String.join(", ", unknown));
        }
    }

    private void checkContacts() throws ServletException {
        if (String.join("\n", path).length() > MAX_PATH) {
            throw new Refused(SipServletResponse.SC_BAD_REQUEST);
        }
        int added = 0;
        int flows = 0;
        for (Address contact : contacts) {
            if (contact.isWildcard()) {
                continue;
            }
            if (contact.getURI().toString().length() > MAX_CONTACT
                    || params(contact).length() > MAX_PARAMS
                    || instance(contact).length() > MAX_INSTANCE) {
                throw new Refused(SipServletResponse.SC_BAD_REQUEST);
            }
            added += seconds(contact) > 0 ? 1 : 0;
            flows += regId(contact) > 0 ? 1 : 0;
        }
        // RFC 5626 6: "if the REGISTER request contains the reg-id and the outbound option tag in a
        // Supported header field, then the registrar MUST respond to the REGISTER request with a
        // 439 (First Hop Lacks Outbound Support) response".
        if (flows > 0 && !firstHopHelps() && supports("outbound")) {
            throw new Refused(FIRST_HOP_LACKS_OUTBOUND_SUPPORT);
        }
        // "if the Contact header field contains more than one header field value with a non-zero
        // expiration and any of these header field values contain a "reg-id" [...] parameter, the
        // entire registration SHOULD be rejected with a 400".
        if (flows > 0 && added > 1 && firstHopHelps()) {
            throw new Refused(SipServletResponse.SC_BAD_REQUEST);
        }
    }

    /** RFC 5626 6: we are the first hop, or it has put {@code ob} into its Path. */
    private boolean firstHopHelps() {
        if (path.isEmpty()) {
            return flow != null;
        }
        // The first hop's value is the last: those behind it stand before it (RFC 3327 5.2).
        String first = path.get(path.size() - 1).toLowerCase(Locale.ROOT);
        return Pattern.compile(";ob[;>=]").matcher(first).find();
    }

    boolean supports(String tag) {
        return tags("Supported").contains(tag);
    }

    private List<String> tags(String header) {
        List<String> tags = new ArrayList<>();
        for (Iterator<String> all = request.getHeaders(header); all.hasNext(); ) {
            for (String tag : all.next().split(",")) {
                tags.add(tag.trim().toLowerCase(Locale.ROOT));
            }
        }
        tags.remove("");
        return tags;
    }

    /** Is one of the contacts a flow of RFC 5626, and does the user agent want to hear so? */
    boolean outbound() {
        return supports("outbound")
                && firstHopHelps()
                && contacts.stream().anyMatch(contact -> regId(contact) > 0);
    }

    /** Without quotes and angle brackets; empty without. */
    static String instance(Address contact) {
        String value = contact.isWildcard() ? null : contact.getParameter("+sip.instance");
        if (value == null) {
            return "";
        }
        String id = value.replaceAll("[<>\"\\s]", "");
        // RFC 4122 3: the hexadecimal digits are "case insensitive on input".
        return id.toLowerCase(Locale.ROOT).startsWith("urn:uuid:")
                ? id.toLowerCase(Locale.ROOT)
                : id;
    }

    /** RFC 5626 6: without an instance "it simply ignores the reg-id parameter". */
    private static int regId(Address contact) {
        String value = contact.isWildcard() ? null : contact.getParameter("reg-id");
        return value == null || instance(contact).isEmpty() || !value.matches("[1-9][0-9]{0,8}")
                ? 0
                : Integer.parseInt(value);
    }

    int seconds(Address contact) throws Refused {
        int asked = contact.getExpires() >= 0 ? contact.getExpires() : request.getExpires();
        if (asked < 0) {
            return DEFAULT_SECONDS;
        }
        if (asked > 0 && asked < MIN_SECONDS) {
            throw new Refused(
                    SipServletResponse.SC_INTERVAL_TOO_BRIEF,
                    "Min-Expires",
                    Integer.toString(MIN_SECONDS));
        }
        return Math.min(asked, DEFAULT_SECONDS);
    }

    /** The binding that the contact asks for. */
    Binding binding(Address contact, long expiresAtMillis, long updatedAtMillis) {
        int regId = firstHopHelps() ? regId(contact) : 0;
        String way = "";
        if (flow != null && (regId > 0 || onlyByFlow(contact.getURI()))) {
            way = flow.toString();
        }
        float q = contact.getQ();
        return new Binding.Draft(contact.getURI().toString(), expiresAtMillis)
                .q(q < 0 ? 1 : q)
                .by(request.getCallId(), cseq(), updatedAtMillis)
                .path(path)
                .instance(instance(contact), regId)
                .flow(way)
                .params(params(contact))
                .build();
    }

    /**
     * A phone behind its connection, or behind an address translation, that does not know RFC 5626:
     * is what its Contact says of no use to us?
     */
    private boolean onlyByFlow(URI contact) {
        if (!contact.isSipURI()) {
            return false;
        }
        String host = ((SipURI) contact).getHost().toLowerCase(Locale.ROOT);
        String transport = String.valueOf(request.getInitialTransport());
        boolean sameHost = host.equals(request.getInitialRemoteAddr());
        if (host.endsWith(".invalid") || transport.startsWith("WS")) {
            return true; // RFC 7118 5: nobody can connect to a browser
        }
        // Over a stream the port that it came from is not the one that it listens on.
        if (sameHost) {
            return !transport.equals("UDP");
        }
        return PRIVATE.matcher(host).matches() && host.equals(sentBy());
    }

    /** Who the sender of the request thinks he is; another host registers somebody else. */
    private String sentBy() {
        Matcher via = SENT_BY.matcher(String.valueOf(request.getHeader("Via")));
        return via.find() ? via.group(1).toLowerCase(Locale.ROOT) : "";
    }

    /** What else the Contact says, as it is printed. */
    private static String params(Address contact) {
        StringBuilder text = new StringBuilder();
        for (Iterator<String> names = contact.getParameterNames(); names.hasNext(); ) {
            String name = names.next();
            if (OWN_PARAMS.contains(name.toLowerCase(Locale.ROOT))) {
                continue;
            }
            text.append(';').append(name);
            String value = contact.getParameter(name);
            if (value != null && !value.isEmpty()) {
                text.append('=').append(printed(value));
            }
        }
        return text.toString();
    }

    private static String printed(String value) {
        return value.matches("[-\\w.!%*+`'~]+") ? value : quoted(value);
    }

    static String quoted(String value) {
        return '"' + value.replaceAll("[\"\\\\]", Matcher.quoteReplacement("\\") + "$0") + '"';
    }

    /** RFC 3261 10.3 step 7: with the same Call-ID, only a higher CSeq may change a binding. */
    void checkOrder(Binding old) throws Refused {
        if (old.callId.equals(request.getCallId()) && cseq() <= old.cseq) {
            throw new Refused(SipServletResponse.SC_SERVER_INTERNAL_ERROR);
        }
    }

    private long cseq() {
        return Long.parseLong(request.getHeader("CSeq").trim().split("\\s+")[0]);
    }
}
