package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.stack.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A callee that redirects to ever more targets: each costs a transaction of ours. */
class RedirectTargetsTest {
    private static final class Forwarder extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException, ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            invite.getProxy().setRecurse(true);
            invite.getProxy().setParallel(false);
            invite.getProxy().proxyTo(factory.createURI("sip:them@10.0.0.3"));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void targetsBeyondTheirNumberAreLeftUntriedAndCounted(ExecutionMode mode) throws Exception {
        Server server = Server.fresh(5).deploy(new Forwarder(), mode);
        RawPeer them = server.peer("10.0.0.3");
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:them@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=a",
                "<sip:them@10.0.0.1>",
                "c1",
                1,
                "Contact: <sip:a@10.0.0.2>");
        SipRequest first = them.request("INVITE");
        them.respond(
                first,
                302,
                "redirect",
                IntStream.range(0, 100)
                        .mapToObj(i -> "Contact: <sip:more" + i + "@10.0.0.3>")
                        .toArray(String[]::new));
        Set<String> tried = new HashSet<>();
        for (int i = 0; i < 70; i++) {
            server.run(Duration.ofSeconds(1));
            for (SipMessage message : them.unread()) {
                if (message instanceof SipRequest request
                        && request.is("INVITE")
                        && tried.add(request.requestUri().toString())) {
                    them.respond(request, 486, "t" + i);
                }
            }
            them.forget();
        }
        assertThat(tried).as("with the first one 64").hasSize(63);
        long refused = server.node.shards().getFirst().counters().get(Counter.REDIRECTS_REFUSED);
        assertThat(refused).isEqualTo(100 - 63);
        // RFC 3261 16.7 step 6: 3xx before 4xx, with the targets that are left.
        assertThat(alice.response(302).headers(HeaderName.CONTACT)).hasSize(100 - 63);
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }
}
