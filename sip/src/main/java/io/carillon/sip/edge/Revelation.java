package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was hidden from a peer, put back into what comes: for requests out of the tokens alone, for
 * responses out of the request that they answer, too.
 *
 * <p>Owner: one shard's thread.
 */
final class Revelation {
    private static final String EVENT_CALL = "call-id=";

    private final Crossing way;
    private final HiddenCallIds callIds;
    private final HiddenUris uris;
    private final HiddenRoutes routes;
    private final Printing printing = new Printing();
    private final AddressScan address = new AddressScan();
    private final List<String> entries = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private boolean forged;
    private boolean aimed;

    Revelation(Crossing way, HiddenCallIds callIds, HiddenUris uris, HiddenRoutes routes) {
        this.way = way;
        this.callIds = callIds;
        this.uris = uris;
        this.routes = routes;
    }

    /**
     * Did the request that was looked at last hold a token that is none of ours, where it leads?
     */
    boolean forged() {
        return forged;
    }

    /**
     * Was the Request-URI of the request that was looked at last a token that was given to the peer
     * in the dialog that the request names?
     */
    boolean aimed() {
        return aimed;
    }

    // Requests

    /**
     * The request as the inside sees it.
     *
     * @param from the peer it came from; null for one from whom nothing is hidden
     */
    SipRequest shown(SipRequest request, @Nullable Peer from) {
        forged = false;
        aimed = false;
        String callId = callId(request);
        String inside = callIds.inside(callId, from);
        boolean tokens = holdsTokens(request);
        // Another call of the peer's bears its mark inside.
        boolean names = from != null && namesCalls(request);
        if (!tokens && !names && inside.equals(callId)) {
            return request;
        }
        ByteWriter out = printing.begin();
        byte[] b = request.bytes();
        out.put(b, 0, request.uriStart());
        requestUri(request, out);
        printing.uriEnds();
        int lineEnd = Ascii.indexOf(b, request.uriEnd(), request.length(), '\r');
        out.put(b, request.uriEnd(), lineEnd - request.uriEnd()).putCrLf();
        boolean routeSeen = false;
        for (int i = 0; i < request.headerCount(); i++) {
            int id = request.idAt(i);
            if (id == HeaderName.CALL_ID.id()) {
                printing.line(HeaderName.CALL_ID, inside);
            } else if (id == HeaderName.ROUTE.id()) {
                if (!routeSeen) {
                    list(request, HeaderName.ROUTE, true);
                }
                routeSeen = true;
            } else {
                line(request, i, from, out);
            }
        }
        return (SipRequest) printing.end(request, b, request.bodyOffset(), request.bodyLength());
    }

    private static boolean namesCalls(SipRequest request) {
        for (int i = 0; i < request.headerCount(); i++) {
            int id = request.idAt(i);
            if (Concealment.namesCalls(id) || id == HeaderName.REFER_TO.id()) {
                return true;
            }
        }
        return false;
    }

    private static String callId(SipRequest request) {
        int i = request.find(HeaderName.CALL_ID, 0);
        return i < 0 ? "" : Latin.text(request.bytes(), request.valueStart(i), request.valueEnd(i));
    }

    /** Do any bytes of the headers look like a token of ours? */
    private static boolean holdsTokens(SipMessage message) {
        byte[] b = message.bytes();
        int end = message.bodyOffset() - 3;
        for (int p = 0; p < end; p++) {
            // Parameters are the same in any case (RFC 3261 7.3.1): by the bit that tells cases.
            if ((b[p] | 0x20) == 'c' && (b[p + 1] | 0x20) == 'r' && (b[p + 2] | 0x20) == 'h') {
                return true;
            }
        }
        return false;
    }

