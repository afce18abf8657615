package io.carillon.servlet.dispatch;

import io.carillon.servlet.ContainerConfig;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationLoader;
import io.carillon.servlet.app.ApplicationServices;
import io.carillon.servlet.app.ArchiveLimits;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.http.ApplicationWebSessions;
import io.carillon.servlet.http.HttpPart;
import io.carillon.servlet.http.WebHalf;
import io.carillon.servlet.http.WebSide;
import io.carillon.servlet.refresh.SessionTimers;
import io.carillon.servlet.route.ApplicationRouters;
import io.carillon.servlet.security.Gate;
import io.carillon.servlet.security.SecurityDescription;
import io.carillon.servlet.security.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.session.SessionLookup;
import io.carillon.servlet.timer.ApplicationTimers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.servlet.sip.ar.SipApplicationRouter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The applications and the router that chooses between them. Deploying takes its monitor; looking
 * takes a snapshot.
 */
public final class Deployments {
    private static final Logger LOG = LoggerFactory.getLogger(Deployments.class);

    private final SipContainer container;
    private final ContainerConfig config;
    private final RetiredApplications retired;
    private final Map<String, Integer> versions = new HashMap<>(); // with the monitor
    private volatile Map<String, Application> byName = Map.of();
    private volatile @Nullable SipApplicationRouter router;
    private volatile @Nullable WebSide web;

    public Deployments(SipContainer container, ContainerConfig config) {
        this.container = container;
        this.config = config;
        this.retired = new RetiredApplications(container);
    }

    /** The router, opened on first use: an unusable one is told where it is needed first. */
    public SipApplicationRouter router() {
        SipApplicationRouter open = router;
        if (open != null) {
            return open;
        }
        synchronized (this) {
            open = router;
            if (open == null) {
                open = ApplicationRouters.open(config.router());
                router = open;
            }
            return open;
        }
    }

    public Application deploy(Path archive) throws DeploymentException {
        return begin(loader().load(archive), false, null);
    }

    public Application deploy(ApplicationDescription description) throws DeploymentException {
        return begin(Application.of(description), false, null);
    }

    /** Deploys, or takes the place of the version of that name; see {@link SipContainer}. */
    public Application replace(Path archive, @Nullable Duration limit) throws DeploymentException {
        return begin(loader().loadCopy(archive), true, limit);
    }

    public Application replace(ApplicationDescription description, @Nullable Duration limit)
            throws DeploymentException {
        return begin(Application.of(description), true, limit);
    }

    private ApplicationLoader loader() {
        return new ApplicationLoader(
                config.workFolder(),
                ArchiveLimits.DEFAULT,
                name -> config.contextParams().getOrDefault(name, Map.of()),
                container.objects()::shares);
    }

    /**
     * The new version starts while the old one serves; from one moment on, initial requests are the
     * new one's.
     */
    private synchronized Application begin(
            Application application, boolean replace, @Nullable Duration limit)
            throws DeploymentException {
        String name = application.name();
        Application old = byName.get(name);
        if (old != null && !replace) {
            application.stop();
            throw new DeploymentException(
                    application.archive(), 0, "app-name", "another application is named " + name);
        }
        router();
        int version = versions.getOrDefault(name, 0) + 1;
        application.numbered(version);
        application.guardedBy(gate(application));
        application
                .context()
                .logLimit(container.applicationLog(), container.counters().logLinesLeftOut);
        application.timedBy(sessionTimers(application));
        application
                .context()
                .setAttribute(SerialWork.ATTRIBUTE, new SerialWork(container, application));
        container.objects().starting(application);
        try {
            application.start(services(application), webHalf(application));
        } catch (DeploymentException e) {
            CallEnding.drop(container, application); // what its init had begun
            throw e;
        }
        versions.put(name, version);
        Map<String, Application> next = new LinkedHashMap<>(byName);
        next.put(name, application);
        byName = next;
        tellRouter(open -> open.applicationDeployed(List.of(name)));
        if (old != null) {
            retired.add(old, limit);
        }
        return application;
    }

