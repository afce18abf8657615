package io.carillon.pojo.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.pojo.BranchResponse;
import io.carillon.pojo.Bye;
import io.carillon.pojo.ErrorResponse;
import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Message;
import io.carillon.pojo.NoAckReceived;
import io.carillon.pojo.NoPrackReceived;
import io.carillon.pojo.PlainHandlers;
import io.carillon.pojo.Plan;
import io.carillon.pojo.ServletInitialized;
import io.carillon.pojo.SessionCreated;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SessionReadyToInvalidate;
import io.carillon.pojo.SipApplicationSessionScoped;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SipSessionScoped;
import io.carillon.pojo.Wire;
import io.carillon.pojo.engine.HandlerServlet;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Destroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CDI observers of what is no message, and of the responses of single branches. */
@SipTest
class CdiEventTest {
    private static final List<String> SEEN = new ArrayList<>();

    private final List<SeContainer> started = new ArrayList<>();

    private void deploy(SipTestServer server, String name, Class<?>... classes) throws Exception {
        SeContainer container =
                SeContainerInitializer.newInstance()
                        .disableDiscovery()
                        .addExtensions(new SipExtension())
                        .addBeanClasses(classes)
                        .initialize();
        started.add(container);
        PlainHandlers.deploy(server, name, CdiBeanSource.of(container.getBeanManager()));
    }

    @BeforeEach
    void nothingSeen() {
        SEEN.clear();
    }

    @AfterEach
    void close() {
        started.forEach(SeContainer::close);
    }

    @SipHandler
    public static class Answers {
        @Message
        public int message() {
            return 200;
        }

        @Invite
        public int invite() {
            return 200;
        }
    }

    @Singleton
    public static class Lives {
        @Inject SipSession current;

        void begins(@Observes @Initialized(SipSessionScoped.class) SipSession session) {
            SEEN.add("session begins, current " + current.getId().equals(session.getId()));
        }

        void ends(@Observes @Destroyed(SipSessionScoped.class) SipSession session) {
            SEEN.add("session ends");
        }

        void beginsAll(
                @Observes @Initialized(SipApplicationSessionScoped.class)
                        SipApplicationSession session) {
            SEEN.add("application session begins");
        }

        void endsAll(@Observes @Destroyed(SipApplicationSessionScoped.class) Object session) {
            SEEN.add("application session ends");
        }

        void created(@Observes @SessionCreated SipSession session) {
            SEEN.add("created");
        }

        void ready(@Observes @SessionReadyToInvalidate SipSession session) {
            SEEN.add("ready");
        }

        void destroyed(@Observes @SessionDestroyed SipSession session) {
            SEEN.add("destroyed");
        }
    }

