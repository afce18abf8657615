package io.carillon.examples.plainproxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything goes to the configured next hop, whatever its sender writes. */
@SipTest(contextParams = "plain-proxy.next-hop=sip:10.0.1.2")
class NextHopTest {
    private ScriptedPeer caller;
    private ScriptedPeer hop;
    private ScriptedPeer elsewhere;

    @BeforeEach
    void meet(SipTestServer server, @TempDir Path folder) throws Exception {
        server.deploy(PlainProxyTest.archive(folder));
        caller = server.peer("caller");
        hop = server.peer("hop");
        elsewhere = server.peer("elsewhere");
    }

    private void send(String method, String uri, String routes) {
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                method
                        + " "
                        + uri
                        + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK1\n"
                        + routes
                        + "Max-Forwards: 70\nFrom: <sip:a@x>;tag=a\nTo: <sip:b@x>\nCall-ID: c1\n"
                        + "CSeq: 1 "
                        + method
                        + "\nContact: <sip:a@10.0.1.1>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:bob@10.0.0.1",
                "sip:bob@10.9.9.9;maddr=10.0.1.3",
                "sip:bob@10.9.9.9:5999;MADDR=10.0.1.3;ttl=1;transport=tcp",
                "sip:bob@10.0.1.3;lr",
            })
    void theCallersHostMaddrAndTransportDoNotCount(String uri) {
        send("INVITE", uri, "Route: <sip:10.0.0.1;lr>\n");
        Received invite = hop.expect("INVITE");
        assertThat(invite.header("Request-URI")).matches("sip:bob@10\\.0\\.1\\.2(;lr)?");
        assertThat(elsewhere.all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Route: <sip:10.0.1.3;lr>",
                "Route: <sip:10.0.1.3>",
                "Route: <sip:10.0.0.1;lr>, <sip:10.0.1.3;lr>",
                "Route: <sip:10.0.0.1;lr>\nRoute: <sip:10.0.0.1;lr;maddr=10.0.1.3>",
            })
    void whoBringsARouteOfHisOwnIsRefused(String routes) {
        send("INVITE", "sip:bob@10.0.0.1", routes + "\n");
        caller.expect("403");
        assertThat(elsewhere.all()).isEmpty();
        assertThat(hop.all()).isEmpty();
    }
}
