package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionActivationListener;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionActivationListener;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import org.junit.jupiter.api.Test;

/** Who hears that a session goes through bytes, as it does after every turn of these tests. */
class ActivationTest {
    private final List<String> events = new ArrayList<>();
    private final Manual phone = new Manual();
    private final Server server = Server.fresh(23);
    private final RawPeer alice = server.peer("10.0.0.2");

    private SipServletRequest ringing(EventListener... listeners) {
        server.deploy(phone, ExecutionMode.NON_BLOCKING, listeners);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(180);
        return Objects.requireNonNull(phone.invite);
    }

    /** As the value of an attribute and as a declared listener. */
    private record Told(String name, List<String> events)
            implements SipSessionActivationListener, SipApplicationSessionActivationListener {
        @Override
        public void sessionWillPassivate(SipSessionEvent event) {
            events.add(name + " passivate session");
        }

        @Override
        public void sessionDidActivate(SipSessionEvent event) {
            events.add(name + " activate session");
        }

        @Override
        public void sessionWillPassivate(SipApplicationSessionEvent event) {
            events.add(name + " passivate");
        }

        @Override
        public void sessionDidActivate(SipApplicationSessionEvent event) {
            events.add(name + " activate");
        }
    }

    @Test
    @Proves({
        "SipApplicationSessionActivationListener#sessionDidActivate(SipApplicationSessionEvent)",
        "SipApplicationSessionActivationListener#sessionWillPassivate(SipApplicationSessionEvent)",
        "SipSessionActivationListener#sessionDidActivate(SipSessionEvent)",
        "SipSessionActivationListener#sessionWillPassivate(SipSessionEvent)",
    })
    void values_and_listeners_hear_that_a_session_goes_through_bytes() {
        Told declared = new Told("listener", events);
        SipServletRequest invite = ringing(declared);
        SipApplicationSession parent = invite.getApplicationSession();
        SipSession session = invite.getSession();
        session.setAttribute("of-session", new Told("session", events));
        parent.setAttribute("of-parent", new Told("parent", events));
        parent.setAttribute("listener-itself", declared);
        events.clear();
        phone.answer(200);
        assertThat(events)
                .containsExactly(
                        "listener passivate session",
                        "session passivate session",
                        "listener passivate",
                        "parent passivate",
                        "listener activate",
                        "parent activate",
                        "listener activate session",
                        "session activate session");
    }

    @Test
    void what_a_listener_does_at_the_end_of_a_turn_stays_inside_the_turn() {
        SipServletRequest invite =
                ringing(
                        new SipSessionListener() {
                            @Override
                            public void sessionCreated(SipSessionEvent event) {}

                            @Override
                            public void sessionDestroyed(SipSessionEvent event) {}

                            @Override
                            public void sessionReadyToInvalidate(SipSessionEvent event) {
                                SipApplicationSession parent =
                                        event.getSession().getApplicationSession();
                                parent.removeAttribute("k");
                                events.add("held " + ((ApplicationSession) parent).held());
                            }
                        });
        invite.getApplicationSession().setAttribute("k", "v");
        phone.answer(486);
        assertThat(events).containsExactly("held true");
        server.run(java.time.Duration.ofSeconds(40));
        server.assertEmpty();
    }
}
