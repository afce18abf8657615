package io.carillon.servlet.dispatch;

import io.carillon.servlet.ContainerConfig;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationLoader;
import io.carillon.servlet.app.ApplicationServices;
import io.carillon.servlet.app.ArchiveLimits;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.message.AddressFactory;
import io.carillon.servlet.route.ApplicationRouters;
import io.carillon.servlet.session.ApplicationSession;
import io.carillon.servlet.session.SessionLookup;
import io.carillon.servlet.session.TurnTask;
import io.carillon.servlet.timer.ApplicationTimers;
import io.carillon.sip.stack.OutgoingRequest;
import io.carillon.sip.stack.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
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
    private final List<SipURI> listeningPoints;
    private volatile Map<String, Application> byName = Map.of();
    private volatile @Nullable SipApplicationRouter router;

    public Deployments(SipContainer container, ContainerConfig config) {
        this.container = container;
        this.config = config;
        List<SipURI> points = new ArrayList<>();
        for (String text : config.listeningPoints()) {
            try {
                points.add((SipURI) AddressFactory.createURI(text));
            } catch (ServletParseException | ClassCastException e) {
                throw new IllegalArgumentException(
                        "listening point '" + text + "' is no SIP URI", e);
            }
        }
        this.listeningPoints = List.copyOf(points);
    }

    /** The router, opened on first use: an unusable one is told where it is needed first. */
    SipApplicationRouter router() {
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
        ApplicationLoader loader =
                new ApplicationLoader(
                        config.workFolder(),
                        ArchiveLimits.DEFAULT,
                        name -> config.contextParams().getOrDefault(name, Map.of()));
        return begin(loader.load(archive));
    }

    public Application deploy(ApplicationDescription description) throws DeploymentException {
        return begin(Application.of(description));
    }

    private synchronized Application begin(Application application) throws DeploymentException {
        String name = application.name();
        if (byName.containsKey(name)) {
            application.stop();
            throw new DeploymentException(
                    application.archive(), 0, "app-name", "another application is named " + name);
        }
        router();
        application.start(services(application));
        Map<String, Application> next = new LinkedHashMap<>(byName);
        next.put(name, application);
        byName = next;
        router().applicationDeployed(List.of(name));
        return application;
    }

    private ApplicationServices services(Application application) {
        return new ApplicationServices(
                new SipRequests(container, application),
                new ApplicationTimers(application),
                new SessionLookup(container, application),
                listeningPoints,
                List.of("100rel"),
                List.of(
                        "3261", "3262", "3265", "3311", "3327", "3428", "3515", "3581", "4320",
                        "5393", "6026", "6665"));
    }

    public void undeploy(String name) {
        Application gone;
        synchronized (this) {
            Map<String, Application> next = new LinkedHashMap<>(byName);
            gone = next.remove(name);
            if (gone == null) {
                return;
            }
            byName = next;
            router().applicationUndeployed(List.of(name));
        }
        for (ApplicationSession session : container.sessions().all()) {
            if (session.application() == gone) {
                session.submit(
                        new TurnTask() {
                            @Override
                            protected void run() {
                                if (session.isValid()) {
                                    session.end();
                                }
                            }
                        });
            }
        }
        gone.stop();
    }

    public List<Application> all() {
        return List.copyOf(byName.values());
    }

    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    @Nullable Application find(String name) {
        return byName.get(name);
    }

    public void close() {
        for (String name : names().reversed()) {
            undeploy(name);
        }
        SipApplicationRouter open = router;
        if (open != null) {
            try {
                open.destroy();
            } catch (RuntimeException e) {
                LOG.warn("the application router failed in destroy", e);
            }
        }
    }

    // ---- outbound interfaces ----

    public void checkOutbound(InetSocketAddress address) {
        if (address == null) {
            throw new NullPointerException("address");
        }
        for (SipURI point : listeningPoints) {
            if (point.getPort() == address.getPort()
                    && point.getHost().equals(host(address.getAddress()))) {
                return;
            }
        }
        throw new IllegalArgumentException(address + " is not among the outbound interfaces");
    }

    public InetSocketAddress outboundOf(InetAddress address) {
        if (address == null) {
            throw new NullPointerException("address");
        }
        for (SipURI point : listeningPoints) {
            if (point.getHost().equals(host(address))) {
                return new InetSocketAddress(address, point.getPort());
            }
        }
        throw new IllegalArgumentException(address + " is not among the outbound interfaces");
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        return text.indexOf(':') >= 0 ? '[' + text + ']' : text;
    }

    /**
     * The transport of the chosen interface is preferred; its address is the wire's choice by the
     * route to the peer.
     */
    public void addOutbound(OutgoingRequest out, InetSocketAddress chosen) {
        for (SipURI point : listeningPoints) {
            if (point.getPort() == chosen.getPort()
                    && point.getHost().equals(host(chosen.getAddress()))) {
                String transport = point.getTransportParam();
                out.preferred(transport == null ? Transport.UDP : Transport.of(transport));
                return;
            }
        }
    }
}
