package io.carillon.examples.speeddial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in a container: alice is at 10.0.1.1, her friends are at 10.0.1.2 and 10.0.1.3. */
@SipTest(
        contextParams =
                "speed-dial.numbers=alice 1 sip:bob@10.0.1.2; * 1 sip:carol@10.0.1.3;"
                        + "* 2 operator; * 3 tel:+123")
class SpeedDialTest {
    @TempDir private static Path folder;
    private static Path application;

    @BeforeAll
    static void build() throws IOException {
        application = SourceApplication.build(Path.of("src/main"), folder.resolve("speed-dial"));
    }

    @Test
    void theSameNumberIsAnotherAddressForEachCaller(SipTestServer server) throws Exception {
        server.deploy(application);
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        UserAgent carol = server.phone("carol").onCall(Call::answer);
        Call hers = alice.call(server.uri("1"));
        Call his = bob.call(server.uri("1"));
        server.advance(Duration.ofSeconds(1));
        assertThat(hers.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(his.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(bob.calls()).hasSize(2);
        assertThat(carol.calls()).hasSize(1);
        assertThat(carol.lastCall().invite().requestUri()).hasToString("sip:carol@10.0.1.3");

        server.advance(Duration.ofSeconds(40));
        assertThat(server.sessions("speed-dial")).as("it left the path").isEmpty();
        hers.bye();
        carol.lastCall().bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(hers.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(his.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }

    @Test
    void anUnknownNumberIs404(SipTestServer server) throws Exception {
        server.deploy(application);
        Call call = server.phone("alice").call(server.uri("7"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(404);
        server.assertNothingLeft();
    }

    /** A name behind a number is for those who dial at our hosts. */
    @Test
    @SipTest(contextParams = {"speed-dial.numbers=* 2 operator", "speed-dial.hosts=own"})
    void atAStrangersHostThereAreNoNumbers(SipTestServer server) throws Exception {
        server.deploy(application);
        UserAgent alice = server.phone("alice");
        ScriptedPeer stranger = server.peer("stranger");
        Call call = alice.invite("sip:2@10.0.1.2").via("sip:10.0.0.1;lr").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(404);
        assertThat(stranger.count("INVITE")).isZero();
    }

    @Test
    void aCancelGoesToTheOneWhoRings(SipTestServer server) throws Exception {
        server.deploy(application);
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::ring);
        Call call = alice.call(server.uri("1"));
        server.advance(Duration.ofSeconds(1));
        call.cancel();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(bob.lastCall().ending()).isNotNull();
        server.assertNothingLeft();
    }

    /** The router sends the full address on, here to an application of the same server. */
    @Test
    @SipTest(
            contextParams = "speed-dial.numbers=* 2 operator",
            router = "src/test/router.properties")
    void anAddressWithoutSchemeIsAUserOfTheSameHost(SipTestServer server) throws Exception {
        server.deploy(application);
        server.deploy(SourceApplication.build(Path.of("../uas/src/main"), folder.resolve("uas")));
        Call call = server.phone("alice").call(server.uri("2"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        server.assertNothingLeft();
    }

    @Test
    @SipTest(contextParams = "speed-dial.numbers=alice 1 sip:a@b;alice 1 sip:c@d")
    void aNumberThatStandsTwiceIsNamedWithItsLine(SipTestServer server) {
        assertThatThrownBy(() -> server.deploy(application))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("numbers:2: 1 stands twice");
    }

    @Test
    @SipTest(contextParams = "speed-dial.numbers=alice 1 mailto:a@b")
    void whatCannotBeDialledIsAnError(SipTestServer server) {
        assertThatThrownBy(() -> server.deploy(application))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("numbers:1: mailto:a@b is no SIP or tel URI");
    }

    /** A proxy of the caller's own would hear what stands behind another's number. */
    @Test
    void whoBringsARouteOfHisOwnIsRefused(SipTestServer server) throws Exception {
        server.deploy(application);
        ScriptedPeer caller = ScriptedPeer.bind(server.network(), "caller", "10.0.1.9", 5060);
        ScriptedPeer proxy = ScriptedPeer.bind(server.network(), "proxy", "10.0.1.8", 5060);
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE sip:1@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.9;branch=z9hG4bK1\n"
                        + "Route: <sip:10.0.0.1;lr>, <sip:10.0.1.8;lr>\nMax-Forwards: 70\n"
                        + "From: <sip:alice@x>;tag=a\nTo: <sip:b@x>\nCall-ID: c1\n"
                        + "CSeq: 1 INVITE\nContact: <sip:a@10.0.1.9>\n");
        caller.expect("403");
        server.advance(Duration.ofSeconds(1));
        assertThat(proxy.all()).isEmpty();
    }
}
