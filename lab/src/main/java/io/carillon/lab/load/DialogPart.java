package io.carillon.lab.load;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.header.AddressScan;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import java.util.List;

/**
 * What a leg keeps of the message that made its dialog, as bytes ready to be printed: the remote
 * target, the far end's address with its tag, the route set. Owner: the engine's thread.
 */
final class DialogPart {
    private static final int ROOM = 256;

    private byte[] bytes = new byte[0];
    private int targetEnd;
    private int farEnd;
    private int routesEnd;

    /** Takes the dialog of a 2xx (RFC 3261 12.1.2: the route set in reverse order). */
    void ofResponse(SipResponse response, AddressScan scan, ByteWriter scratch) {
        take(response, HeaderName.TO, true, scan, scratch);
    }

    /** Takes the dialog of a request (RFC 3261 12.1.1: the route set as it came). */
    void ofRequest(SipMessage request, AddressScan scan, ByteWriter scratch) {
        take(request, HeaderName.FROM, false, scan, scratch);
    }

    private void take(
            SipMessage message,
            HeaderName far,
            boolean reverse,
            AddressScan scan,
            ByteWriter scratch) {
        scratch.clear();
        byte[] b = message.bytes();
        int contact = message.find(HeaderName.CONTACT, 0);
        if (contact >= 0
                && scan.scan(b, message.valueStart(contact), message.valueEnd(contact)) == null) {
            scratch.put(b, scan.uriStart(), scan.uriEnd() - scan.uriStart());
        }
        targetEnd = scratch.length();
        int other = message.find(far, 0);
        scratch.put(
                b, message.valueStart(other), message.valueEnd(other) - message.valueStart(other));
        farEnd = scratch.length();
        routes(message, reverse, scratch);
        routesEnd = scratch.length();
        if (bytes.length < routesEnd) {
            bytes = new byte[Math.max(ROOM, routesEnd)];
        }
        System.arraycopy(scratch.array(), 0, bytes, 0, routesEnd);
    }

    private static void routes(SipMessage message, boolean reverse, ByteWriter out) {
        int first = message.find(HeaderName.RECORD_ROUTE, 0);
        if (first < 0) {
            return;
        }
        byte[] b = message.bytes();
        if (message.find(HeaderName.RECORD_ROUTE, first + 1) < 0
                && Ascii.indexOf(b, message.valueStart(first), message.valueEnd(first), ',')
                        == -1) {
            out.put("Route: ")
                    .put(
                            b,
                            message.valueStart(first),
                            message.valueEnd(first) - message.valueStart(first))
                    .putCrLf();
            return;
        }
        List<String> all = message.headers(HeaderName.RECORD_ROUTE);
        for (String route : reverse ? all.reversed() : all) {
            out.put("Route: ").put(route).putCrLf();
        }
    }

    boolean hasTarget() {
        return targetEnd > 0;
    }

    void putTarget(ByteWriter out) {
        out.put(bytes, 0, targetEnd);
    }

    void putFar(ByteWriter out) {
        out.put(bytes, targetEnd, farEnd - targetEnd);
    }

    void putRoutes(ByteWriter out) {
        out.put(bytes, farEnd, routesEnd - farEnd);
    }

    /**
     * Where requests of the dialog go: to the first route, else to the target (RFC 3261 12.2.1.1).
     */
    Hop hop(RememberedHops ways, AddressScan scan, Hop otherwise) {
        if (routesEnd > farEnd) {
            int from = farEnd + "Route: ".length();
            int to = Ascii.indexOf(bytes, from, routesEnd, '\r');
            return scan.scan(bytes, from, to) == null
                    ? ways.of(bytes, scan.uriStart(), scan.uriEnd(), otherwise)
                    : otherwise;
        }
        return hasTarget() ? ways.of(bytes, 0, targetEnd, otherwise) : otherwise;
    }
}
