package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.server.MemoryServer;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A telephone that keeps to the rules, with one dialog at a time. It answers what comes at once, or
 * when it is told to. Owner: the test's thread.
 */
final class CallPeer {
    /** What the server takes, with what a proxy adds to it. */
    private static final MessageParser PARSER =
            new MessageParser(
                    Compliance.LENIENT, new MessageLimits(65_535, 65_535, 256 + 16, 16_384 + 1024));

    private static final String NO_BODY = "Content-Length: 0\r\n\r\n";

    final String name;
    final String host;
    private final InetSocketAddress address;
    private final SimulatedNetwork network;

    /** Requests that have no answer yet, oldest first. */
    final ArrayDeque<SipRequest> open = new ArrayDeque<>();

    /** By branch: what came again is not a further one. */
    private final Set<String> seen = new HashSet<>();

    /** Answers at once, all but ACK. */
    boolean prompt;

    /** Whether a 2xx gets its ACK at once. */
    boolean acknowledges = true;

    /** The last request that came, ACKs not counted. */
    @Nullable SipRequest last;

    /** The last final response to a request of ours, by its CSeq. */
    @Nullable SipResponse answer;

    /** Requests to hang up that came. */
    int byes;

    private String callId = "";
    private String local = "";
    private String remote = "";
    private String target = "";
    private List<String> routes = List.of();
    private boolean confirmed;
    private int cseq;
    private long branches;

    CallPeer(SimulatedNetwork network, String name, String host) {
        this.network = network;
        this.name = name;
        this.host = host;
        address = SimulatedNetwork.address(host, 5060);
        network.bind(address, (bytes, transport, from, to) -> received(bytes));
    }

    /** Forgets the call before. */
    void clear() {
        open.clear();
        seen.clear();
        prompt = false;
        acknowledges = true;
        last = null;
        answer = null;
        byes = 0;
        confirmed = false;
        callId = "";
        local = "";
        remote = "";
        target = "";
        routes = List.of();
        cseq = 0;
    }

    // ---- what the fuzzer asks ----

    String callId() {
        return callId;
    }

    /** From of its requests, To of its answers. */
    String local() {
        return local;
    }

    String remote() {
        return remote;
    }

    String target() {
        return target;
    }

    List<String> routes() {
        return routes;
    }

    int cseq() {
        return cseq;
    }

    /** For a request that somebody else makes. */
    int nextCseq() {
        return ++cseq;
    }

    InetSocketAddress address() {
        return address;
    }

    boolean confirmed() {
        return confirmed;
    }

    String contact() {
        return "Contact: <sip:" + name + "@" + host + ">\r\n";
    }

    // ---- what it does ----

