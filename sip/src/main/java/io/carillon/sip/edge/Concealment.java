package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Topology hiding: prints a message that leaves so that nothing of the inside is in it. What the
 * peer has to send back is a token (see {@link HiddenRoutes}, {@link HiddenUris}, {@link
 * HiddenCallIds}); everywhere else our own host stands for the one that is hidden.
 *
 * <p>Owner: one shard's thread.
 */
final class Concealment {
    /** Stands for a scheme that tells something. */
    private static final String HIDDEN_SCHEME = "hidden";

    private final Crossing way;
    private final HiddenCallIds callIds;
    private final HiddenUris uris;
    private final HiddenRoutes routes;
    private final HiddenBody bodies;
    private final Printing printing = new Printing();
    private final AddressScan address = new AddressScan();
    private final List<String> entries = new ArrayList<>();

    Concealment(Crossing way, HiddenCallIds callIds, HiddenUris uris, HiddenRoutes routes) {
        this.way = way;
        this.callIds = callIds;
        this.uris = uris;
        this.routes = routes;
        this.bodies = new HiddenBody(way, callIds, uris);
    }

    /**
     * The message as it leaves by the way that {@link Crossing#on} named last.
     *
     * @param initial its Request-URI and Route were chosen inside, and not by the peer
     */
    SipMessage hidden(SipMessage message, boolean initial) {
        ByteWriter out = printing.begin();
        startLine(message, initial, out);
        boolean request = message instanceof SipRequest;
        boolean viaSeen = false;
        boolean recordRouteSeen = false;
        boolean pathSeen = false;
        byte[] body = bodies.hidden(message);
        for (int i = 0; i < message.headerCount(); i++) {
            int id = message.idAt(i);
            if (id == HeaderName.VIA.id() && request) {
                if (!viaSeen) {
                    topVia(message, i, out);
                }
                viaSeen = true;
            } else if (id == HeaderName.RECORD_ROUTE.id()) {
                if (!recordRouteSeen) {
                    list(message, HeaderName.RECORD_ROUTE, request);
                }
                recordRouteSeen = true;
            } else if (id == HeaderName.PATH.id() && request) {
                if (!pathSeen) {
                    list(message, HeaderName.PATH, true);
                }
                pathSeen = true;
            } else if (id == HeaderName.CONTENT_LENGTH.id()
                    && (body != null || tells(message, i))) {
                int length = body == null ? message.bodyLength() : body.length;
                printing.line(HeaderName.CONTENT_LENGTH).putDecimal(length).putCrLf();
            } else {
                line(message, i, initial, out);
            }
        }
        return body == null
                ? printing.end(message, message.bytes(), message.bodyOffset(), message.bodyLength())
                : printing.end(message, body, 0, body.length);
    }

    /** The request with nothing hidden but the targets of its Refer-To. */
    SipRequest referring(SipRequest request) {
        ByteWriter out = printing.begin();
        byte[] b = request.bytes();
        int end = Ascii.indexOf(b, 0, request.length(), '\r');
        out.put(b, 0, request.uriEnd());
        printing.uriEnds();
        out.put(b, request.uriEnd(), end - request.uriEnd()).putCrLf();
        for (int i = 0; i < request.headerCount(); i++) {
            if (request.idAt(i) == HeaderName.REFER_TO.id()) {
                printing.line(HeaderName.REFER_TO);
                uris.putText(b, request.valueStart(i), request.valueEnd(i), out);
                out.putCrLf();
            } else {
                printing.copyLine(request, i);
            }
        }
        return (SipRequest) printing.end(request, b, request.bodyOffset(), request.bodyLength());
    }

    /** No number, then: some peers write words, and are read as if they had written none. */
    private boolean tells(SipMessage message, int line) {
        return way.mentions()
                .find(message.bytes(), message.valueStart(line), message.valueEnd(line));
    }

    private void startLine(SipMessage message, boolean initial, ByteWriter out) {
        byte[] b = message.bytes();
        int end = Ascii.indexOf(b, 0, message.length(), '\r');
        if (message instanceof SipResponse) {
            way.putText(b, 0, end, out);
        } else if (message instanceof SipRequest request) {
            out.put(b, 0, request.uriStart());
            if (initial && way.mentions().find(b, request.uriStart(), request.uriEnd())) {
                requestUri(b, request.uriStart(), request.uriEnd(), out);
            } else {
                out.put(b, request.uriStart(), request.uriEnd() - request.uriStart());
            }
            printing.uriEnds();
            out.put(b, request.uriEnd(), end - request.uriEnd());
        }
        out.putCrLf();
    }

