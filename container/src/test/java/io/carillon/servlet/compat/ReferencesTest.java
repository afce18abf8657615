package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages, sessions, addresses and timers as timer info and in attributes, cast to Serializable.
 * The server here lets every session go through its bytes after each piece of work.
 */
class ReferencesTest {
    private static final class Remembering extends SipServlet implements TimerListener {
        final List<Object> kept = new ArrayList<>();
        @Nullable Object fired;
        @Nullable SipSession session;

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
            session = request.getSession();
            kept.add(request);
            kept.add(session);
            kept.add(request.getApplicationSession());
            kept.add(request.getTo());
            kept.add(factory.createURI("tel:+1"));
            kept.add(factory.createSipURI("a", "b"));
            kept.add(request.createResponse(180));
            ServletTimer timer =
                    timers.createTimer(
                            request.getApplicationSession(), 1000, false, (Serializable) request);
            kept.add(timer);
            Map<String, Object> inside = new HashMap<>();
            for (int i = 0; i < kept.size(); i++) {
                session.setAttribute("k" + i, (Serializable) kept.get(i));
                inside.put("k" + i, kept.get(i));
            }
            session.setAttribute("inside", inside);
        }

        @Override
        public void timeout(ServletTimer timer) {
            fired = timer.getInfo();
            try {
                ((SipServletRequest) fired).createResponse(486).send();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theyComeBackAsTheyAreAlsoInsideOfOtherValues(boolean distributable)
            throws DeploymentException {
        Remembering servlet = new Remembering();
        Server server = Server.fresh(1);
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .listener(servlet)
                        .distributable(distributable)
                        .build());
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:b@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:b@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        server.run(Duration.ofMillis(500));
        server.assertClean();
        SipSession session = Objects.requireNonNull(servlet.session);
        Map<?, ?> inside = (Map<?, ?>) session.getAttribute("inside");
        for (int i = 0; i < servlet.kept.size(); i++) {
            Object kept = servlet.kept.get(i);
            assertThat(session.getAttribute("k" + i)).isSameAs(kept);
            assertThat(inside.get("k" + i)).isSameAs(kept);
        }
        server.run(Duration.ofSeconds(1));
        assertThat(servlet.fired).isSameAs(servlet.kept.getFirst());
        alice.response(486);
        server.assertClean();
        for (Object kept : servlet.kept) {
            assertThatThrownBy(() ->
                            new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(kept))
                    .isInstanceOf(NotSerializableException.class)
                    .hasMessageEndingWith(
                            "messages, sessions, addresses and timers live in their server; keep their id or text");
        }
    }
}