    /** What a router throws here must not undo what is done. */
    private void tellRouter(Consumer<SipApplicationRouter> what) {
        SipApplicationRouter open = router();
        try {
            what.accept(open);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("the application router {} failed", open.getClass().getName(), e);
        }
    }

    private @Nullable SessionTimers sessionTimers(Application application)
            throws DeploymentException {
        try {
            return SessionTimers.of(
                    container.sessionTimers().with(application.description().contextParams()));
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    application.archive(), 0, "context-param", String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable Gate gate(Application application) {
        SecurityDescription security = application.description().security();
        return security.constraints().isEmpty() && security.assertion() == IdentityAssertion.NONE
                ? null
                : new Gate(
                        container.security(),
                        security,
                        application.description().execution() != ExecutionMode.NON_BLOCKING);
    }

    /** The HTTP part of the archive, when it has one and somebody serves HTTP here. */
    private @Nullable WebHalf webHalf(Application application) throws DeploymentException {
        WebSide side = web;
        Path root = application.root();
        try {
            if (side == null || root == null || !HttpPart.in(application.archive(), root)) {
                return null;
            }
        } catch (DeploymentException e) {
            application.stop();
            throw e;
        }
        return new WebHalf(side, new ApplicationWebSessions(container, application));
    }

    /** Who serves HTTP; before the first deployment. */
    public void web(WebSide side) {
        web = side;
    }

    private ApplicationServices services(Application application) {
        return new ApplicationServices(
                container
                        .objects()
                        .factory(new SipRequests(container, application), container, application),
                new ApplicationTimers(application),
                container
                        .objects()
                        .sessionsUtil(
                                new SessionLookup(container, application), container, application),
                container.outboundInterfaces().listeningPoints(),
                List.of("100rel", "path", "outbound"),
                List.of(
                        "3261", "3262", "3265", "3311", "3327", "3428", "3515", "3581", "4320",
                        "5393", "5626", "6026", "6665"),
                container.dataSource());
    }

    /** Takes it out of service and ends its sessions; nobody is told BYE. */
    public void undeploy(String name) {
        Application gone = remove(name);
        if (gone != null) {
            retired.add(gone, null);
            CallEnding.drop(container, gone);
        }
    }

    /** Takes it out of service; its calls may end. False when there is none of that name. */
    public boolean retire(String name, @Nullable Duration limit) {
        Application gone = remove(name);
        if (gone == null) {
            return false;
        }
        retired.add(gone, limit);
        return true;
    }

    private synchronized @Nullable Application remove(String name) {
        Map<String, Application> next = new LinkedHashMap<>(byName);
        Application gone = next.remove(name);
        if (gone != null) {
            byName = next;
            tellRouter(open -> open.applicationUndeployed(List.of(name)));
        }
        return gone;
    }

    /** Versions whose last calls are still running. */
    public List<Application> retiring() {
        return retired.all();
    }

    public List<Application> all() {
        return List.copyOf(byName.values());
    }

    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** The current version. */
    public @Nullable Application find(String name) {
        return byName.get(name);
    }

    /**
     * The current version with a hold on it, which the caller gives back when the request has its
     * session: a replacement between here and there destroys nothing under it.
     */
    @Nullable Application hold(String name) {
        Application found = byName.get(name);
        while (found != null && !found.holds().take()) {
            Application again = byName.get(name);
            if (again == found) {
                return null; // stopped without us
            }
            found = again;
        }
        return found;
    }

    public void close() {
        retired.closing();
        for (String name : names().reversed()) {
            undeploy(name);
        }
        retired.close();
        SipApplicationRouter open = router;
        if (open != null) {
            try {
                open.destroy();
            } catch (RuntimeException e) {
                LOG.warn("the application router failed in destroy", e);
            }
        }
    }
}
