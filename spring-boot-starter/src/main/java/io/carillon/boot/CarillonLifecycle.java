package io.carillon.boot;

import io.carillon.pojo.engine.HandlerListener;
import io.carillon.pojo.engine.HandlerServlet;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import java.io.IOException;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the SIP application when all beans are there, and stops it before any of them goes. Of the
 * thread that starts and closes the context.
 */
final class CarillonLifecycle implements SmartLifecycle {
    /** After whatever handlers may need, before the web server that may ask them to call. */
    private static final int PHASE = 1 << 20;

    private final CarillonProperties properties;
    private final String name;
    private final SipApplicationContext beans;
    private final SipRuntime runtime;
    private volatile boolean running;

    CarillonLifecycle(
            CarillonProperties properties,
            String name,
            SipApplicationContext beans,
            SipRuntime runtime) {
        this.properties = properties;
        this.name = name;
        this.beans = beans;
        this.runtime = runtime;
    }

    @Override
    public void start() {
        ApplicationDescription.Builder application =
                ApplicationDescription.builder(name)
                        .servlet(HandlerServlet.NAME, () -> new HandlerServlet(beans))
                        .listener(new HandlerListener())
                        .sessionTimeoutMinutes(
                                Math.toIntExact(properties.sessionTimeout().toMinutes()));
        properties.parameters().forEach(application::contextParam);
        if (properties.nonBlocking()) {
            application.contextParam(ExecutionMode.CONTEXT_PARAM, "non-blocking");
        }
        try {
            runtime.start(application.build());
        } catch (DeploymentException | IOException e) {
            throw new SipStartException(String.valueOf(e.getMessage()), e);
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        runtime.stop(properties.drain());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
