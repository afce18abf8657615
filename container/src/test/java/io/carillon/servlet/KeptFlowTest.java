package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionAttributeListener;
import javax.servlet.sip.SipSessionBindingEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RFC 5626 4.4 and RFC 6223: the flow of a registration of ours. */
class KeptFlowTest {
    /** Registers when it is told to by a MESSAGE. */
    private static final class Registrant extends SipServlet
            implements SipSessionAttributeListener {
        final List<String> events = new ArrayList<>();
        private SipSession session;
        Object keepAlive = true;

        @Override
        protected void doMessage(SipServletRequest asked) throws ServletException, IOException {
            asked.createResponse(200).send();
            SipServletRequest register;
            if (session == null) {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                SipApplicationSession own = factory.createApplicationSession();
                register =
                        factory.createRequest(
                                own, "REGISTER", "sip:line@10.0.0.9", "sip:line@10.0.0.9");
                session = register.getSession();
            } else {
                register = session.createRequest("REGISTER");
            }
            register.setRequestURI(factory().createURI("sip:10.0.0.9:5060"));
            register.setAttribute("io.carillon.keep-alive", keepAlive);
            register.send();
        }

        private SipFactory factory() {
            return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            events.add(Integer.toString(response.getStatus()));
        }

        @Override
        public void attributeAdded(SipSessionBindingEvent event) {
            events.add(event.getName());
        }

        @Override
        public void attributeRemoved(SipSessionBindingEvent event) {
            events.add("no " + event.getName());
        }

        @Override
        public void attributeReplaced(SipSessionBindingEvent event) {
            events.add("again " + event.getName());
        }
    }

    private final Server server = Server.fresh(1);
    private final RawPeer registrar = server.peer("10.0.0.9");
    private final RawPeer controller = server.peer("10.0.0.2");
    private final Registrant registrant = new Registrant();
    private int asked;

    @BeforeEach
    void deploy() {
        server.deploy(registrant, ExecutionMode.NON_BLOCKING, registrant);
    }

    private SipRequest register() {
        String from = "<sip:a@x>;tag=a" + ++asked;
        controller.request("MESSAGE sip:x@10.0.0.1", from, "<sip:x@x>", "m" + asked, asked);
        controller.response(200);
        return registrar.request("REGISTER");
    }

    private void accept(SipRequest register, String keep, String... headers) {
        registrar.send(answer(register, headers).replaceFirst(";keep(?=[;\\s])", keep));
        server.run(Duration.ofMillis(100));
    }

    private static String answer(SipRequest register, String... headers) {
        StringBuilder text = new StringBuilder("SIP/2.0 200 OK\n");
        for (String name : new String[] {"Via", "From", "To", "Call-ID", "CSeq"}) {
            String value = register.header(io.carillon.sip.header.HeaderName.of(name));
            text.append(name).append(": ").append(value);
            text.append(name.equals("To") ? ";tag=r\n" : "\n");
        }
        for (String header : headers) {
            text.append(header).append('\n');
        }
        return text.append("Content-Length: 0\n\n").toString();
    }

    private void registrarDies() {
        server.network.unbind(SimulatedNetwork.address("10.0.0.9", 5060));
    }

    @Test
    void rfc6223_theViaAsksAndTheAnswerSaysHowOften() {
        SipRequest register = register();
        assertThat(register.topVia().asksForKeepAlives()).isTrue();
        accept(register, ";keep=60");
        assertThat(server.container.features().keptFlows().size()).isEqualTo(1);
        server.run(Duration.ofMinutes(2)); // less than the session lives
        assertThat(registrant.events).containsExactly("200");
        registrarDies();
        server.run(Duration.ofSeconds(71));
        assertThat(registrant.events).containsExactly("200", "io.carillon.flow.failed");
        assertThat(server.container.features().keptFlows().size()).isZero();
    }

    @Test
    void theNextAnswerTakesTheFailureAway() {
        accept(register(), ";keep=30");
        registrarDies();
        server.run(Duration.ofSeconds(41));
        RawPeer another = server.peer("10.0.0.9");
        controller.request("MESSAGE sip:x@10.0.0.1", "<sip:a@x>;tag=z", "<sip:x@x>", "z", 1);
        another.send(answer(another.request("REGISTER")).replace(";keep", ";keep=30"));
        server.run(Duration.ofMinutes(2));
        assertThat(registrant.events)
                .containsExactly(
                        "200", "io.carillon.flow.failed", "no io.carillon.flow.failed", "200");
    }

    @Test
    void rfc5626_4_4_flowTimerSaysHowOften() {
        accept(register(), ";keep", "Flow-Timer: 100", "Require: outbound");
        registrarDies();
        server.run(Duration.ofSeconds(79));
        assertThat(registrant.events).containsExactly("200");
        server.run(Duration.ofSeconds(32));
        assertThat(registrant.events).hasSize(2);
    }

    @Test
    void rfc5626_8_withoutAnIndicationNothingIsSent() {
        SipRequest register = register();
        registrar.send(answer(register).replaceFirst(";keep(?=[;\\s])", ""));
        server.run(Duration.ofSeconds(1));
        assertThat(server.container.features().keptFlows().size()).isZero();
    }

    @Test
    void whoDoesNotAskIsNotKept() {
        registrant.keepAlive = null;
        SipRequest register = register();
        assertThat(register.topVia().hasParam("keep")).isFalse();
        accept(register, ";keep=30", "Require: outbound");
        assertThat(server.container.features().keptFlows().size()).isZero();
    }

    @Test
    void rfc6223_4_4_weSayHowOftenWeWantThem() {
        String text =
                controller.text(
                        "OPTIONS sip:x@10.0.0.1",
                        "z9hG4bK9",
                        "<sip:a@x>;tag=a",
                        "<sip:x@x>",
                        "o",
                        1);
        controller.send(text.replace(";branch", ";keep;rport;branch"));
        assertThat(((io.carillon.sip.message.SipResponse) controller.any()).topVia().param("keep"))
                .isEqualTo("29");
    }
}
