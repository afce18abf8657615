package io.carillon.servlet.memory;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One call through a {@link DirectNode} of which the test is both ends: INVITE, 180, 200, ACK, BYE,
 * 200, six messages received. Messages have the shape of those in lab/scenarios. Owner: the test's
 * thread.
 */
final class DirectCall {
    private static final String SDP =
            """
            v=0
            o=phone 20260501 1000000001 IN IP4 10.0.0.2
            s=-
            c=IN IP4 10.0.0.2
            t=0 0
            m=audio 6000 RTP/AVP 0
            a=rtpmap:0 PCMU/8000
            """;

    private final DirectNode node;
    private final Meter meter;
    private final String id;
    private String to = "To: <sip:callee@10.0.0.1:5060>\n";
    private String target = "sip:callee@10.0.0.1:5060";
    private String routes = "";

    /** Takes the message to the server; may measure what that costs. */
    interface Meter {
        void receive(DirectNode node, byte[] datagram);
    }

    DirectCall(DirectNode node, Meter meter, int number) {
        this.node = node;
        this.meter = meter;
        this.id = "call" + number;
    }

    /** Sets it up: afterwards it is held. */
    void setUp() {
        receive(request("INVITE", "1", 1, SDP));
        SipRequest invite = lastRequest("INVITE");
        receive(answer(invite, "180 Ringing", ""));
        receive(answer(invite, "200 OK", SDP));
        SipResponse ok = lastResponse(200);
        to = "To: " + ok.to() + "\n";
        target = String.valueOf(ok.contact() == null ? null : ok.contact().uri());
        routes = toServer(ok.recordRoutes().reversed());
        receive(request("ACK", "2", 1, ""));
        lastRequest("ACK");
    }

    /** The routes that are left when a request has come to the server. */
    private static String toServer(List<NameAddress> all) {
        int own = 0;
        while (own < all.size() && !all.get(own).toString().contains("10.0.0.1")) {
            own++;
        }
        StringBuilder text = new StringBuilder();
        all.subList(own == all.size() ? 0 : own, all.size())
                .forEach(route -> text.append("Route: ").append(route).append('\n'));
        return text.toString();
    }

    void release() {
        receive(request("BYE", "3", 2, ""));
        receive(answer(lastRequest("BYE"), "200 OK", ""));
        lastResponse(200);
    }

    private void receive(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        meter.receive(node, bytes);
    }

    private SipRequest lastRequest(String method) {
        for (SipMessage m; (m = node.sent.poll()) != null; ) {
            if (m instanceof SipRequest request && request.is(method)) {
                return request;
            }
        }
        throw new AssertionError("no " + method + " left the server");
    }

    private SipResponse lastResponse(int status) {
        for (SipMessage m; (m = node.sent.poll()) != null; ) {
            if (m instanceof SipResponse response && response.status() == status) {
                return response;
            }
        }
        throw new AssertionError("no " + status + " left the server");
    }

    private String request(String method, String branch, int cseq, String body) {
        return method
                + " "
                + target
                + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK-"
                + id
                + "-"
                + branch
                + "\nFrom: \"caller\" <sip:caller@10.0.0.2:5060>;tag=f"
                + id
                + "\n"
                + to
                + "Call-ID: "
                + id
                + "-4711@10.0.0.2\nCSeq: "
                + cseq
                + " "
                + method
                + "\n"
                + routes
                + "Contact: <sip:caller@10.0.0.2:5060;transport=UDP>\nMax-Forwards: 70\n"
                + content(body);
    }

    private String answer(SipRequest request, String status, String body) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + "\n");
        for (int i = 0; i < request.headerCount(); i++) {
            String name = request.nameAt(i).text();
            switch (name) {
                case "Via", "From", "Call-ID", "CSeq", "Record-Route" ->
                        text.append(name + ": " + request.valueAt(i) + "\n");
                case "To" ->
                        text.append("To: " + request.valueAt(i))
                                .append(request.toTag() == null ? ";tag=t" + id : "")
                                .append('\n');
                default -> {}
            }
        }
        return text.append("Contact: <sip:callee@10.0.0.2:5060;transport=UDP>\n")
                .append(content(body))
                .toString();
    }

    private static String content(String body) {
        if (body.isEmpty()) {
            return "Content-Length: 0\n\n";
        }
        int length = body.replace("\n", "\r\n").length();
        return "Content-Type: application/sdp\nContent-Length: " + length + "\n\n" + body;
    }
}
