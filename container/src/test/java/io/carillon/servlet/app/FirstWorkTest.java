package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import org.junit.jupiter.api.Test;

/** In a cluster an application hears that it may begin when its calls are somebody's. */
class FirstWorkTest {
    /** Begins something of its own. */
    private static class Registering extends SipServlet implements SipServletListener {
        private static final long serialVersionUID = 1L;

        final transient List<ClassLoader> told = new CopyOnWriteArrayList<>();
        final transient CountDownLatch heard = new CountDownLatch(1);

        @Override
        public void servletInitialized(SipServletContextEvent event) {
            assertThat(event.getSipServlet()).isSameAs(this);
            told.add(Thread.currentThread().getContextClassLoader());
            heard.countDown();
        }
    }

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 5),
                    "10.0.0.1",
                    1,
                    5,
                    SessionStores.inMemory());
    private final FirstWork first = new FirstWork();
    private final Registering registering = new Registering();

    private Application deploy(Registering servlet, String name) throws DeploymentException {
        return server.container.deploy(
                ApplicationDescription.builder(name)
                        .servlet("main", () -> servlet)
                        .listener(servlet)
                        .build());
    }

    @Test
    void withoutAClusterItIsToldAsItStarts() throws DeploymentException {
        deploy(registering, "one");
        assertThat(registering.told).hasSize(1);
    }

    @Test
    void itIsToldOnceTheNodeActs() throws Exception {
        server.container.host().parts().put(FirstWork.SLOT, first);
        Application one = deploy(registering, "one");
        assertThat(registering.told).isEmpty();
        ClassLoader here = Thread.currentThread().getContextClassLoader();
        first.begin();
        registering.heard.await();
        assertThat(registering.told).containsExactly(one.classLoader());
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(here);
        first.begin();
        Registering later = new Registering();
        deploy(later, "two");
        assertThat(later.told).as("the node acts").hasSize(1);
    }

    @Test
    void whatIsUndeployedBeforeIsNotTold() throws Exception {
        server.container.host().parts().put(FirstWork.SLOT, first);
        deploy(registering, "one");
        server.container.undeploy("one");
        Registering other = new Registering();
        deploy(other, "other");
        first.begin();
        other.heard.await();
        assertThat(registering.told).isEmpty();
    }

    /** One that hangs or throws keeps the others from nothing, and ends before its servlet does. */
    @Test
    void eachApplicationHasAThreadOfItsOwnAndEndsBeforeItIsDestroyed() throws Exception {
        server.container.host().parts().put(FirstWork.SLOT, first);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        Registering hanging =
                new Registering() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void servletInitialized(SipServletContextEvent event) {
                        began.countDown();
                        try {
                            goesOn.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        order.add("told");
                    }

                    @Override
                    public void destroy() {
                        order.add("destroyed");
                    }
                };
        deploy(hanging, "hanging");
        deploy(
                new Registering() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void servletInitialized(SipServletContextEvent event) {
                        throw new IllegalStateException("no trunk is configured");
                    }
                },
                "failing");
        deploy(registering, "one");
        first.begin();
        began.await();
        registering.heard.await();
        Thread undeploys = Thread.ofPlatform().start(() -> server.container.undeploy("hanging"));
        while (undeploys.isAlive()
                && undeploys.getState() != Thread.State.WAITING
                && undeploys.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        goesOn.countDown();
        undeploys.join();
        assertThat(order).containsExactly("told", "destroyed");
    }
}
