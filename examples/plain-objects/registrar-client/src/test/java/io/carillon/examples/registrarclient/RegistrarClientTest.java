package io.carillon.examples.registrarclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive in a container, and a registrar that the test plays. */
@SipTest(
        contextParams = {
            "registrar-client.registrar=sip:10.0.1.1",
            "registrar-client.identity=sip:bob@home",
            "registrar-client.instance=urn:uuid:0a1b"
        })
class RegistrarClientTest {
    private static final String CHALLENGE =
            "WWW-Authenticate: Digest realm=\"home\", nonce=\"%s\", qop=\"auth\", algorithm=SHA-256%s";

    private SipTestServer server;
    private ScriptedPeer registrar;

    @BeforeEach
    void deploy(SipTestServer fresh, @TempDir Path folder) throws Exception {
        server = fresh;
        registrar = server.peer("registrar");
        Path archive =
                SourceApplication.addLibraries(
                        SourceApplication.build(Path.of("src/main"), folder.resolve("client")),
                        path ->
                                path.endsWith("pojo/target/classes")
                                        || path.getFileName()
                                                .toString()
                                                .startsWith("carillon-pojo"));
        server.deploy(archive);
    }

    private Received challenged() {
        Received first = registrar.expect("REGISTER");
        assertThat(first.header("Request-URI")).isEqualTo("sip:10.0.1.1");
        assertThat(first.header("Authorization")).isEmpty();
        registrar.reply(first, 401, CHALLENGE.formatted("one", ""));
        Received second = registrar.expect("REGISTER");
        assertThat(second.header("Authorization"))
                .contains("username=\"bob\"", "nonce=\"one\"", "nc=00000001");
        return second;
    }

    private Received registered(String... headers) {
        Received second = challenged();
        registrar.reply(second, 200, headers);
        server.advance(Duration.ofMillis(100));
        return second;
    }

    @Test
    void itRegistersWithDigestAndRefreshesAtHalfTheTime() {
        Received second = registered("Expires: 600");
        assertThat(second.header("Contact"))
                .contains("sip:bob@10.0.0.1", ";ob", "reg-id=1", "\"<urn:uuid:0a1b>\"");
        assertThat(second.header("Supported")).contains("path", "outbound");
        server.advance(Duration.ofSeconds(298));
        assertThat(registrar.count("REGISTER")).isEqualTo(2);
        Received refresh = registrar.expect("REGISTER", Duration.ofSeconds(4));
        assertThat(refresh.header("Call-ID")).isEqualTo(second.header("Call-ID"));
        assertThat(refresh.header("CSeq")).isEqualTo("3 REGISTER");
    }

    @Test
    void aStaleNonceIsReplaced() {
        registered("Expires: 60");
        Received refresh = registrar.expect("REGISTER", Duration.ofSeconds(31));
        registrar.reply(refresh, 401, CHALLENGE.formatted("two", ", stale=true"));
        assertThat(registrar.expect("REGISTER").header("Authorization")).contains("nonce=\"two\"");
    }

    @Test
    void refusedCredentialsAreNotTriedAgain() {
        registrar.reply(challenged(), 401, CHALLENGE.formatted("two", ""));
        server.advance(Duration.ofHours(1));
        assertThat(registrar.count("REGISTER")).isEqualTo(2);
    }

    @Test
    void theRegistrarMayWantALongerTime() {
        registrar.reply(challenged(), 423, "Min-Expires: 7200");
        assertThat(registrar.expect("REGISTER").header("Expires")).isEqualTo("7200");
    }

    @Test
    void afterAFailureItTriesAgain() {
        registrar.reply(challenged(), 503, "Retry-After: 120");
        server.advance(Duration.ofSeconds(119));
        assertThat(registrar.count("REGISTER")).isEqualTo(2);
        registrar.expect("REGISTER", Duration.ofSeconds(3));
    }

    @Test
    void rfc3608_itsRequestsGoByTheServiceRoute() {
        registered("Expires: 600", "Service-Route: <sip:edge@10.0.1.1;lr>");
        // From the server's own address, as another application on this machine would send it.
        server.network()
                .send(
                        io.carillon.sip.hop.Transport.UDP,
                        SimulatedNetwork.address(SipTestServer.HOST, 5999),
                        SimulatedNetwork.address(SipTestServer.HOST, 5060),
                        ("MESSAGE sip:carol@198.51.100.7 SIP/2.0\r\n"
                                        + "Via: SIP/2.0/UDP 10.0.0.1:5999;branch=z9hG4bKm\r\n"
                                        + "Max-Forwards: 70\r\nFrom: <sip:x@y>;tag=x\r\n"
                                        + "To: <sip:carol@198.51.100.7>\r\nCall-ID: m\r\n"
                                        + "CSeq: 1 MESSAGE\r\nContent-Type: text/plain\r\n"
                                        + "Content-Length: 5\r\n\r\nhello")
                                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        Received message = registrar.expect("MESSAGE");
        assertThat(message.header("Route")).isEqualTo("<sip:edge@10.0.1.1;lr>");
        assertThat(message.header("Request-URI")).isEqualTo("sip:carol@198.51.100.7");
        assertThat(message.header("From")).contains("sip:bob@home");
    }

    @Test
    void outOfServiceItRemovesItsContact() {
        registered("Expires: 600");
        server.undeploy("registrar-client");
        Received last = registrar.expect("REGISTER", Duration.ofSeconds(2));
        assertThat(last.header("Expires")).isEqualTo("0");
        assertThat(last.header("Authorization")).isNotEmpty();
        registrar.reply(last, 200);
        server.advance(Duration.ofSeconds(1));
        server.assertNothingLeft();
        assertThat(registrar.count("REGISTER")).isEqualTo(3);
    }

    @Test
    void rfc5626_4_5_aFlowThatFailedIsRegisteredAnew() {
        registered("Expires: 3600", "Require: outbound", "Flow-Timer: 20");
        server.advance(Duration.ofMinutes(1));
        assertThat(registrar.count("REGISTER")).isEqualTo(2);
        server.network().unbind(registrar.address());
        server.advance(Duration.ofSeconds(25));
        ScriptedPeer again = ScriptedPeer.bind(server.network(), "again", "10.0.1.1", 5060);
        again.expect("REGISTER", Duration.ofSeconds(10));
    }
}