    private void requestUri(SipRequest request, ByteWriter out) {
        byte[] b = request.bytes();
        int from = request.uriStart();
        int to = request.uriEnd();
        int param = HiddenUris.find(b, from, to);
        String opened = param < 0 ? null : uris.opened(b, param, to);
        if (opened != null && UriTokens.isUri(opened) && HiddenUris.schemeEnd(b, from, to) > 0) {
            String tag = request.toTag();
            aimed = tag != null && uris.isOfCall(opened, callId(request), tag);
            // RFC 3261 17.1.1.3: the ACK for a refusal has the Request-URI of the first request.
            forged |= tag != null && !aimed && !request.is(Methods.ACK);
            if (leavesAgain(request)) {
                aimed = false;
                out.put(b, from, to - from);
            } else {
                uris.putShown(b, from, to, param, opened, out);
            }
            return;
        }
        forged |=
                param >= 0
                        && opened == null
                        && request.requestUri() instanceof SipUri uri
                        && way.isLocal(uri);
        out.put(b, from, to - from);
    }

    /** Does a Route lead it outside again, where nobody may read what the token says? */
    private boolean leavesAgain(SipRequest request) {
        for (String entry : entries(request, HeaderName.ROUTE, true)) {
            if (!routes.leadsHere(entry) && !routes.leadsInside(entry)) {
                return true;
            }
        }
        return false;
    }

    private void list(SipMessage message, HeaderName name, boolean route) {
        for (String entry : entries(message, name, route)) {
            printing.line(name, entry);
        }
    }

    private List<String> entries(SipMessage message, HeaderName name, boolean route) {
        entries.clear();
        shown.clear();
        for (int i = message.find(name, 0); i >= 0; i = message.find(name, i + 1)) {
            HiddenRoutes.split(
                    message.bytes(), message.valueStart(i), message.valueEnd(i), entries);
        }
        HiddenRoutes.Outcome outcome = routes.inwards(entries, route, shown);
        forged |= outcome == HiddenRoutes.Outcome.FORGED && route;
        return outcome == HiddenRoutes.Outcome.SHOWN ? shown : entries;
    }

    private void line(SipRequest request, int i, @Nullable Peer from, ByteWriter out) {
        int id = request.idAt(i);
        byte[] b = request.bytes();
        int start = request.valueStart(i);
        int end = request.valueEnd(i);
        if (Concealment.namesCalls(id)) {
            printing.line(request.nameAt(i));
            putCallIds(b, start, end, from, out);
            out.putCrLf();
        } else if (id == HeaderName.TO.id()) {
            printing.line(HeaderName.TO);
            address.scanTag(b, start, end);
            int tag = address.tagStart() < 0 ? end : address.tagStart();
            int tagEnd = address.tagStart() < 0 ? end : address.tagEnd();
            out.put(b, start, tag - start);
            out.put(Latin.bytes(callIds.inside(Latin.text(b, tag, tagEnd), null)));
            out.put(b, tagEnd, end - tagEnd).putCrLf();
        } else if (id == HeaderName.SIP_IF_MATCH.id()) {
            printing.line(request.nameAt(i), callIds.inside(Latin.text(b, start, end), null));
        } else if (id == HeaderName.EVENT.id()) {
            printing.line(HeaderName.EVENT);
            putEvent(b, start, end, from, out);
            out.putCrLf();
        } else if (id == HeaderName.REFER_TO.id()) {
            printing.line(HeaderName.REFER_TO);
            uris.putShownText(b, start, end, from, out);
            out.putCrLf();
        } else {
            printing.copyLine(request, i);
        }
    }

    private void putCallIds(byte[] b, int from, int to, @Nullable Peer peer, ByteWriter out) {
        int p = from;
        while (p < to) {
            int start = Ascii.skipLws(b, p, to);
            int end = HiddenCallIds.wordEnd(b, start, to);
            out.put(b, p, start - p);
            out.put(Latin.bytes(callIds.inside(Latin.text(b, start, end), peer)));
            int next = Ascii.indexOf(b, end, to, ',');
            p = next < 0 ? to : next + 1;
            callIds.putTags(b, end, p, false, out);
        }
    }

