package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.HttpHalf;
import io.carillon.servlet.app.ResourceInjection;
import io.carillon.servlet.app.StartOrder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP half of one version of an application, as its SIP half knows it. Of the deploying
 * thread, but for {@code takeInstance} and {@code inject}, which come from the thread that makes a
 * servlet.
 */
public final class WebHalf implements HttpHalf {
    private final WebSide side;
    private final WebSessions sessions;
    private final Set<Object> taken =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private volatile Map<String, Object> instances = Map.of();
    private @Nullable WebContext context;

    public WebHalf(WebSide side, WebSessions sessions) {
        this.side = side;
        this.sessions = sessions;
    }

    /** Makes the web context; from here on it is what the application sees as its context. */
    @Override
    public void open(Application application, ResourceInjection injection)
            throws DeploymentException {
        WebContext made = side.open(new Part(application, injection));
        context = made;
        application.context().shown(made.servletContext());
    }

    /** The instances of the SIP half, by class. */
    @Override
    public void instances(Map<String, Object> made) {
        instances = Map.copyOf(made);
    }

    /** The instances of the SIP half that are the HTTP half's too. */
    @Override
    public Set<Object> taken() {
        return taken;
    }

    /** Starts both halves, then lets requests in. */
    @Override
    public void start(StartOrder between) throws DeploymentException {
        WebContext started = Objects.requireNonNull(context, "open comes first");
        started.start(between);
        started.serve();
    }

    /** Out of service: see {@link WebContext#withdraw}. */
    @Override
    public void withdraw() {
        WebContext open = context;
        if (open != null) {
            open.withdraw();
        }
    }

    /** See {@link WebContext#close}. */
    @Override
    public void close(Runnable servletsGone) {
        WebContext open = context;
        if (open != null) {
            open.close(servletsGone);
        }
    }

    private final class Part implements WebPart {
        private final Application application;
        private final ResourceInjection injection;

        Part(Application application, ResourceInjection injection) {
            this.application = application;
            this.injection = injection;
        }

        @Override
        public String name() {
            return application.name();
        }

        @Override
        public String archive() {
            return application.archive();
        }

        @Override
        public Path root() {
            return Objects.requireNonNull(application.root(), "an HTTP part lies in an archive");
        }

        @Override
        public ClassLoader classLoader() {
            return application.classLoader();
        }

        @Override
        public ServletContext shared() {
            return application.context();
        }

        @Override
        public boolean enter() {
            return application.holds().takeForHttp();
        }

        @Override
        public void leave() {
            application.holds().giveBackFromHttp();
        }

        @Override
        public WebSessions sessions() {
            return sessions;
        }

        @Override
        public @Nullable Object takeInstance(Class<?> type) {
            Object instance = instances.get(type.getName());
            if (instance == null || instance.getClass() != type) {
                return null;
            }
            taken.add(instance);
            return instance;
        }

        @Override
        public boolean isTaken(Object instance) {
            return taken.contains(instance);
        }

        @Override
        public void inject(Object instance) throws DeploymentException {
            injection.inject(instance);
        }
    }
}