    private void requestUri(byte[] b, int from, int to, ByteWriter out) {
        if (HiddenUris.schemeEnd(b, from, to) > 0) {
            if (uris.leadsInside(b, from, to)) {
                uris.putHidden(b, from, to, out);
            } else {
                uris.putTelling(b, from, to, out);
            }
        } else {
            otherScheme(b, from, to, out);
        }
    }

    /** A URI of another scheme, which stays one: its colon is no part of a host or of its port. */
    private void otherScheme(byte[] b, int from, int to, ByteWriter out) {
        int colon = Ascii.indexOf(b, from, to, ':');
        int behind = colon + 1;
        if (colon > from && way.mentions().find(b, from, colon)) {
            out.put(HIDDEN_SCHEME).put(':');
        } else {
            behind = Math.max(behind, from);
            out.put(b, from, behind - from);
        }
        way.putText(b, behind, to, out);
    }

    /** Ours; where those below it are needed again, the transaction has them. */
    private void topVia(SipMessage message, int line, ByteWriter out) {
        byte[] b = message.bytes();
        int from = message.valueStart(line);
        int end = HeaderElements.end(b, from, message.valueEnd(line));
        printing.line(HeaderName.VIA).put(b, from, Ascii.trimEnd(b, from, end) - from);
        out.putCrLf();
    }

    private void list(SipMessage message, HeaderName name, boolean request) {
        entries.clear();
        for (int i = message.find(name, 0); i >= 0; i = message.find(name, i + 1)) {
            HiddenRoutes.split(
                    message.bytes(), message.valueStart(i), message.valueEnd(i), entries);
        }
        if (entries.isEmpty()) {
            return;
        }
        int length = name.text().length();
        List<String> leaving =
                request ? routes.outwards(entries, length) : routes.backwards(entries, length);
        for (String entry : leaving) {
            printing.line(name, entry);
        }
    }

    private void line(SipMessage message, int i, boolean initial, ByteWriter out) {
        HeaderName name = message.nameAt(i);
        int id = name.id();
        byte[] b = message.bytes();
        int from = message.valueStart(i);
        int to = message.valueEnd(i);
        boolean response = message instanceof SipResponse;
        if (id == HeaderName.SERVER.id()
                || id == HeaderName.USER_AGENT.id()
                // RFC 7315 5.5: "shall not be included" beyond the trust domain.
                || id == HeaderName.P_CHARGING_FUNCTION_ADDRESSES.id()) {
            return;
        }
        // RFC 3903: SIP-ETag comes back in SIP-If-Match.
        if (id == HeaderName.CALL_ID.id() || id == HeaderName.SIP_ETAG.id()) {
            printing.line(name, callIds.outside(Latin.text(b, from, to)));
            return;
        }
        if (namesCalls(id)) {
            printing.line(name);
            putCallIds(b, from, to, out);
            out.putCrLf();
            return;
        }
        if (id == (response ? HeaderName.TO.id() : HeaderName.FROM.id())) {
            ownSide(name, b, from, to, response, out);
            return;
        }
        if (id == HeaderName.TO.id()) {
            peersSide(b, from, to, out);
            return;
        }
        // From and Via of a response are those of the peer's request. A challenge is part of
        // what its answer is computed of.
        boolean untouched =
                (response && id >= 0 && id <= HeaderName.TO.id())
                        || id == HeaderName.WWW_AUTHENTICATE.id()
                        || id == HeaderName.PROXY_AUTHENTICATE.id()
                        || (id == HeaderName.ROUTE.id() && !initial);
        if (untouched || !way.mentions().find(b, from, to)) {
            printing.copyLine(message, i);
        } else if (id == HeaderName.CONTACT.id()) {
            printing.line(name);
            contact(message, b, from, to, out);
            out.putCrLf();
        } else {
            telling(name, b, from, to, response, out);
        }
    }

    /**
     * A Contact leads the requests of its dialog. One of a registration, a redirection or a refusal
     * begins others.
     */
    private void contact(SipMessage message, byte[] b, int from, int to, ByteWriter out) {
        String tag = null;
        if (message instanceof SipRequest request) {
            tag = request.is(Methods.REGISTER) ? null : request.fromTag();
        } else if (message instanceof SipResponse response && response.status() < 300) {
            tag = response.cseq().method().equals(Methods.REGISTER) ? null : response.toTag();
        }
        if (tag == null) {
            uris.putText(b, from, to, out);
        } else {
            uris.putContact(
                    b, from, to, callIds.outside(message.callId()), callIds.outside(tag), out);
        }
    }

