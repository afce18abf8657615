package io.carillon.pojo.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.pojo.Belongings;
import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.Initial;
import io.carillon.pojo.InterleavedCalls;
import io.carillon.pojo.InterleavedHandler;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Message;
import io.carillon.pojo.PlainHandlers;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SipStatusException;
import io.carillon.pojo.Subscribe;
import io.carillon.pojo.TakenOverBeans;
import io.carillon.pojo.Wire;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers, scopes, injection, events, interceptors and decorators under CDI. */
@SipTest
class CdiTest {
    private final List<SeContainer> started = new ArrayList<>();

    private SeContainer start(Class<?>... classes) {
        SeContainer container =
                SeContainerInitializer.newInstance()
                        .disableDiscovery()
                        .addExtensions(new SipExtension())
                        .addBeanClasses(classes)
                        .initialize();
        started.add(container);
        return container;
    }

    private CdiBeanSource source(Class<?>... classes) {
        return CdiBeanSource.of(start(classes).getBeanManager());
    }

    @AfterEach
    void close() {
        started.forEach(SeContainer::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsInjectedBelongsToItsCall(boolean blocking, SipTestServer server) throws Exception {
        InterleavedCalls.run(
                server,
                source(
                        InterleavedHandler.class,
                        Belongings.OfSession.class,
                        Belongings.OfApplicationSession.class,
                        Belongings.OfCall.class),
                blocking);
    }

    @Test
    void beansGoOnAtTheNextNode() throws Exception {
        TakenOverBeans.run(() ->
                source(
                        TakenOverBeans.Names.class,
                        Belongings.OfSession.class,
                        Belongings.OfApplicationSession.class,
                        Belongings.OfCall.class));
    }

    @Test
    void whatIsInjectedBelongsToTheCallOfItsThread() throws Exception {
        InterleavedCalls.runOnThreads(
                source(
                        InterleavedHandler.class,
                        Belongings.OfSession.class,
                        Belongings.OfApplicationSession.class,
                        Belongings.OfCall.class));
    }

    /** What a decorator stands before. */
    public interface Greeting {
        Plan message(SipServletRequest request) throws Exception;
    }

    @SipHandler
    public static class Greets implements Greeting {
        @Inject SipFactory factory;
        @Inject SipServletRequest current;

        @Override
        @Message
        public Plan message(SipServletRequest request) throws Exception {
            boolean same = current.getCallId().equals(request.getCallId());
            return Plan.respond(same && factory.createURI("sip:a@b").isSipURI() ? 200 : 480);
        }
    }

    @Interceptor
    @SipHandler
    @Priority(Interceptor.Priority.APPLICATION)
    public static class Blocking {
        @AroundInvoke
        public Object block(InvocationContext handler) throws Exception {
            SipServletRequest request = (SipServletRequest) handler.getParameters()[0];
            return switch (String.valueOf(request.getHeader("X-Block"))) {
                case "plan" -> Plan.respond(503);
                case "thrown" -> throw new SipStatusException(433);
                default -> handler.proceed();
            };
        }
    }

    @Decorator
    @Priority(1)
    public static class Politely implements Greeting {
        @Inject @Delegate @Any Greeting greeting;

        @Override
        public Plan message(SipServletRequest request) throws Exception {
            return request.getHeader("X-Decorated") == null
                    ? greeting.message(request)
                    : Plan.respond(486);
        }
    }

    @Test
    void interceptorsAndDecoratorsStandAroundAHandler(SipTestServer server) throws Exception {
        PlainHandlers.deploy(
                server, "greets", source(Greets.class, Blocking.class, Politely.class));
        Wire wire = new Wire(server);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(200);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Block: plan")).isEqualTo(503);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Block: thrown")).isEqualTo(433);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Decorated: yes")).isEqualTo(486);
    }

    /** Handles by events alone. */
    public static class Observing {
        static final List<String> SEEN = new ArrayList<>();

        void invite(@Observes @Invite @Initial SipServletRequest request) throws Exception {
            SEEN.add("invite");
            SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
            leg.setRequestURI(request.getRequestURI());
            leg.send();
        }

        void answered(@Observes @Invite @FinalResponse SipServletResponse response)
                throws Exception {
            SEEN.add("final " + response.getStatus());
            response.getRequest()
                    .getB2buaHelper()
                    .getLinkedSipServletRequest(response.getRequest())
                    .createResponse(response.getStatus())
                    .send();
        }

        void all(@Observes SipServletRequest request) {
            SEEN.add("any " + request.getMethod());
        }

        void never(@Observes @Subscribe SipServletRequest request) {
            SEEN.add("subscribe");
        }
    }

    @Test
    void messagesAreEventsByMethodAndResponseClass(SipTestServer server) throws Exception {
        Observing.SEEN.clear();
        PlainHandlers.deploy(server, "observing", source(Observing.class));
        server.phone("bob").onCall(call -> call.reject(486));
        Call call = server.phone("alice").call("sip:bob@10.0.1.1");
        server.advance(Duration.ofSeconds(1));
        assertThat(Observing.SEEN).isEmpty(); // not through this server
        call = server.phone("carol").invite("sip:bob@10.0.1.1").via("sip:10.0.0.1;lr").send();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.finalStatus()).isEqualTo(486);
        assertThat(Observing.SEEN).contains("invite", "any INVITE", "final 486");
        assertThat(Observing.SEEN).doesNotContain("subscribe");
    }

    @Test
    void outsideOfACallTheContextIsNotActive() {
        SeContainer container = start(Belongings.OfCall.class);
        Belongings.OfCall bean = container.select(Belongings.OfCall.class).get();
        assertThatThrownBy(() -> bean.belongsTo("nobody"))
                .isInstanceOf(ContextNotActiveException.class)
                .hasStackTraceContaining("CallScoped");
    }

    @Test
    void withoutHandlersAndObserversThereIsNothingToDeploy(SipTestServer server) {
        assertThatThrownBy(() ->
                        PlainHandlers.deploy(server, "empty", source(Belongings.OfCall.class)))
                .hasMessageContaining("no CDI bean is annotated @SipHandler");
    }
}
