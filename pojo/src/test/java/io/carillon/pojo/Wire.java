package io.carillon.pojo;

import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.time.Duration;

/** A peer that sends single requests, each with a Call-ID of its own. */
public final class Wire {
    private final SipTestServer server;
    private final ScriptedPeer peer;
    private int sent;

    public Wire(SipTestServer server) {
        this.server = server;
        this.peer = server.peer("caller");
    }

    /** Sends a request and gives the first final response to it. */
    public Received ask(String method, String uri, String... headers) {
        return ask(method, uri, "", headers);
    }

    /** The same with a body. */
    public Received ask(String method, String uri, String body, String[] headers) {
        send(method, uri, body, headers);
        server.advance(Duration.ofSeconds(1));
        return peer.all().stream()
                .filter(received -> received.message() instanceof SipResponse)
                .filter(received -> received.response().status() >= 200)
                .filter(received -> received.header("CSeq").equals(sent + " " + method))
                .findFirst()
                .orElseThrow(() -> new AssertionError(method + " got no final response"));
    }

    /** The status of the final response. */
    public int status(String method, String uri, String... headers) {
        return ask(method, uri, headers).response().status();
    }

    private void send(String method, String uri, String body, String[] headers) {
        sent++;
        StringBuilder text = new StringBuilder();
        text.append(method).append(' ').append(uri).append(" SIP/2.0\n");
        text.append("Via: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-").append(sent).append('\n');
        text.append("Max-Forwards: 70\nFrom: <sip:caller@10.0.1.1>;tag=a\n");
        text.append("To: <").append(uri).append(">\nCall-ID: c").append(sent).append("@10.0.1.1\n");
        text.append("CSeq: ").append(sent).append(' ').append(method).append('\n');
        text.append("Contact: <sip:caller@10.0.1.1>\n");
        for (String header : headers) {
            text.append(header).append('\n');
        }
        text.append("Content-Length: ").append(body.length()).append("\n\n").append(body);
        peer.send(SimulatedNetwork.address(SipTestServer.HOST, 5060), text.toString());
    }
}
