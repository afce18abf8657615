package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.OldHabit;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A main servlet that hands calls to another one, and who has the requests that follow. */
class DispatchersTest {
    private final List<String> heard = new ArrayList<>();

    private final class Callee extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            heard.add("callee " + request.getMethod());
            if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
            }
        }
    }

    /** Looks for its target as servlets do. */
    private final class Front extends SipServlet {
        private final String path;

        Front(String path) {
            this.path = path;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            heard.add("front " + request.getMethod());
            RequestDispatcher target = request.getRequestDispatcher(path);
            assertThat(target).as("dispatcher of %s", path).isNotNull();
            assertThat(request.getRequestDispatcher("nobody")).isNull();
            target.forward(request, null);
        }
    }

    private Server server(String habits, String path) throws DeploymentException {
        Server server = Server.fresh(1);
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("front", () -> new Front(path))
                        .servlet("callee", Callee::new)
                        .mainServlet("front")
                        .contextParam(OldHabit.CONTEXT_PARAM, habits)
                        .build());
        return server;
    }

    private static void call(Server server) {
        RawPeer alice = server.peer("10.0.0.2");
        String from = "<sip:a@x>;tag=a";
        alice.request(
                "INVITE sip:b@10.0.0.1",
                from,
                "<sip:b@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        String to = "<sip:b@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", from, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1:5060", from, to, "c1", 2);
        alice.response(200);
        server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward-sets-handler", "all"})
    void forwardSetsTheHandlerOfTheSessionWhereTheApplicationCountsOnIt(String habits)
            throws DeploymentException {
        call(server(habits, "callee"));
        assertThat(heard)
                .containsExactly("front INVITE", "callee INVITE", "callee ACK", "callee BYE");
    }

    /** SIP Servlet 1.1, {@code SipSession.setHandler}: nothing else changes who has them. */
    @ParameterizedTest
    @ValueSource(strings = {"callee", "/callee"})
    void elseTheHandlerStays(String path) throws DeploymentException {
        call(server("", path));
        assertThat(heard)
                .containsExactly(
                        "front INVITE",
                        "callee INVITE",
                        "front ACK",
                        "callee ACK",
                        "front BYE",
                        "callee BYE");
    }

    @Test
    void aHabitThatNobodyKnowsIsRefusedWithTheNamesOfThoseThereAre() {
        ApplicationDescription.Builder builder = ApplicationDescription.builder("test");
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowable(
                                () -> builder.contextParam(OldHabit.CONTEXT_PARAM, "forward")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "io.carillon.old-habits takes all or some of forward-sets-handler")
                .hasMessageEndingWith(", not 'forward'");
    }
}
