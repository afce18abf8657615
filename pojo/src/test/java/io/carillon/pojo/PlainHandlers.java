package io.carillon.pojo;

import io.carillon.pojo.engine.BeanSource;
import io.carillon.pojo.engine.HandlerBean;
import io.carillon.pojo.engine.HandlerListener;
import io.carillon.pojo.engine.HandlerServlet;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTestServer;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletContext;

/** Deploys handler objects as an application, as a server that embeds Carillon does. */
public final class PlainHandlers implements BeanSource {
    private final List<Object> handlers;

    private PlainHandlers(Object... handlers) {
        this.handlers = Arrays.asList(handlers);
    }

    /** One application of these handlers. */
    public static void deploy(SipTestServer server, String name, Object... handlers)
            throws DeploymentException {
        deploy(server, name, new PlainHandlers(handlers));
    }

    /** One application of the beans of a framework. */
    public static void deploy(SipTestServer server, String name, BeanSource source)
            throws DeploymentException {
        server.deploy(describe(name, source).build());
    }

    /** The same, for tests that set more. */
    public static ApplicationDescription.Builder describe(String name, BeanSource source) {
        return ApplicationDescription.builder(name)
                .servlet(HandlerServlet.NAME, () -> new HandlerServlet(source))
                .listener(new HandlerListener());
    }

    /** Beans for {@link #describe}. */
    public static BeanSource of(Object... handlers) {
        return new PlainHandlers(handlers);
    }

    @Override
    public List<HandlerBean> start(ServletContext context) {
        return handlers.stream().map(HandlerBean::of).toList();
    }
}
