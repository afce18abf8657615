package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static final class Anything extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final boolean parallel;

        Anything(boolean parallel) {
            this.parallel = parallel;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws IOException, ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            if (request.isInitial()) {
                request.getProxy().setParallel(parallel);
                request.getProxy().proxyTo(factory.createURI("sip:them@10.0.0.3"));
            }
        }
    }

    private final Server server = Server.fresh(5);
    private final RawPeer them = server.peer("10.0.0.3");
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer victim = server.peer("10.0.0.9");

    private SipRequest redirected(String method, boolean parallel, String... contacts) {
        server.deploy(new Anything(parallel), ExecutionMode.NON_BLOCKING);
        alice.request(
                method + " sip:them@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=a",
                "<sip:them@10.0.0.1>",
                "c1",
                1,
                "Contact: <sip:a@10.0.0.2>");
        SipRequest first = them.request(method);
        them.respond(first, 302, "redirect", contacts);
        return first;
    }

    private static String[] contacts(int count, String host) {
        return IntStream.range(0, count)
                .mapToObj(i -> "Contact: <sip:" + i + "@" + host + ">")
                .toArray(String[]::new);
    }

    /** Whatever the redirect says: its target gets no more than the two who made it have sent. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "OPTIONS", "MESSAGE"})
    void whoIsNamedByARedirectGetsNoMoreBytesThanCameIn(String method) {
        SipRequest first = redirected(method, true, contacts(64, "10.0.0.9"));
        server.run(Duration.ofMinutes(10));
        long in = first.length() + 64 * "Contact: <sip:10@10.0.0.9>\r\n".length() + 400;
        long out = victim.all.stream().mapToLong(SipMessage::length).sum();
        assertThat(victim.all).isNotEmpty();
        assertThat(out).isLessThanOrEqualTo(in);
        assertThat(victim.all.stream().map(m -> ((SipRequest) m).requestUri().toString()))
                .as("each once")
                .doesNotHaveDuplicates();
        long refused = server.node.shards().getFirst().counters().get(Counter.REDIRECTS_REFUSED);
        assertThat(refused).isEqualTo(64 - victim.all.size());
        server.assertEmpty();
    }

    /** A small redirect: its targets have their turns as those before them answer. */
    @Test
    void whereSomebodyAnswersTheOthersFollow() {
        redirected("INVITE", true, contacts(5, "10.0.0.9"));
        Set<String> rang = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            server.run(Duration.ofMillis(100));
            for (SipMessage message : List.copyOf(victim.unread())) {
                if (message instanceof SipRequest request
                        && request.is("INVITE")
                        && rang.add(request.requestUri().toString())) {
                    victim.respond(request, 180, "t" + i);
                }
            }
            victim.forget();
        }
        assertThat(rang).hasSize(5);
        server.run(Duration.ofMinutes(10));
    }

    /** RFC 3261 17.1.1.2 (timer A): to the address of who redirects it is repeated as ever. */
    @Test
    void whoRedirectsToHisOwnAddressGetsItUntilHeAnswers() {
        redirected("INVITE", true, "Contact: <sip:other@10.0.0.3>");
        server.run(Duration.ofSeconds(40));
        assertThat(them.requests("INVITE")).isEqualTo(1 + 7);
        server.run(Duration.ofMinutes(10));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void targetsBeyondTheirNumberAreLeftUntriedAndCounted(ExecutionMode mode) throws Exception {
        server.deploy(new Forwarder(), mode);
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