    /** From of a request, To of a response: the tag is the inside's, and has to come back. */
    private void ownSide(
            HeaderName name, byte[] b, int from, int to, boolean response, ByteWriter out) {
        address.scanTag(b, from, to);
        int tag = address.tagStart() < 0 ? to : address.tagStart();
        int end = address.tagStart() < 0 ? to : address.tagEnd();
        printing.line(name);
        if (response) {
            // All before the tag is as the peer's request had it.
            out.put(b, from, tag - from);
        } else {
            way.putText(b, from, tag, out);
        }
        out.put(Latin.bytes(callIds.outside(Latin.text(b, tag, end))));
        way.putText(b, end, to, out);
        out.putCrLf();
    }

    /** To of a request: the tag is the peer's, whatever it looks like. */
    private void peersSide(byte[] b, int from, int to, ByteWriter out) {
        address.scanTag(b, from, to);
        int tag = address.tagStart() < 0 ? to : address.tagStart();
        int end = address.tagStart() < 0 ? to : address.tagEnd();
        printing.line(HeaderName.TO);
        way.putText(b, from, tag, out);
        out.put(b, tag, end - tag);
        way.putText(b, end, to, out);
        out.putCrLf();
    }

    /** A header that names something internal. */
    private void telling(
            HeaderName name, byte[] b, int from, int to, boolean response, ByteWriter out) {
        int id = name.id();
        if (id == HeaderName.AUTHORIZATION.id() || id == HeaderName.PROXY_AUTHORIZATION.id()) {
            // The hash covers the URI in it, which is not the one that leaves: worth nothing there.
            return;
        }
        if (leadsNowhere(id) || (response && id == HeaderName.PATH.id())) {
            remaining(name, b, from, to, out);
            return;
        }
        printing.line(name);
        if (leadsBack(id)) {
            uris.putText(b, from, to, out);
        } else if (id == HeaderName.EVENT.id()) {
            bodies.putCallIdParameters(b, from, to, out);
        } else {
            way.putText(b, from, to, out);
        }
        out.putCrLf();
    }

    /** Headers whose URIs the peer sends requests to. */
    private static boolean leadsBack(int id) {
        return id == HeaderName.ROUTE.id()
                || id == HeaderName.REFER_TO.id()
                || id == HeaderName.SERVICE_ROUTE.id();
    }

    /** Headers whose URIs nobody outside could fetch. */
    private static boolean leadsNowhere(int id) {
        return id == HeaderName.CALL_INFO.id()
                || id == HeaderName.ALERT_INFO.id()
                || id == HeaderName.ERROR_INFO.id()
                || id == HeaderName.GEOLOCATION.id()
                || id == HeaderName.IDENTITY.id()
                || id == HeaderName.IDENTITY_INFO.id();
    }

    /** Headers that begin with the Call-ID of another call. */
    static boolean namesCalls(int id) {
        return id == HeaderName.REPLACES.id()
                || id == HeaderName.JOIN.id()
                || id == HeaderName.TARGET_DIALOG.id()
                || id == HeaderName.IN_REPLY_TO.id();
    }

    /** Call-IDs at the beginning and behind commas; what else there is are parameters. */
    private void putCallIds(byte[] b, int from, int to, ByteWriter out) {
        int p = from;
        while (p < to) {
            int start = Ascii.skipLws(b, p, to);
            int end = HiddenCallIds.wordEnd(b, start, to);
            out.put(b, p, start - p);
            out.put(Latin.bytes(callIds.outside(Latin.text(b, start, end))));
            int next = Ascii.indexOf(b, end, to, ',');
            p = next < 0 ? to : next + 1;
            callIds.putTags(b, end, p, true, out);
        }
    }

    /**
     * Only the elements that tell nothing are left, and those that lead into the body (RFC 2392),
     * whose Content-ID is changed in the same way.
     */
    private void remaining(HeaderName name, byte[] b, int from, int to, ByteWriter out) {
        boolean any = false;
        for (int p = from; p < to; ) {
            int end = HeaderElements.end(b, p, to);
            if (!way.mentions().find(b, p, end) || leadsToBody(b, p, end)) {
                way.putText(b, p, end, any ? out.put(", ") : printing.line(name));
                any = true;
            }
            p = end + 1;
        }
        if (any) {
            out.putCrLf();
        }
    }

    private static boolean leadsToBody(byte[] b, int from, int to) {
        int uri = Ascii.indexOf(b, from, to, '<') + 1;
        return uri > from && uri + 4 < to && Ascii.equalsIgnoreCase(b, uri, uri + 4, "cid:");
    }

    /** Is it a request whose target the inside chose? */
    static boolean initial(SipMessage message) {
        return message instanceof SipRequest request
                && request.toTag() == null
                && !request.is(Methods.ACK);
    }
}
