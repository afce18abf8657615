package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import org.junit.jupiter.api.Test;

/** In a cluster an application hears that it may begin when its calls are somebody's. */
class FirstWorkTest {
    /** Begins something of its own. */
    private static class Registering extends SipServlet implements SipServletListener {
        private static final long serialVersionUID = 1L;

        private final transient List<ClassLoader> told = new ArrayList<>();

        @Override
        public void servletInitialized(SipServletContextEvent event) {
            assertThat(event.getSipServlet()).isSameAs(this);
            told.add(Thread.currentThread().getContextClassLoader());
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
    void itIsToldOnceTheNodeActs() throws DeploymentException {
        server.container.host().parts().put(FirstWork.SLOT, first);
        Application one = deploy(registering, "one");
        assertThat(registering.told).isEmpty();
        ClassLoader here = Thread.currentThread().getContextClassLoader();
        first.begin();
        assertThat(registering.told).containsExactly(one.classLoader());
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(here);
        first.begin();
        assertThat(registering.told).hasSize(1);
        Registering later = new Registering();
        deploy(later, "two");
        assertThat(later.told).as("the node acts").hasSize(1);
    }

    @Test
    void whatIsUndeployedBeforeIsNotTold() throws DeploymentException {
        server.container.host().parts().put(FirstWork.SLOT, first);
        deploy(registering, "one");
        server.container.undeploy("one");
        first.begin();
        assertThat(registering.told).isEmpty();
    }

    /** Those of other applications are told nevertheless. */
    @Test
    void whatFailsIsLogged() throws DeploymentException {
        server.container.host().parts().put(FirstWork.SLOT, first);
        Registering failing =
                new Registering() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public void servletInitialized(SipServletContextEvent event) {
                        throw new IllegalStateException("no trunk is configured");
                    }
                };
        deploy(failing, "failing");
        deploy(registering, "one");
        first.begin();
        assertThat(registering.told).hasSize(1);
    }
}
