package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ServletDescription;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A B2BUA as it was written for other servers, called, cancelled, released. */
class ForeignB2bApplicationsTest {
    private static final String FROM = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    @TempDir Path folder;
    private Server server;
    private RawPeer alice;
    private RawPeer bob;

    @BeforeEach
    void deploy() throws Exception {
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
        Application forwarding =
                server.container.deploy(
                        new TestArchive(folder)
                                .classes(
                                        ForeignB2bApplications.FORWARD,
                                        ForeignB2bApplications.ERRORS,
                                        ForeignB2bApplications.PASSED_OVER)
                                .sipXml(ForeignB2bApplications.FORWARD_XML)
                                .write("forwarding.sar"));
        assertThat(forwarding.description().warnings()).isEmpty();
        assertThat(forwarding.description().servlets())
                .extracting(ServletDescription::name)
                .containsExactly("forward");
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    private SipRequest invite() {
        alice.request("INVITE sip:sales@10.0.0.1", FROM, "<sip:sales@10.0.0.1>", "fwd", 1, CONTACT);
        SipRequest forwarded = bob.request("INVITE");
        assertThat(forwarded.header(HeaderName.TO)).contains("sip:10.0.0.3:5060");
        assertThat(forwarded.callId()).isNotEqualTo("fwd");
        return forwarded;
    }

    @Test
    void aForwardedCallIsAnsweredAndReleased() {
        SipRequest forwarded = invite();
        bob.respond(forwarded, 180, "b", "Contact: <sip:10.0.0.3:5060>");
        alice.response(180);
        bob.respond(forwarded, 200, "b", "Contact: <sip:10.0.0.3:5060>");
        bob.request("ACK");
        String to = "<sip:sales@10.0.0.1>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "fwd", 1);
        alice.request("BYE sip:10.0.0.1:5060", FROM, to, "fwd", 2);
        alice.response(200);
        bob.respond(bob.request("BYE"), 200, "b");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void aForwardedCallThatIsBusyOrUnknownSaysSo() {
        bob.respond(invite(), 486, "b");
        alice.response(486);
        alice.request("INVITE sip:nobody@10.0.0.1", FROM, "<sip:n@x>", "none", 1, CONTACT);
        alice.response(404);
        server.run(Duration.ofSeconds(40));
        server.assertClean();
    }

    @Test
    void aCancelledCallIsCancelledOnTheOtherSide() {
        SipRequest forwarded = invite();
        bob.respond(forwarded, 180, "b", "Contact: <sip:10.0.0.3:5060>");
        alice.response(180);
        String wire =
                alice.text(
                        "INVITE sip:sales@10.0.0.1",
                        "z9hG4bK10.0.0.20",
                        FROM,
                        "<sip:sales@10.0.0.1>",
                        "fwd",
                        1);
        alice.send(wire.replace("INVITE", "CANCEL"));
        bob.request("CANCEL");
        server.run(Duration.ofSeconds(1));
        assertThat(alice.responses(487)).isEqualTo(1);
    }
}
