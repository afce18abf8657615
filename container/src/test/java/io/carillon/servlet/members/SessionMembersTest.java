package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EventListener;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSession.Protocol;
import javax.servlet.sip.SipApplicationSessionAttributeListener;
import javax.servlet.sip.SipApplicationSessionBindingEvent;
import javax.servlet.sip.SipApplicationSessionBindingListener;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionAttributeListener;
import javax.servlet.sip.SipSessionBindingEvent;
import javax.servlet.sip.SipSessionBindingListener;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.api.Test;

/** Sessions of a call that rings at a user agent, and who is told about them. */
class SessionMembersTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** The value of an attribute that writes down where it is put. */
    private record Value(List<String> events)
            implements SipSessionBindingListener, SipApplicationSessionBindingListener {
        @Override
        public void valueBound(SipSessionBindingEvent event) {
            events.add("bound " + event.getName());
        }

        @Override
        public void valueUnbound(SipSessionBindingEvent event) {
            events.add("unbound " + event.getName());
        }

        @Override
        public void valueBound(SipApplicationSessionBindingEvent event) {
            events.add("bound " + event.getName());
        }

        @Override
        public void valueUnbound(SipApplicationSessionBindingEvent event) {
            events.add("unbound " + event.getName());
        }
    }

    private final List<String> events = new ArrayList<>();
    private final Manual phone = new Manual();
    private final Server server = Server.fresh(11);
    private final RawPeer alice = server.peer("10.0.0.2");

    private SipSession ringing(EventListener... listeners) {
        server.deploy(phone, ExecutionMode.NON_BLOCKING, listeners);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(180);
        return Objects.requireNonNull(phone.invite).getSession();
    }

    @Test
    @Proves({
        "SipSession#getApplicationSession()",
        "SipSession#getId()",
        "SipSession#getLocalParty()",
        "SipSession#getRemoteParty()",
        "SipSession#getServletContext()",
        "SipApplicationSession#getApplicationName()",
        "SipApplicationSession#getSessions()",
        "SipApplicationSession#getSessions(String)",
        "SipApplicationSession#getSession(String,Protocol)",
        "SipApplicationSession#getSipSession(String)",
        "SipSession#getCallId()",
    })
    void a_session_knows_its_parties_and_is_found_in_its_application_session_by_id() {
        SipSession session = ringing();
        SipApplicationSession parent = session.getApplicationSession();
        assertThat(parent.getApplicationName()).isEqualTo("test");
        assertThat(session.getId()).isNotBlank();
        assertThat(session.getCallId()).isEqualTo("c1");
        assertThat(parent.getSipSession(session.getId())).isSameAs(session);
        assertThat(parent.getSession(session.getId(), Protocol.SIP)).isSameAs(session);
        assertThat(parent.getSession(session.getId(), Protocol.HTTP)).isNull();
        assertThat(parent.getSessions().next()).isSameAs(session);
        assertThat(parent.getSessions("SIP").next()).isSameAs(session);
        assertThat(parent.getSessions("HTTP").hasNext()).isFalse();
        assertThat(session.getRemoteParty().getURI()).hasToString("sip:a@x");
        assertThat(session.getLocalParty().getURI()).hasToString("sip:uas@y");
        assertThat(session.getServletContext()).isSameAs(phone.getServletContext());
        SipSession other =
                Objects.requireNonNull(phone.invite)
                        .getB2buaHelper()
                        .createRequest(phone.invite)
                        .getSession();
        assertThat(other.getId()).isNotEqualTo(session.getId());
        assertThat(parent.getSipSession(other.getId())).isSameAs(other);
    }

    @Test
    @Proves({
        "SipSession#getCreationTime()",
        "SipSession#getLastAccessedTime()",
        "SipApplicationSession#getCreationTime()",
        "SipApplicationSession#getLastAccessedTime()",
        "SipApplicationSession#getExpirationTime()",
    })
    void sessions_tell_when_they_were_made_used_and_when_they_expire() {
        server.run(Duration.ofSeconds(1));
        SipSession session = ringing();
        SipApplicationSession parent = session.getApplicationSession();
        long created = session.getCreationTime();
        assertThat(created).isGreaterThanOrEqualTo(1_700_000_001_000L);
        assertThat(parent.getCreationTime()).isEqualTo(created);
        assertThat(session.getLastAccessedTime()).isBetween(created, created + 1_000);
        assertThat(parent.getLastAccessedTime()).isBetween(created, created + 1_000);
        assertThat(parent.getExpirationTime())
                .isEqualTo(parent.getLastAccessedTime() + Duration.ofMinutes(3).toMillis());
    }

    @Test
    @Proves({
        "SipSession#getInvalidateWhenReady()",
        "SipSession#setInvalidateWhenReady(boolean)",
        "SipApplicationSession#getInvalidateWhenReady()",
        "SipApplicationSession#setInvalidateWhenReady(boolean)",
    })
    void invalidation_when_ready_is_the_default_of_an_application_and_can_be_taken_back() {
        SipSession session = ringing();
        SipApplicationSession parent = session.getApplicationSession();
        assertThat(session.getInvalidateWhenReady()).isTrue();
        assertThat(parent.getInvalidateWhenReady()).isTrue();
        session.setInvalidateWhenReady(false);
        parent.setInvalidateWhenReady(false);
        assertThat(session.getInvalidateWhenReady()).isFalse();
        assertThat(parent.getInvalidateWhenReady()).isFalse();
    }

    @Test
    @Proves({
        "SipSession#setAttribute(String,Object)",
        "SipSession#getAttribute(String)",
        "SipSession#getAttributeNames()",
        "SipSession#removeAttribute(String)",
        "SipSessionAttributeListener#attributeAdded(SipSessionBindingEvent)",
        "SipSessionAttributeListener#attributeReplaced(SipSessionBindingEvent)",
        "SipSessionAttributeListener#attributeRemoved(SipSessionBindingEvent)",
        "SipSessionBindingListener#valueBound(SipSessionBindingEvent)",
        "SipSessionBindingListener#valueUnbound(SipSessionBindingEvent)",
    })
    void attributes_of_a_session_are_kept_and_told_to_value_and_listener() {
        SipSession session =
                ringing(
                        new SipSessionAttributeListener() {
                            @Override
                            public void attributeAdded(SipSessionBindingEvent event) {
                                events.add("added " + event.getName());
                            }

                            @Override
                            public void attributeRemoved(SipSessionBindingEvent event) {
                                events.add("removed " + event.getName());
                            }

                            @Override
                            public void attributeReplaced(SipSessionBindingEvent event) {
                                events.add("replaced " + event.getName());
                            }
                        });
        Value value = new Value(events);
        session.setAttribute("k", value);
        assertThat(session.getAttribute("k")).isSameAs(value);
        assertThat(Collections.list(session.getAttributeNames())).containsExactly("k");
        assertThat(events).containsExactlyInAnyOrder("bound k", "added k");
        events.clear();
        session.setAttribute("k", "text");
        assertThat(events).containsExactlyInAnyOrder("unbound k", "replaced k");
        events.clear();
        session.removeAttribute("k");
        assertThat(session.getAttribute("k")).isNull();
        assertThat(events).containsExactly("removed k");
    }

    @Test
    @Proves({
        "SipApplicationSession#setAttribute(String,Object)",
        "SipApplicationSession#getAttribute(String)",
        "SipApplicationSession#getAttributeNames()",
        "SipApplicationSession#removeAttribute(String)",
        "SipApplicationSessionAttributeListener#attributeAdded(SipApplicationSessionBindingEvent)",
        "SipApplicationSessionAttributeListener#"
                + "attributeReplaced(SipApplicationSessionBindingEvent)",
        "SipApplicationSessionAttributeListener#"
                + "attributeRemoved(SipApplicationSessionBindingEvent)",
        "SipApplicationSessionBindingListener#valueBound(SipApplicationSessionBindingEvent)",
        "SipApplicationSessionBindingListener#valueUnbound(SipApplicationSessionBindingEvent)",
    })
    void attributes_of_an_application_session_are_kept_and_told_to_value_and_listener() {
        SipApplicationSession session =
                ringing(
                                new SipApplicationSessionAttributeListener() {
                                    @Override
                                    public void attributeAdded(
                                            SipApplicationSessionBindingEvent event) {
                                        events.add("added " + event.getName());
                                    }

                                    @Override
                                    public void attributeRemoved(
                                            SipApplicationSessionBindingEvent event) {
                                        events.add("removed " + event.getName());
                                    }

                                    @Override
                                    public void attributeReplaced(
                                            SipApplicationSessionBindingEvent event) {
                                        events.add("replaced " + event.getName());
                                    }
                                })
                        .getApplicationSession();
        Value value = new Value(events);
        session.setAttribute("k", value);
        assertThat(session.getAttribute("k")).isSameAs(value);
        assertThat(session.getAttributeNames().next()).isEqualTo("k");
        assertThat(events).containsExactlyInAnyOrder("bound k", "added k");
        events.clear();
        session.setAttribute("k", "text");
        assertThat(events).containsExactlyInAnyOrder("unbound k", "replaced k");
        events.clear();
        session.removeAttribute("k");
        assertThat(session.getAttribute("k")).isNull();
        assertThat(events).containsExactly("removed k");
    }

    @Test
    @Proves({
        "SipSessionListener#sessionCreated(SipSessionEvent)",
        "SipSessionListener#sessionReadyToInvalidate(SipSessionEvent)",
        "SipSessionListener#sessionDestroyed(SipSessionEvent)",
    })
    void a_session_listener_hears_creation_readiness_and_end_in_this_order() {
        ringing(
                new SipSessionListener() {
                    @Override
                    public void sessionCreated(SipSessionEvent event) {
                        events.add("created");
                    }

                    @Override
                    public void sessionReadyToInvalidate(SipSessionEvent event) {
                        events.add("ready");
                    }

                    @Override
                    public void sessionDestroyed(SipSessionEvent event) {
                        events.add("destroyed");
                    }
                });
        assertThat(events).containsExactly("created");
        phone.answer(486);
        server.run(Duration.ofSeconds(40));
        assertThat(events).containsExactly("created", "ready", "destroyed");
        server.assertEmpty();
    }

    @Test
    @Proves({
        "SipApplicationSessionListener#sessionCreated(SipApplicationSessionEvent)",
        "SipApplicationSessionListener#sessionExpired(SipApplicationSessionEvent)",
        "SipApplicationSessionListener#sessionReadyToInvalidate(SipApplicationSessionEvent)",
        "SipApplicationSessionListener#sessionDestroyed(SipApplicationSessionEvent)",
    })
    void an_application_session_listener_hears_creation_expiry_readiness_and_end() {
        ringing(
                new SipApplicationSessionListener() {
                    @Override
                    public void sessionCreated(SipApplicationSessionEvent event) {
                        events.add("created");
                    }

                    @Override
                    public void sessionExpired(SipApplicationSessionEvent event) {
                        events.add("expired");
                        event.getApplicationSession().setExpires(2);
                    }

                    @Override
                    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
                        events.add("ready");
                    }

                    @Override
                    public void sessionDestroyed(SipApplicationSessionEvent event) {
                        events.add("destroyed");
                    }
                });
        server.run(Duration.ofSeconds(181));
        assertThat(events).containsExactly("created", "expired");
        phone.answer(486);
        server.run(Duration.ofSeconds(40));
        assertThat(events).containsExactly("created", "expired", "ready", "destroyed");
    }

    @Test
    @Proves({
        "ServletTimer#getId()",
        "ServletTimer#getTimeRemaining()",
        "ServletTimer#scheduledExecutionTime()",
        "SipApplicationSession#getTimer(String)",
        "TimerListener#timeout(ServletTimer)",
    })
    void a_timer_is_found_by_id_tells_when_it_is_due_and_then_calls_the_listener() {
        TimerListener listener =
                timer ->
                        events.add(
                                timer.getInfo()
                                        + " due for "
                                        + (server.container.millis()
                                                - timer.scheduledExecutionTime()));
        SipApplicationSession session = ringing(listener).getApplicationSession();
        TimerService timers =
                (TimerService) phone.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        ServletTimer timer = timers.createTimer(session, 5_000, false, "info");
        ServletTimer later = timers.createTimer(session, 90_000, false, "later");
        assertThat(timer.getId()).isNotBlank().isNotEqualTo(later.getId());
        assertThat(session.getTimer(later.getId())).isSameAs(later);
        assertThat(session.getTimer(timer.getId())).isSameAs(timer);
        assertThat(timer.getTimeRemaining()).isEqualTo(5_000);
        server.run(Duration.ofMillis(4_900));
        assertThat(events).isEmpty();
        server.run(Duration.ofMillis(200));
        assertThat(events).hasSize(1).allMatch(event -> event.matches("info due for \\d{1,2}"));
    }

    @Test
    @Proves("SipServletListener#servletInitialized(SipServletContextEvent)")
    void a_listener_hears_of_each_initialized_servlet() {
        ringing(
                new SipServletListener() {
                    @Override
                    public void servletInitialized(SipServletContextEvent event) {
                        events.add(event.getSipServlet() == phone ? "phone" : "other");
                    }
                });
        assertThat(events).containsExactly("phone");
    }

    @Test
    @Proves("SipSession#setHandler(String)")
    void a_handler_has_to_be_a_servlet_of_the_application() throws Exception {
        SipSession session = ringing();
        session.setHandler("main");
        assertThatThrownBy(() -> session.setHandler("nobody")).isInstanceOf(ServletException.class);
    }

    /** SIP Servlet 1.1, 6.2.1: the session of a dialog has the state of the dialog. */
    @Test
    @Proves("SipSession#getState()")
    void the_state_of_a_session_is_that_of_its_dialog() {
        SipSession session = ringing();
        session.setInvalidateWhenReady(false);
        session.getApplicationSession().setInvalidateWhenReady(false);
        assertThat(session.getState()).isEqualTo(SipSession.State.EARLY);
        phone.answer(200);
        assertThat(session.getState()).isEqualTo(SipSession.State.CONFIRMED);
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1:5060", FROM, to, "c1", 2);
        alice.response(200);
        server.run(Duration.ofMillis(10));
        assertThat(session.getState()).isEqualTo(SipSession.State.TERMINATED);
    }

    @Test
    @Proves({"SipSession#invalidate()", "SipSession#isValid()"})
    void an_invalidated_session_is_valid_no_more_and_leaves_its_application_session() {
        SipSession session = ringing();
        SipApplicationSession parent = session.getApplicationSession();
        session.setInvalidateWhenReady(false);
        parent.setInvalidateWhenReady(false);
        assertThat(session.isValid()).isTrue();
        assertThatThrownBy(session::invalidate).isInstanceOf(IllegalStateException.class);
        phone.answer(486);
        assertThat(session.isValid()).isTrue();
        session.invalidate();
        assertThat(session.isValid()).isFalse();
        assertThat(parent.getSessions().hasNext()).isFalse();
        assertThatThrownBy(() -> session.setAttribute("k", "v"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::invalidate).isInstanceOf(IllegalStateException.class);
        assertThat(parent.isValid()).isTrue();
    }

    @Test
    @Proves({
        "SipApplicationSession#getTimers()",
        "SipApplicationSession#invalidate()",
        "SipApplicationSession#isReadyToInvalidate()",
        "SipApplicationSession#isValid()",
    })
    void an_application_session_takes_its_sessions_and_timers_with_it() {
        SipSession session = ringing((TimerListener) timer -> events.add("timer"));
        SipApplicationSession parent = session.getApplicationSession();
        session.setInvalidateWhenReady(false);
        parent.setInvalidateWhenReady(false);
        TimerService timers =
                (TimerService) phone.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        assertThat(parent.getTimers()).isEmpty();
        ServletTimer timer = timers.createTimer(parent, 5_000, false, "info");
        assertThat(new ArrayList<>(parent.getTimers())).containsExactly(timer);
        phone.answer(486);
        assertThat(session.isReadyToInvalidate()).isTrue();
        assertThat(parent.isReadyToInvalidate()).as("a timer runs").isFalse();
        timer.cancel();
        assertThat(parent.getTimers()).isEmpty();
        assertThat(parent.isReadyToInvalidate()).isTrue();
        timers.createTimer(parent, 5_000, false, "late");
        assertThat(parent.isValid()).isTrue();
        parent.invalidate();
        assertThat(parent.isValid()).isFalse();
        assertThat(session.isValid()).isFalse();
        assertThatThrownBy(() -> parent.getAttribute("k"))
                .isInstanceOf(IllegalStateException.class);
        server.run(Duration.ofSeconds(10));
        assertThat(events).isEmpty();
        server.assertEmpty();
    }
}
