package io.carillon.pojo.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.pojo.Belongings;
import io.carillon.pojo.InterleavedCalls;
import io.carillon.pojo.InterleavedHandler;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Message;
import io.carillon.pojo.PlainHandlers;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SipScopes;
import io.carillon.pojo.SipStatusException;
import io.carillon.pojo.TakenOverBeans;
import io.carillon.pojo.Wire;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;

/** Handlers, scopes, injection and aspects under Spring. */
@SipTest
class SpringTest {
    private static SpringBeanSource source(Class<?>... configuration) {
        return SpringBeanSource.of(List.of(configuration));
    }

    @Configuration
    @Import({
        InterleavedHandler.class,
        Belongings.OfSession.class,
        Belongings.OfApplicationSession.class,
        Belongings.OfCall.class
    })
    static class Interleaved {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsInjectedBelongsToItsCall(boolean blocking, SipTestServer server) throws Exception {
        InterleavedCalls.run(server, source(Interleaved.class), blocking);
    }

    @Test
    void whatIsInjectedBelongsToTheCallOfItsThread() throws Exception {
        InterleavedCalls.runOnThreads(source(Interleaved.class));
    }

    @Configuration
    @Import({
        TakenOverBeans.Names.class,
        Belongings.OfSession.class,
        Belongings.OfApplicationSession.class,
        Belongings.OfCall.class
    })
    static class Named {}

    @Test
    void beansGoOnAtTheNextNode() throws Exception {
        TakenOverBeans.run(() -> source(Named.class));
    }

    @SipHandler
    static class Greets {
        final List<String> seen = new ArrayList<>();

        @Autowired SipFactory factory;
        @Autowired SipServletRequest current;

        @Message
        public Plan message(SipServletRequest request) throws Exception {
            seen.add(
                    current.getCallId().equals(request.getCallId())
                            + " "
                            + factory.createURI("sip:a@b"));
            return Plan.respond(200);
        }
    }

    @Aspect
    static class Blocking {
        @Around("@annotation(io.carillon.pojo.Message)")
        public Object block(ProceedingJoinPoint handler) throws Throwable {
            SipServletRequest request = (SipServletRequest) handler.getArgs()[0];
            return switch (String.valueOf(request.getHeader("X-Block"))) {
                case "plan" -> Plan.respond(503);
                case "thrown" -> throw new SipStatusException(433);
                default -> handler.proceed();
            };
        }
    }

    @Configuration
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    @Import(Greets.class)
    static class WithAspect {
        @Bean
        Blocking blocking() {
            return new Blocking();
        }
    }

    @Test
    void anAspectStandsAroundAHandler(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "greets", source(WithAspect.class));
        Wire wire = new Wire(server);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(200);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Block: plan")).isEqualTo(503);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Block: thrown")).isEqualTo(433);
    }

    @SipHandler
    static class Rings {
        @Invite
        public int invite() {
            return 180;
        }
    }

    @Configuration
    @Import({
        Greets.class,
        Rings.class,
        Belongings.OfCall.class,
        Belongings.OfApplicationSession.class
    })
    static class Outside {
        static Belongings.OfCall ofCall;
        static Belongings.OfApplicationSession ofSession;

        @Autowired
        void keep(Belongings.OfCall call, Belongings.OfApplicationSession session) {
            ofCall = call;
            ofSession = session;
        }
    }

    @Test
    void outsideOfACallTheErrorSaysSo(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "outside", source(Outside.class));
        assertThatThrownBy(() -> Outside.ofCall.belongsTo("nobody"))
                .hasStackTraceContaining(
                        "no SIP message, timer or session event is handled on this thread");
        server.phone("alice").call(server.uri("x"));
        server.advance(Duration.ofSeconds(1));
        SipApplicationSession session = server.session("outside");
        assertThat(SipScopes.within(session, () -> Outside.ofSession.belongsTo("page"))).isTrue();
        assertThatThrownBy(() -> SipScopes.within(session, () -> Outside.ofCall.belongsTo("page")))
                .hasStackTraceContaining("to no SIP session");
    }

    @SipHandler
    static class CannotBe {
        CannotBe(Runnable missing) {}

        @Invite
        public int invite() {
            return 486;
        }
    }

    @Test
    void aContextThatDoesNotStartIsADeploymentError(SipTestServer server) {
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "broken", source(CannotBe.class)))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("Spring: ")
                .hasMessageContaining("java.lang.Runnable");
    }
}
