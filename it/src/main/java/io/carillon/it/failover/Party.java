package io.carillon.it.failover;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One end of a call: its side of the dialog (RFC 3261 section 12), and the requests it makes. One
 * thread.
 */
final class Party {
    private static final String SDP =
            "v=0\r\no=phone 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\n"
                    + "t=0 0\r\nm=audio 9 RTP/AVP 0\r\na=inactive\r\n";

    private final Wire wire;
    private final Wire.Socket socket;
    private final Map<String, Exchange> exchanges;
    final String callId;
    private final String local;
    private final String localTag;
    private String remote;
    private String remoteTag = "";
    private String target;
    private List<String> routes = List.of();
    private boolean inDialog;
    private long cseq;
    private @Nullable String ack;

    private Party(
            Wire wire,
            Wire.Socket socket,
            Map<String, Exchange> exchanges,
            String callId,
            String local,
            String remote,
            String target) {
        this.wire = wire;
        this.socket = socket;
        this.exchanges = exchanges;
        this.callId = callId;
        this.local = local;
        this.localTag =
                Integer.toHexString(System.identityHashCode(this)) + "t" + callId.hashCode();
        this.remote = remote;
        this.target = target;
    }

    /** Who calls. */
    static Party caller(
            Wire wire,
            Wire.Socket socket,
            Map<String, Exchange> exchanges,
            String callId,
            String user,
            String target) {
        String local = "<sip:" + user + "@" + socket.at() + ">";
        return new Party(wire, socket, exchanges, callId, local, "<" + target + ">", target);
    }

    /** Who got this INVITE. */
    static Party callee(
            Wire wire, Wire.Socket socket, Map<String, Exchange> exchanges, SipText invite) {
        Party party =
                new Party(
                        wire,
                        socket,
                        exchanges,
                        invite.callId(),
                        invite.header("To"),
                        invite.header("From"),
                        invite.contact());
        party.inDialog = true;
        party.remoteTag = invite.tag("From");
        party.routes = invite.recordRoutes();
        return party;
    }

    /** The first request. */
    Exchange first(String method, List<String> more, Exchange.Listener listener) {
        return begin(method, target, method.equals("INVITE") ? SDP : "", more, listener);
    }

    /** What the first 2xx to our INVITE says of the dialog (RFC 3261 12.1.2). */
    void established(SipText response) {
        inDialog = true;
        remoteTag = response.tag("To");
        remote = "<" + remote.substring(1, remote.indexOf('>')) + ">";
        target = response.contact();
        List<String> backwards = new ArrayList<>(response.recordRoutes());
        Collections.reverse(backwards);
        routes = List.copyOf(backwards);
    }

    /** A request of the dialog; a re-INVITE has a description. */
    Exchange request(String method, List<String> more, Exchange.Listener listener) {
        return begin(method, target, method.equals("INVITE") ? SDP : "", more, listener);
    }

    private Exchange begin(
            String method, String uri, String body, List<String> more, Exchange.Listener listener) {
        cseq++;
        String branch = "z9hG4bKfo" + localTag + cseq;
        String request = text(method, uri, branch, cseq, more, body);
        Exchange exchange = new Exchange(wire, way(), method, branch, request, listener);
        exchanges.put(branch + method, exchange);
        return exchange;
    }

    /** RFC 3261 9.1: Via, Request-URI and CSeq number of the INVITE. */
    Exchange cancel(Exchange invite, Exchange.Listener listener) {
        SipText asked = new SipText(invite.request);
        String uri = asked.firstLine().split(" ", -1)[1];
        String request = text("CANCEL", uri, invite.branch, asked.cseq(), List.of(), "");
        Exchange exchange = new Exchange(wire, way(), "CANCEL", invite.branch, request, listener);
        exchanges.put(invite.branch + "CANCEL", exchange);
        return exchange;
    }

    /** The ACK to a 2xx; a repeated 2xx is given the same again. */
    void acknowledge(Exchange invite, boolean again) {
        String known = ack;
        if (known == null || !again) {
            long number = new SipText(invite.request).cseq();
            String branch = "z9hG4bKfo" + localTag + "a" + number;
            known = text("ACK", target, branch, number, List.of(), "");
            ack = known;
        }
        way().send(known);
    }

    /** RFC 3261 17.1.1.3: the ACK to a refusal has the branch and the Request-URI of the INVITE. */
    void acknowledgeRefusal(Exchange invite, SipText refusal) {
        SipText asked = new SipText(invite.request);
        String uri = asked.firstLine().split(" ", -1)[1];
        String before = remoteTag;
        remoteTag = refusal.tag("To");
        way().send(text("ACK", uri, invite.branch, asked.cseq(), List.of(), ""));
        remoteTag = before;
    }

    /** RFC 3261 8.1.2: to the first Route, else to the target; before the dialog to the router. */
    private Wire.Way way() {
        return inDialog ? socket.to(next()) : socket.toRouter();
    }

    private String next() {
        return routes.isEmpty() ? target : routes.getFirst();
    }

    private String text(
            String method, String uri, String branch, long number, List<String> more, String body) {
        StringBuilder all = new StringBuilder(512);
        all.append(method).append(' ').append(uri).append(" SIP/2.0\r\n");
        line(all, "Via", "SIP/2.0/" + socket.transport() + " " + socket.at() + ";branch=" + branch);
        line(all, "Max-Forwards", "70");
        line(all, "From", local + ";tag=" + localTag);
        line(
                all,
                "To",
                remoteTag.isEmpty() || remote.contains("tag=")
                        ? remote
                        : remote + ";tag=" + remoteTag);
        line(all, "Call-ID", callId);
        line(all, "CSeq", number + " " + method);
        for (String route : routes) {
            line(all, "Route", route);
        }
        if (!method.equals("CANCEL") && !method.equals("ACK")) {
            line(all, "Contact", contact());
        }
        more.forEach(line -> all.append(line).append("\r\n"));
        return end(all, body);
    }

    /** A response; with a description where it is a 2xx to an INVITE. */
    String response(SipText request, String status) {
        StringBuilder all = new StringBuilder(512);
        all.append("SIP/2.0 ").append(status).append("\r\n");
        for (String via : request.lines("Via")) {
            line(all, "Via", via);
        }
        for (String route : request.lines("Record-Route")) {
            line(all, "Record-Route", route);
        }
        String to = request.header("To");
        line(all, "From", request.header("From"));
        line(all, "To", request.tag("To").isEmpty() ? to + ";tag=" + localTag : to);
        line(all, "Call-ID", request.callId());
        line(all, "CSeq", request.header("CSeq"));
        boolean invite = request.method().equals("INVITE");
        if (invite || request.method().equals("UPDATE")) {
            line(all, "Contact", contact());
        }
        return end(all, invite && status.startsWith("200") ? SDP : "");
    }

    private String contact() {
        return "<sip:phone@" + socket.at() + socket.parameter() + ">";
    }

    private static void line(StringBuilder all, String name, String value) {
        all.append(name).append(": ").append(value).append("\r\n");
    }

    private static String end(StringBuilder all, String body) {
        if (!body.isEmpty()) {
            line(all, "Content-Type", "application/sdp");
        }
        line(all, "Content-Length", Integer.toString(body.length()));
        return all.append("\r\n").append(body).toString();
    }

    /** RFC 3261 18.2.2: a response goes where the topmost Via says. */
    void answer(SipText request, String response) {
        answer(socket, request, response);
    }

    static void answer(Wire.Socket socket, SipText request, String response) {
        socket.to(request.sentBy()).send(response);
    }
}