    void send(String message) {
        network.send(
                Transport.UDP,
                address,
                MemoryServer.ADDRESS,
                message.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Whom it calls next, by which Call-ID. */
    void calls(String uri, String id) {
        callId = id;
        local = "<sip:" + name + "@" + host + ">;tag=" + name;
        remote = "<" + uri + ">";
        target = uri;
    }

    /** A request within the dialog, or its first; returns its CSeq number. */
    int request(String method, String more) {
        answer = null;
        cseq++;
        send(text(method, cseq, more));
        return cseq;
    }

    private String text(String method, int number, String more) {
        StringBuilder text = new StringBuilder(500);
        text.append(method).append(' ').append(target).append(" SIP/2.0\r\n");
        text.append("Via: SIP/2.0/UDP ").append(host).append(";branch=z9hG4bK");
        text.append(name).append(branches++).append("\r\nMax-Forwards: 70\r\n");
        for (String route : routes) {
            text.append("Route: ").append(route).append("\r\n");
        }
        text.append("From: ").append(local).append("\r\nTo: ").append(remote);
        text.append("\r\nCall-ID: ").append(callId).append("\r\nCSeq: ").append(number);
        text.append(' ').append(method).append("\r\n").append(contact());
        return text.append(more).append(NO_BODY).toString();
    }

    /** Answers the oldest request that is open. */
    void answerOldest(int status, String more) {
        SipRequest request = open.peek();
        if (request != null) {
            if (status >= 200) {
                open.remove();
            }
            respond(request, status, more);
        }
    }

    void answerAll() {
        while (!open.isEmpty()) {
            answerOldest(200, "");
        }
    }

    private void respond(SipRequest request, int status, String more) {
        StringBuilder text = new StringBuilder(500);
        text.append("SIP/2.0 ").append(status).append(" X\r\n");
        copy(text, "Via", request, HeaderName.VIA);
        copy(text, "Record-Route", request, HeaderName.RECORD_ROUTE);
        text.append("From: ").append(request.header(HeaderName.FROM)).append("\r\nTo: ");
        text.append(request.header(HeaderName.TO));
        if (request.toTag() == null) {
            text.append(";tag=").append(name);
        }
        text.append("\r\nCall-ID: ").append(request.callId()).append("\r\nCSeq: ");
        text.append(request.header(HeaderName.CSEQ)).append("\r\n").append(contact());
        send(text.append(more).append(NO_BODY).toString());
    }

    static void copy(StringBuilder text, String name, SipMessage from, HeaderName header) {
        for (String value : from.headers(header)) {
            text.append(name).append(": ").append(value).append("\r\n");
        }
    }

    // ---- what comes ----

    /** What the server sends is a message. */
    static SipMessage read(byte[] bytes) {
        ParseResult result = PARSER.parseDatagram(bytes, bytes.length);
        if (result instanceof ParseResult.Parsed(SipMessage message)) {
            return message;
        }
        throw new Finding(
                "the server sent "
                        + result
                        + ":\n"
                        + new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private void received(byte[] bytes) {
        switch (read(bytes)) {
            case SipRequest request -> asked(request);
            case SipResponse response -> answered(response);
        }
    }

    private void asked(SipRequest request) {
        if (request.is("ACK") || !seen.add(request.topVia().branch() + request.method())) {
            return;
        }
        last = request;
        if (request.is("BYE")) {
            byes++;
        }
        if (request.is("CANCEL") || prompt) {
            respond(request, 200, "");
            return;
        }
        if (request.is("INVITE")) {
            respond(request, 100, "");
            if (request.toTag() == null) {
                begun(request);
            }
        }
        open.add(request);
    }

    /** RFC 3261 12.1.1: the dialog of who was called. */
    private void begun(SipRequest invite) {
        callId = invite.callId();
        local = invite.header(HeaderName.TO) + ";tag=" + name;
        remote = String.valueOf(invite.header(HeaderName.FROM));
        target = contactOf(invite);
        routes = invite.headers(HeaderName.RECORD_ROUTE);
        confirmed = true;
    }

    private void answered(SipResponse response) {
        if (response.status() < 200
                || response.cseqNumber() > cseq
                || !response.callId().equals(callId)
                || !name.equals(response.fromTag())) {
            return;
        }
        String method = response.cseqMethod();
        if (!confirmed
                && response.status() < 300
                && (method.equals("INVITE") || method.equals("SUBSCRIBE"))) {
            established(response);
        }
        if (method.equals("INVITE")) {
            acknowledge(response);
        }
        if (response.cseqNumber() == cseq && answer == null) {
            answer = response;
        }
    }

    /** RFC 3261 12.1.2: the dialog of who called. */
    private void established(SipResponse response) {
        confirmed = true;
        remote = String.valueOf(response.header(HeaderName.TO));
        List<String> recorded = new ArrayList<>(response.headers(HeaderName.RECORD_ROUTE));
        Collections.reverse(recorded);
        routes = recorded;
        target = contactOf(response);
    }

    private void acknowledge(SipResponse response) {
        String number = "CSeq: " + response.cseqNumber() + " ACK\r\n";
        if (response.status() >= 300) {
            // 17.1.1.3: "The ACK MUST contain a single Via header field [...] equal to the top Via
            // header field of the original request."
            StringBuilder text = new StringBuilder(300);
            text.append("ACK ").append(target).append(" SIP/2.0\r\n");
            copy(text, "Via", response, HeaderName.VIA);
            text.append("Max-Forwards: 70\r\nFrom: ").append(local).append("\r\nTo: ");
            text.append(response.header(HeaderName.TO)).append("\r\nCall-ID: ").append(callId);
            send(text.append("\r\n").append(number).append(NO_BODY).toString());
            return;
        }
        if (acknowledges && remote.equals(response.header(HeaderName.TO))) {
            send(text("ACK", (int) response.cseqNumber(), ""));
        }
    }

    /** The ACK that was held back. */
    void acknowledge() {
        SipResponse given = answer;
        if (given != null && given.cseqMethod().equals("INVITE") && given.status() < 300) {
            send(text("ACK", (int) given.cseqNumber(), ""));
        }
    }

    private static String contactOf(SipMessage message) {
        var contact = message.contact();
        return contact == null || contact.wildcard()
                ? "sip:nobody@10.0.0.1"
                : contact.uri().toString();
    }
}
