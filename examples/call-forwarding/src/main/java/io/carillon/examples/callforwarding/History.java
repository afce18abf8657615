package io.carillon.examples.callforwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * Where a request has been: the History-Info entries (RFC 7044) of one request of this proxy,
 * oldest first. The last one is always the address that the request goes to.
 */
final class History {
    private static final String HEADER = "History-Info";

    /**
     * Each is a hop at least, and a request has 70 of them (RFC 3261 20.22). To read thousands of
     * them keeps everybody else waiting.
     */
    private static final int MOST_ENTRIES = 100;

    private static final Pattern INDEX = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){0,99}");

    private final List<String> entries = new ArrayList<>();
    private final List<String> visited = new ArrayList<>();
    private int diversions;

    /** The address that the request goes to, and its index. */
    private SipURI current;

    private String index = "";

    private History() {}

    /** Reads what the request says, and adds the address it came to where that is missing. */
    static History received(SipServletRequest request) throws ServletParseException {
        History history = read(request);
        SipURI called = (SipURI) request.getRequestURI();
        if (history.entries.isEmpty()) {
            history.add(called, "1", ""); // RFC 7044 10.3: "The first index ... MUST be set to 1"
        } else if (!called.equals(history.current)) {
            history.add(called, history.index + ".0", ""); // RFC 7044 10.3, rule 6: missing entry
        }
        history.current = called; // equal, but parameters may differ
        return history;
    }

    /** What a branch that failed was sent with, and why it failed (RFC 7044 9.3 and 10.2). */
    static History failed(SipServletRequest sent, int status) throws ServletParseException {
        History history = read(sent);
        int last = history.entries.size() - 1;
        String entry = history.entries.get(last);
        int end = entry.indexOf('>');
        String uri = entry.substring(0, end);
        String reason = (uri.contains("?") ? "&" : "?") + "Reason=SIP%3Bcause%3D" + status;
        history.entries.set(last, uri + reason + entry.substring(end));
        return history;
    }

    private static History read(SipServletRequest request) throws ServletParseException {
        History history = new History();
        refuseMany(request);
        ListIterator<Address> all = request.getAddressHeaders(HEADER);
        while (all.hasNext()) {
            Address entry = all.next();
            String index = entry.getParameter("index");
            if (index == null || !INDEX.matcher(index).matches()) {
                throw new ServletParseException("a History-Info entry has no such index");
            }
            history.entries.add(entry.toString());
            history.visit(entry.getURI(), index);
        }
        return history;
    }

    /** Before an address is made of any of them. */
    private static void refuseMany(SipServletRequest request) throws ServletParseException {
        int most = 0;
        ListIterator<String> values = request.getHeaders(HEADER);
        while (values.hasNext()) {
            most += 1 + (int) values.next().chars().filter(c -> c == ',').count();
            if (most > MOST_ENTRIES) {
                throw new ServletParseException("too many History-Info entries");
            }
        }
    }

    private void visit(URI uri, String at) {
        index = at;
        current = uri.isSipURI() ? (SipURI) uri : null;
        if (current != null) {
            visited.add(address(current));
            diversions += current.getParameter("cause") == null ? 0 : 1;
        }
    }

    private void add(SipURI uri, String at, String how) {
        entries.add("<" + uri + ">;index=" + at + how);
        visit(uri, at);
    }

    /** The request is sent on as it came: one level more (RFC 7044 10.3, rule 1). */
    void forward() {
        add(current, index + ".1", ";np=" + index);
    }

    /**
     * The request goes to somebody else: the first branch is one level more, the others stand
     * beside it (RFC 7044 10.3, rules 2 to 4).
     */
    void divert(SipURI target, boolean first) {
        int dot = index.lastIndexOf('.');
        int number = first ? 0 : Integer.parseInt(index.substring(dot + 1));
        String parent = first ? index : index.substring(0, dot);
        add(target, parent + '.' + (number + 1), ";mp=" + index);
    }

    /** Would that be a circle, or one diversion too many? */
    boolean refuses(SipURI target, int limit) {
        return diversions >= limit || visited.contains(address(target));
    }

    SipURI current() {
        return current;
    }

    void writeTo(SipServletRequest request) {
        request.removeHeader(HEADER);
        for (String entry : entries) {
            request.addHeader(HEADER, entry);
        }
    }

    private static String address(SipURI uri) {
        return uri.getUser() + '@' + uri.getHost().toLowerCase(Locale.ROOT) + ':' + uri.getPort();
    }
}
