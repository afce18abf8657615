package io.carillon.servlet.feature.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application that wants TLS, behind one on the same call: what counts is how the call came in,
 * and not the listening point that stands first.
 */
class ConfidentialBehindAnotherTest {
    private static final String BOB = "sip:bob@10.0.0.3:5060";

    /** How the first application passes calls on. */
    private enum First {
        PROXY,
        COPY,
        REQUEST_OF_ITS_OWN
    }

    private static final class Onward extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final First how;

        Onward(First how) {
            this.how = how;
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            switch (how) {
                case PROXY -> invite.getProxy().proxyTo(invite.getRequestURI());
                case COPY -> invite.getB2buaHelper().createRequest(invite, true, Map.of()).send();
                case REQUEST_OF_ITS_OWN -> {
                    SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                    SipServletRequest leg =
                            factory.createRequest(
                                    factory.createApplicationSession(),
                                    "INVITE",
                                    invite.getFrom(),
                                    invite.getTo());
                    leg.setRequestURI(invite.getRequestURI());
                    leg.send();
                }
            }
        }
    }

    private static final class Last extends SipServlet {
        private static final long serialVersionUID = 1L;
        final transient List<Boolean> secure = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException {
            secure.add(invite.isSecure());
            invite.getProxy().proxyTo(invite.getRequestURI());
        }
    }

    @TempDir private Path folder;

    /** A request is as secure as its way in. */
    @Test
    @Proves(also = "SipServletMessage#isSecure()")
    void whoCameByTlsIsSecureAndWhoCameByUdpIsNot() throws Exception {
        whatTheCallerCameByDecides(Transport.TLS, First.PROXY, "tls");
        whatTheCallerCameByDecides(Transport.UDP, First.PROXY, "tls");
    }

    @ParameterizedTest
    @CsvSource({
        "UDP, PROXY, tls", "UDP, COPY, tls", "UDP, REQUEST_OF_ITS_OWN, tls",
        "UDP, PROXY, udp", "UDP, COPY, udp", "UDP, REQUEST_OF_ITS_OWN, udp",
        "TLS, PROXY, tls", "TLS, COPY, tls", "TLS, REQUEST_OF_ITS_OWN, tls",
        "TLS, PROXY, udp", "TLS, COPY, udp", "TLS, REQUEST_OF_ITS_OWN, udp",
        "WSS, COPY, udp", "WS, COPY, tls", "TCP, COPY, tls",
    })
    void whatTheCallerCameByDecides(Transport caller, First how, String firstPoint)
            throws Exception {
        Path dar = folder.resolve("carillon.dar");
        Files.writeString(
                dar,
                "INVITE: (\"first\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\"),"
                        + " (\"second\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"1\")\n");
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults()
                                .withRouter(new RouterConfig(dar, null))
                                .withListeningPoints(
                                        List.of("sip:10.0.0.1:5060;transport=" + firstPoint)));
        RawPeer alice = server.peer("10.0.0.2").over(caller);
        RawPeer bob = server.peer("10.0.0.3");
        Last guarded = new Last();
        server.container.deploy(
                ApplicationDescription.builder("first")
                        .servlet("main", () -> new Onward(how))
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
        server.container.deploy(
                Guard.application(
                        "second",
                        ExecutionMode.NON_BLOCKING,
                        guarded,
                        new SecurityConstraint(
                                List.of(
                                        new SecurityConstraint.Resources(
                                                Set.of(), Set.of("INVITE"))),
                                false,
                                null,
                                true)));
        alice.request(
                "INVITE " + BOB,
                "<sip:alice@x>;tag=a",
                "<sip:bob@y>",
                "c1",
                1,
                "Contact: <sip:alice@10.0.0.2:5060>");
        server.run(Duration.ofMillis(100));
        if (caller.secure()) {
            bob.request("INVITE");
            assertThat(guarded.secure).containsExactly(true);
        } else {
            assertThat(guarded.secure).isEmpty();
            assertThat(bob.all).isEmpty();
        }
    }
}
