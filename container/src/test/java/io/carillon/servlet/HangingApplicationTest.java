package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.harness.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.annotation.PostConstruct;
import javax.annotation.PreDestroy;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications that do not come to the end of their beginning, or of their end. */
class HangingApplicationTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);

    /** Where an application hangs. */
    enum Place {
        STATIC_INITIALIZER,
        CONSTRUCTOR,
        POST_CONSTRUCT,
        CONTEXT_INITIALIZED,
        INIT,
        SERVLET_INITIALIZED,
        DESTROY,
        CONTEXT_DESTROYED,
        PRE_DESTROY,
        NOWHERE
    }

    /** What the hanging code waits for; the test's own. */
    private static volatile CountDownLatch hangs = new CountDownLatch(1);

    private static volatile CountDownLatch released = new CountDownLatch(1);
    private static volatile boolean obeys;
    private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    private static void hang() {
        hangs.countDown();
        boolean over = false;
        while (!over) {
            try {
                released.await();
                over = true;
            } catch (InterruptedException e) {
                over = obeys;
            }
        }
    }

    /** Its first use does not end. */
    private static final class NeverReady {
        static final String VALUE = value();

        private static String value() {
            hang();
            return "ready";
        }
    }

    /** Servlet and listener in one. */
    public static final class Hanging extends SipServlet
            implements ServletContextListener, SipServletListener {
        private static final long serialVersionUID = 1L;
        private final Place place;

        Hanging(Place place) {
            this.place = place;
            at(Place.CONSTRUCTOR);
            if (place == Place.STATIC_INITIALIZER) {
                EVENTS.add(NeverReady.VALUE);
            }
        }

        private void at(Place here) {
            if (place == here) {
                hang();
            }
        }

        @PostConstruct
        public void made() {
            at(Place.POST_CONSTRUCT);
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            at(Place.CONTEXT_INITIALIZED);
        }

        @Override
        public void init() {
            at(Place.INIT);
            EVENTS.add("init");
        }

        @Override
        public void servletInitialized(SipServletContextEvent event) {
            at(Place.SERVLET_INITIALIZED);
        }

        @Override
        public void destroy() {
            at(Place.DESTROY);
            EVENTS.add("destroy");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            at(Place.CONTEXT_DESTROYED);
        }

        @PreDestroy
        public void gone() {
            at(Place.PRE_DESTROY);
        }
    }

    private final Server server = Server.fresh(1);

    @BeforeEach
    void begin() {
        hangs = new CountDownLatch(1);
        released = new CountDownLatch(1);
        obeys = false;
        EVENTS.clear();
    }

    /** No thread of a test is left: a late one would be heard in the next. */
    @AfterEach
    void release() throws InterruptedException {
        released.countDown();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("deploy ") || thread.getName().startsWith("stop ")) {
                thread.join();
            }
        }
    }

    private static ApplicationDescription application(String name, Place place) {
        Hanging[] made = new Hanging[1];
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder(name)
                        .servlet(
                                "main",
                                () -> {
                                    made[0] = new Hanging(place);
                                    return made[0];
                                });
        return builder.listener(new Forwarding(made)).build();
    }

    /** The servlet as a listener; it is made by the deployment only. */
    private record Forwarding(Hanging[] made)
            implements ServletContextListener, SipServletListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            made[0].contextInitialized(event);
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            made[0].contextDestroyed(event);
        }

        @Override
        public void servletInitialized(SipServletContextEvent event) {
            made[0].servletInitialized(event);
        }
    }

    private static void join(String threadName) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(threadName)) {
                thread.join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "STATIC_INITIALIZER",
                "CONSTRUCTOR",
                "POST_CONSTRUCT",
                "CONTEXT_INITIALIZED",
                "INIT",
                "SERVLET_INITIALIZED"
            })
    void aBeginningThatHangsFailsNamingWhatItDoes(Place place) throws Exception {
        server.container.limitCallbacks(LONG, LONG);
        FutureTask<Object> slow =
                new FutureTask<>(() -> server.container.deploy(application("slow", place)));
        Thread waiting = Thread.ofPlatform().daemon().start(slow);
        hangs.await();
        waiting.interrupt(); // as the end of the time does, at a moment of the test's choice
        assertThatThrownBy(slow::get)
                .cause()
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("slow: ")
                .hasMessageContaining("HangingApplicationTest")
                .hasMessageContaining("called by " + HangingApplicationTest.class.getName())
                .hasMessageContaining("its thread 'deploy slow' is left behind")
                .hasMessageNotContaining("\n");
        assertThat(server.container.applications()).isEmpty();
        assertThat(server.container.counters().callbacksTooLong.sum()).isEqualTo(1);
        List<String> left = server.container.callbacksLeftBehind();
        assertThat(left).containsExactly("deploy slow");
        released.countDown();
        join("deploy slow");
        assertThat(server.container.callbacksLeftBehind()).isEmpty();
        assertThat(EVENTS.contains("destroy"))
                .as("what was begun is undone, at last")
                .isEqualTo(EVENTS.contains("init"));
        server.container.deploy(application("slow", Place.NOWHERE));
        assertThat(server.container.applications().getFirst().version()).isEqualTo(1);
    }

    @Test
    void aThreadThatObeysIsNotLeftBehind() {
        obeys = true;
        server.container.limitCallbacks(SHORT, LONG);
        assertThatThrownBy(() -> server.container.deploy(application("slow", Place.INIT)))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("not done within 1 ms (deploy.init-within)")
                .hasMessageContaining("it was interrupted and has ended");
        assertThat(server.container.callbacksLeftBehind()).isEmpty();
    }

    @Test
    void othersAreDeployedWhileOneHangsAndTheEndGivesItUp() throws Exception {
        server.container.limitCallbacks(LONG, LONG);
        FutureTask<Object> slow =
                new FutureTask<>(() -> server.container.deploy(application("slow", Place.INIT)));
        Thread.ofPlatform().daemon().start(slow);
        hangs.await();
        server.container.deploy(application("fast", Place.NOWHERE));
        server.container.replace(application("fast", Place.NOWHERE), null);
        assertThat(server.container.retire("fast", null)).isTrue();
        server.container.deploy(application("again", Place.NOWHERE));
        server.container.close();
        assertThatThrownBy(slow::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("not done when the server stopped");
        assertThat(server.container.applications()).isEmpty();
    }

    @Test
    void nothingIsDeployedOnceTheServerStops() {
        server.container.limitCallbacks(LONG, LONG);
        server.container.close();
        assertThatThrownBy(() -> server.container.deploy(application("late", Place.NOWHERE)))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("server");
        assertThat(EVENTS).isIn(List.of(), List.of("init", "destroy"));
    }

    @ParameterizedTest
    @EnumSource(names = {"DESTROY", "CONTEXT_DESTROYED", "PRE_DESTROY"})
    void anEndThatHangsHoldsUpNeitherUndeploymentNorStop(Place place) throws Exception {
        server.container.limitCallbacks(LONG, SHORT);
        server.container.deploy(application("slow", place));
        server.container.deploy(application("other", place));
        server.container.undeploy("slow");
        assertThat(server.container.applications()).hasSize(1);
        assertThat(server.container.retiring()).isEmpty();
        server.container.close();
        assertThat(server.container.callbacksLeftBehind())
                .containsExactly("stop other version 1", "stop slow version 1");
    }

    @Test
    void whereTooManyHangNothingIsDeployedAnyMore() {
        server.container.limitCallbacks(LONG, LONG);
        for (int i = 0; i < 16; i++) {
            String name = "slow" + i;
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> server.container.deploy(application(name, Place.INIT)))
                    .hasMessageContaining("is left behind");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThatThrownBy(() -> server.container.deploy(application("one", Place.NOWHERE)))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("16 threads of earlier deployments still hang");
    }
}
