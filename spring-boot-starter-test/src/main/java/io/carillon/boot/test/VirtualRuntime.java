package io.carillon.boot.test;

import io.carillon.boot.SipRuntime;
import io.carillon.servlet.ContainerStatus;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTestServer;
import java.time.Duration;
import java.util.List;

/** Runs the application in a simulated network. Of the test's thread. */
final class VirtualRuntime implements SipRuntime {
    private final SipTestServer server;

    VirtualRuntime(SipTestServer server) {
        this.server = server;
    }

    @Override
    public void start(ApplicationDescription application) throws DeploymentException {
        server.deploy(application);
    }

    @Override
    public List<String> listening() {
        return List.of("virtual:" + SipTestServer.HOST + ":5060");
    }

    @Override
    public ContainerStatus status() {
        return server.container().status();
    }

    /** The server's end is the bean's. */
    @Override
    public void stop(Duration drain) {}
}