    /** RFC 4235 3.2: the call of a subscription to a dialog's state. */
    private void putEvent(byte[] b, int from, int to, @Nullable Peer peer, ByteWriter out) {
        int start = to;
        for (int p = from; start == to && p + EVENT_CALL.length() < to; p++) {
            int value = p + EVENT_CALL.length();
            if (Ascii.equalsIgnoreCase(b, p, value, EVENT_CALL)) {
                start = b[value] == '"' ? value + 1 : value;
            }
        }
        int end = start;
        while (end < to && b[end] != '"' && b[end] != ';' && !Ascii.isLws(b[end])) {
            end++;
        }
        out.put(b, from, start - from);
        out.put(Latin.bytes(callIds.inside(Latin.text(b, start, end), peer)));
        out.put(b, end, to - end);
    }

    // Responses

    /**
     * The response as the inside sees it. RFC 3261 8.2.6.2: From, To, Call-ID and Via of a response
     * equal those of its request: so they are taken from there.
     *
     * @param sent the request that it answers, as it was before it left
     */
    SipResponse shown(SipResponse response, SipRequest sent) {
        ByteWriter out = printing.begin();
        byte[] b = response.bytes();
        out.put(b, 0, Ascii.indexOf(b, 0, response.length(), '\r')).putCrLf();
        boolean register = sent.is(Methods.REGISTER);
        boolean viaAlone = response.count(HeaderName.VIA) == 1;
        boolean recordRouteSeen = false;
        boolean pathSeen = false;
        for (int i = 0; i < response.headerCount(); i++) {
            int id = response.idAt(i);
            if (id == HeaderName.VIA.id()) {
                printing.copyLine(response, i);
                if (viaAlone) {
                    furtherVias(sent);
                }
            } else if (id == HeaderName.FROM.id()) {
                printing.copyLine(sent, sent.find(HeaderName.FROM, 0));
            } else if (id == HeaderName.TO.id()) {
                to(response, sent, out);
            } else if (id == HeaderName.CALL_ID.id()) {
                printing.copyLine(sent, sent.find(HeaderName.CALL_ID, 0));
            } else if (id == HeaderName.RECORD_ROUTE.id()) {
                if (!recordRouteSeen) {
                    list(response, HeaderName.RECORD_ROUTE, false);
                }
                recordRouteSeen = true;
            } else if (id == HeaderName.PATH.id()) {
                if (!pathSeen) {
                    list(response, HeaderName.PATH, false);
                }
                pathSeen = true;
            } else if (id == HeaderName.CONTACT.id() && register) {
                // The bindings: who registered looks for his own among them.
                printing.line(HeaderName.CONTACT);
                uris.putShownText(b, response.valueStart(i), response.valueEnd(i), null, out);
                out.putCrLf();
            } else {
                printing.copyLine(response, i);
            }
        }
        return (SipResponse)
                printing.end(response, b, response.bodyOffset(), response.bodyLength());
    }

    /** What stood below our Via when the request left. */
    private void furtherVias(SipRequest sent) {
        entries.clear();
        for (int i = sent.find(HeaderName.VIA, 0); i >= 0; i = sent.find(HeaderName.VIA, i + 1)) {
            HiddenRoutes.split(sent.bytes(), sent.valueStart(i), sent.valueEnd(i), entries);
        }
        for (int i = 1; i < entries.size(); i++) {
            printing.line(HeaderName.VIA, entries.get(i));
        }
    }

    private void to(SipResponse response, SipRequest sent, ByteWriter out) {
        int line = sent.find(HeaderName.TO, 0);
        String tag = response.toTag();
        if (tag == null || sent.toTag() != null) {
            printing.copyLine(sent, line);
            return;
        }
        int from = sent.valueStart(line);
        printing.line(HeaderName.TO).put(sent.bytes(), from, sent.valueEnd(line) - from);
        out.put(";tag=").put(tag).putCrLf();
    }
}
