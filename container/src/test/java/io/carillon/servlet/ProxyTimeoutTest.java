package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIP Servlet 1.1, 10.2.3: what an application may do when its time-out is over. */
class ProxyTimeoutTest {
    /** Rings at 10.0.0.3 for 20 s, then once at 10.0.0.4, as applications for voice mail do. */
    private static final class NoAnswer extends SipServlet {
        final List<Integer> finals = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            if (invite.isInitial()) {
                Proxy proxy = invite.getProxy();
                proxy.setProxyTimeout(20);
                proxy.proxyTo(uri("sip:bob@10.0.0.3:5060"));
            }
        }

        private javax.servlet.sip.URI uri(String text) throws ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            return factory.createURI(text);
        }

        @Override
        protected void doErrorResponse(SipServletResponse response) throws ServletException {
            finals.add(response.getStatus());
            if (finals.size() == 1) {
                response.getProxy().proxyTo(uri("sip:mail@10.0.0.4:5060"));
            }
        }
    }

    private static final String FROM = "<sip:a@x>;tag=a";

    private record Stage(Server server, NoAnswer application, RawPeer alice, RawPeer mail) {
        /** Alice calls, bob rings and is cancelled after 20 s, the mail box gets the call. */
        static Stage ringing(ExecutionMode mode) {
            NoAnswer application = new NoAnswer();
            Server server = Server.fresh(1).deploy(application, mode);
            RawPeer alice = server.peer("10.0.0.2");
            RawPeer bob = server.peer("10.0.0.3");
            Stage stage = new Stage(server, application, alice, server.peer("10.0.0.4"));
            alice.request(
                    "INVITE sip:bob@10.0.0.1",
                    FROM,
                    "<sip:bob@y>",
                    "c1",
                    1,
                    "Contact: <sip:10.0.0.2:5060>");
            SipRequest invite = bob.request("INVITE");
            bob.respond(invite, 180, "b");
            alice.response(180);
            server.run(Duration.ofMillis(20_500));
            bob.respond(bob.request("CANCEL"), 200, "b");
            bob.respond(invite, 487, "b");
            bob.request("ACK");
            return stage;
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aBranchAddedAfterTheTimeoutOfAParallelProxyIsTriedWithATimeOfItsOwn(ExecutionMode mode) {
        Stage stage = Stage.ringing(mode);
        SipRequest second = stage.mail.request("INVITE");
        stage.mail.respond(second, 180, "m");
        stage.alice.response(180);
        stage.server.run(Duration.ofSeconds(19));
        assertThat(stage.mail.requests("CANCEL")).isZero();
        stage.mail.respond(second, 200, "m");
        stage.alice.response(200);
        assertThat(stage.application.finals).hasSize(1);
        stage.server.run(Duration.ofSeconds(70));
        assertThat(stage.server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void itsOwnTimeoutEndsTheCallAndNoRedirectIsFollowed(ExecutionMode mode) {
        Stage stage = Stage.ringing(mode);
        SipRequest second = stage.mail.request("INVITE");
        stage.mail.respond(second, 180, "m");
        stage.alice.response(180);
        stage.server.run(Duration.ofMillis(20_500));
        stage.mail.respond(stage.mail.request("CANCEL"), 200, "m");
        // The time of the whole is over: a redirect is not followed but told to the caller.
        stage.mail.respond(second, 302, "m", "Contact: <sip:else@10.0.0.3>");
        stage.mail.request("ACK");
        stage.alice.response(302);
        assertThat(stage.application.finals).hasSize(1);
        stage.server.run(Duration.ofSeconds(70));
        assertThat(stage.server.node.leftovers()).isEmpty();
    }
}