    @Test
    void theBeginAndTheEndOfSessionsAreEvents(SipTestServer server) throws Exception {
        deploy(server, "lives", Answers.class, Lives.class);
        assertThat(new Wire(server).status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(200);
        server.assertNothingLeft();
        assertThat(SEEN)
                .containsExactlyInAnyOrder(
                        "application session begins",
                        "session begins, current true",
                        "created",
                        "ready",
                        "session ends",
                        "destroyed",
                        "application session ends");
    }

    @SipSessionScoped
    public static class OfSession {
        void use() {
            SEEN.add("used");
        }

        @PreDestroy
        void gone() {
            SEEN.add("bean gone");
        }
    }

    @SipHandler
    public static class Uses {
        @Inject OfSession bean;

        @Message
        public int message() {
            bean.use();
            return 200;
        }
    }

    @SipHandler
    public static class FailsAtTheEnd {
        @SessionDestroyed
        public void ends(SipSession session) {
            throw new IllegalStateException("a handler that fails");
        }

        void endsToo(@Observes @Destroyed(SipSessionScoped.class) SipSession session) {
            throw new IllegalStateException("an observer that fails");
        }
    }

    @Test
    void beansEndWithTheirSessionThoughItsLastEventFails(SipTestServer server) throws Exception {
        server.expectErrors();
        deploy(server, "uses", Uses.class, OfSession.class, FailsAtTheEnd.class);
        new Wire(server).status("MESSAGE", "sip:x@10.0.0.1");
        server.assertNothingLeft();
        assertThat(SEEN).containsExactly("used", "bean gone");
    }

    @Singleton
    public static class Starts {
        @Inject SipFactory factory;

        void ready(@Observes @ServletInitialized SipServletContextEvent event) throws Exception {
            SEEN.add(event.getSipServlet().getServletName());
            SEEN.add(factory.createURI("sip:a@b").toString());
        }
    }

    @Test
    void theStartOfTheServletIsAnEvent(SipTestServer server) throws Exception {
        deploy(server, "starts", Answers.class, Starts.class);
        assertThat(SEEN).containsExactly(HandlerServlet.NAME, "sip:a@b");
    }

    @Singleton
    public static class DoesNotStart {
        void ready(@Observes @ServletInitialized SipServletContextEvent event) {
            throw new IllegalStateException("no trunk");
        }
    }

    @Test
    void anObserverOfTheStartCanFailTheDeployment(SipTestServer server) {
        assertThatThrownBy(() -> deploy(server, "not", Answers.class, DoesNotStart.class))
                .hasMessageContaining("no trunk");
    }

    @Singleton
    public static class HearsOfAcks {
        void noAck(@Observes @NoAckReceived SipErrorEvent event) {
            SEEN.add("no ACK for " + event.getResponse().getStatus());
        }

        void noPrack(@Observes @NoPrackReceived SipErrorEvent event) {
            SEEN.add("no PRACK for " + event.getResponse().getStatus());
        }
    }

    /** As with a handler: who observes it decides, and no BYE leaves by itself. */
    @Test
    void aMissingAckIsAnEvent(SipTestServer server) throws Exception {
        deploy(server, "acks", Answers.class, HearsOfAcks.class);
        ScriptedPeer caller = server.peer("caller");
        invite(caller, "");
        caller.expect("200");
        server.advance(Duration.ofSeconds(40));
        assertThat(SEEN).containsExactly("no ACK for 200");
        assertThat(caller.all()).noneMatch(one -> one.start().startsWith("BYE "));
    }

    @SipHandler
    public static class RingsReliably {
        @Invite
        public void invite(SipServletRequest request) throws Exception {
            request.createResponse(180).sendReliably();
        }
    }

    @Test
    void aMissingPrackIsAnEvent(SipTestServer server) throws Exception {
        deploy(server, "pracks", RingsReliably.class, HearsOfAcks.class);
        ScriptedPeer caller = server.peer("caller");
        invite(caller, "Supported: 100rel\n");
        caller.expect("180");
        server.advance(Duration.ofSeconds(40));
        assertThat(SEEN).containsExactly("no PRACK for 180");
    }

    @SipHandler
    public static class Forks {
        @Invite
        @Initial
        public Plan invite() {
            return Plan.proxy("sip:bob@10.0.1.2", "sip:carol@10.0.1.3");
        }
    }

    @Singleton
    public static class HearsBranches {
        void branch(@Observes @BranchResponse SipServletResponse response) {
            SEEN.add("branch " + response.getStatus() + ' ' + response.isBranchResponse());
        }

        void failed(@Observes @Invite @ErrorResponse @BranchResponse SipServletResponse response) {
            SEEN.add("failed branch " + response.getStatus());
        }

        void bye(@Observes @Bye @BranchResponse SipServletResponse response) {
            SEEN.add("BYE");
        }

        void all(@Observes @Invite @FinalResponse SipServletResponse response) {
            SEEN.add("final " + response.getStatus() + ' ' + response.isBranchResponse());
        }

        void any(@Observes SipServletResponse response) {
            SEEN.add("any " + response.getStatus());
        }
    }

    /**
     * JSR 289, SipServletResponse.isBranchResponse: an intermediate final response of a branch. Who
     * observes responses means the one to the request, and hears it once.
     */
    @Test
    void responsesOfBranchesAreEventsForThoseWhoNameThem(SipTestServer server) throws Exception {
        deploy(server, "forks", Forks.class, HearsBranches.class);
        ScriptedPeer caller = server.peer("caller");
        server.phone("bob").onCall(call -> call.reject(486));
        server.phone("carol").onCall(call -> call.reject(404));
        invite(caller, "");
        server.advance(Duration.ofSeconds(2));
        assertThat(SEEN)
                .containsExactlyInAnyOrder(
                        "branch 486 true",
                        "failed branch 486",
                        "branch 404 true",
                        "failed branch 404",
                        "final 404 false",
                        "any 404");
    }

    private static void invite(ScriptedPeer caller, String header) {
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                """
                INVITE sip:x@10.0.0.1 SIP/2.0
                Via: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-1
                Max-Forwards: 70
                From: <sip:caller@10.0.1.1>;tag=a
                To: <sip:x@10.0.0.1>
                Call-ID: event@10.0.1.1
                CSeq: 1 INVITE
                Contact: <sip:caller@10.0.1.1>
                """
                        + header
                        + "Content-Length: 0\n\n");
    }
}
