package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.OldHabit;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an application sees as the remote address of a response. */
class RemoteAddressTest {
    private static final String DEAF = "10.0.0.9";

    private final List<String> seen = new ArrayList<>();

    private final class Calling extends SipServlet {
        private final boolean proxies;

        Calling(boolean proxies) {
            this.proxies = proxies;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipURI target = (SipURI) factory.createURI(request.getHeader("X-Target"));
            if (proxies) {
                request.getProxy().proxyTo(target);
                return;
            }
            B2buaHelper b2bua = request.getB2buaHelper();
            SipServletRequest leg = b2bua.createRequest(request, true, null);
            leg.setRequestURI(target);
            leg.send();
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            seen.add(
                    response.getStatus()
                            + " "
                            + response.getRemoteAddr()
                            + " "
                            + response.getRemotePort()
                            + " "
                            + response.getTransport());
        }
    }

    private Server server(boolean proxies, String habits) throws DeploymentException {
        Server server = Server.fresh(1);
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> new Calling(proxies))
                        .contextParam(OldHabit.CONTEXT_PARAM, habits)
                        .build());
        return server;
    }

    private static RawPeer ask(Server server, String target) {
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "MESSAGE sip:b@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:b@y>",
                "c1",
                1,
                "X-Target: " + target);
        return alice;
    }

    @ParameterizedTest
    @CsvSource({
        "false, tried-address, 408 10.0.0.9 5060 UDP",
        "true, tried-address, 408 10.0.0.9 5060 UDP",
        // SIP Servlet 1.1, getRemoteAddr: what was not received has none.
        "false, '', 408 null -1 null",
        "true, '', 408 null -1 null",
    })
    void aTimeOutHasTheAddressThatWasTriedWhereTheApplicationCountsOnIt(
            boolean proxies, String habits, String expected) throws DeploymentException {
        Server server = server(proxies, habits);
        ask(server, "sip:b@" + DEAF);
        server.run(Duration.ofSeconds(40));
        assertThat(seen).containsExactly(expected);
        server.assertClean();
    }

    @ParameterizedTest
    @CsvSource({"false, 200", "true, 200", "false, 486", "true, 486"})
    void aResponseThatCameHasTheAddressWhereItCameFrom(boolean proxies, int status)
            throws DeploymentException {
        Server server = server(proxies, "");
        RawPeer bob = server.peer("10.0.0.3");
        ask(server, "sip:b@10.0.0.3");
        bob.respond(bob.request("MESSAGE"), status, "b");
        server.run(Duration.ofSeconds(1));
        assertThat(seen).containsExactly(status + " 10.0.0.3 5060 UDP");
        server.assertClean();
    }

    @Test
    void aBranchThatNobodyAnsweredHasNoAddressBesideOneThatWasAnswered()
            throws DeploymentException {
        Server server = server(true, "");
        ask(server, "sip:b@nowhere.invalid");
        server.run(Duration.ofSeconds(40));
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst()).endsWith(" null -1 null");
    }
}
