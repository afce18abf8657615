package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.route.ApplicationRouters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.ar.SipApplicationRouter;
import org.jspecify.annotations.Nullable;

/** The applications that take new calls, and the router that chooses among them. Any thread. */
public final class DeployedApplications {
    private final RouterConfig config;
    private final Object opening = new Object();
    private volatile Map<String, Application> byName = Map.of();
    private volatile @Nullable SipApplicationRouter router;
    private boolean closed; // with the monitor

    public DeployedApplications(RouterConfig config) {
        this.config = config;
    }

    /** The router, opened on first use: an unusable one is told where it is needed first. */
    public SipApplicationRouter router() {
        SipApplicationRouter open = router;
        if (open != null) {
            return open;
        }
        synchronized (opening) {
            open = router;
            if (open == null) {
                open = ApplicationRouters.open(config);
                router = open;
            }
            return open;
        }
    }

    /** The router, if anybody has needed it so far. */
    @Nullable SipApplicationRouter openRouter() {
        return router;
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
    public @Nullable Application hold(String name) {
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

    /**
     * From now on that one has its name.
     *
     * @return null when it is too late: the container ends; else the version that it replaces, or
     *     itself when there was none
     */
    synchronized @Nullable Application put(Application application) {
        if (closed) {
            return null;
        }
        Map<String, Application> next = new LinkedHashMap<>(byName);
        Application old = next.put(application.name(), application);
        byName = next;
        return old == null ? application : old;
    }

    /** Nobody has the name from now on; null when nobody had. */
    synchronized @Nullable Application remove(String name) {
        Map<String, Application> next = new LinkedHashMap<>(byName);
        Application gone = next.remove(name);
        if (gone != null) {
            byName = next;
        }
        return gone;
    }

    /** The container ends: no further one is taken. */
    synchronized void close() {
        closed = true;
    }
}
