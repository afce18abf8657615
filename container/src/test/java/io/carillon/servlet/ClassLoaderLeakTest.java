package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application leaves behind: no class, no file. */
class ClassLoaderLeakTest {
    private static final String PHONE =
            """
            package leak;

            import javax.servlet.sip.*;

            @javax.servlet.sip.annotation.SipServlet(name = "phone", applicationName = "phone")
            @javax.servlet.sip.annotation.SipListener
            public class Phone extends SipServlet implements TimerListener {
                static final ThreadLocal<Object> OWN = new ThreadLocal<>();

                protected void doInvite(SipServletRequest request) throws java.io.IOException {
                    request.getSession().setAttribute("phone", this);
                    OWN.set(this);
                    ((TimerService) getServletContext().getAttribute(TIMER_SERVICE))
                            .createTimer(request.getApplicationSession(), 100, false, null);
                    request.createResponse(200).send();
                    OWN.remove();
                }

                protected void doBye(SipServletRequest request) throws java.io.IOException {
                    request.createResponse(200).send();
                }

                public void timeout(ServletTimer timer) {}
            }
            """;

    @TempDir Path folder;

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);

    private Server server() {
        return new Server(
                network,
                "10.0.0.1",
                1,
                1,
                SessionStores.inMemory(),
                StackConfig.DEFAULT,
                ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
    }

    private static void call(Server server, RawPeer alice, String callId) {
        String from = "<sip:a@x>;tag=a";
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                from,
                "<sip:uas@y>",
                callId,
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        alice.request("ACK sip:uas@10.0.0.1:5060", from, to, callId, 1);
        server.run(Duration.ofSeconds(1));
        alice.request("BYE sip:uas@10.0.0.1:5060", from, to, callId, 2);
        alice.response(200);
    }

    private static boolean collected(WeakReference<?> reference) {
        for (int i = 0; i < 20 && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }

    /** The loader of a deployed application, reachable only weakly from here. */
    private static WeakReference<ClassLoader> loader(Application application) {
        return new WeakReference<>(application.classLoader());
    }

    /** A server that embeds us may forget to close a container. */
    @Test
    void aContainerThatNobodyHoldsIsGoneThoughItWasNeverClosed() {
        assertThat(collected(forgotten())).isTrue();
    }

    private static WeakReference<ClassLoader> forgotten() {
        Server server = Server.fresh(1).deploy(new SipServlet() {}, ExecutionMode.NON_BLOCKING);
        return loader(server.container.applications().getFirst());
    }

    @Test
    void afterUndeploymentNoClassAndNoFileOfItIsLeft() throws Exception {
        Path war = new TestArchive(folder).classes(PHONE).write("phone.war");
        Server server = server();
        RawPeer alice = server.peer("10.0.0.2");
        WeakReference<ClassLoader> loader = loader(server.container.deploy(war));
        call(server, alice, "c1");
        server.run(Duration.ofSeconds(40));
        assertThat(server.container.retire("phone", null)).isTrue();
        assertThat(collected(loader)).isTrue();
        try (Stream<Path> left = Files.list(folder.resolve("work"))) {
            assertThat(left).isEmpty();
        }
        server.assertEmpty();
    }

    @Test
    void afterARedeploymentAndTheLastCallOnlyTheNewVersionIsLeft() throws Exception {
        Path war = new TestArchive(folder).classes(PHONE).write("phone.war");
        Server server = server();
        RawPeer alice = server.peer("10.0.0.2");
        WeakReference<ClassLoader> old = loader(server.container.deploy(war));
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        alice.request("ACK sip:uas@10.0.0.1:5060", "<sip:a@x>;tag=a", to, "c1", 1);
        server.run(Duration.ofSeconds(1));
        WeakReference<ClassLoader> now = loader(server.container.replace(war, Duration.ofHours(1)));
        call(server, alice, "c2");
        alice.request("BYE sip:uas@10.0.0.1:5060", "<sip:a@x>;tag=a", to, "c1", 2);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        assertThat(collected(old)).isTrue();
        assertThat(now.get()).isNotNull();
        assertThat(server.container.applications()).hasSize(1);
        server.assertEmpty();
    }
}
