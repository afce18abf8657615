package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationLoader;
import io.carillon.servlet.app.ApplicationServices;
import io.carillon.servlet.app.ArchiveLimits;
import io.carillon.servlet.app.ArchiveName;
import io.carillon.servlet.app.ContextParams;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.FirstWork;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.http.ApplicationWebSessions;
import io.carillon.servlet.feature.http.HttpPart;
import io.carillon.servlet.feature.http.WebHalf;
import io.carillon.servlet.feature.http.WebSide;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.feature.security.Gate;
import io.carillon.servlet.feature.timer.ApplicationTimers;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.SessionLookup;
import io.carillon.servlet.port.ApplicationRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.servlet.sip.ar.SipApplicationRouter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The applications and the router that chooses between them. Looking takes a snapshot.
 *
 * <p>Any thread. Code of an application never runs under a lock that another application needs:
 * while it begins, the lock of its own name is held; the map of all changes under a monitor of its
 * own, and what the router is told under a lock that is waited for no longer than a beginning may
 * take.
 */
public final class Deployments {
    private static final Logger LOG = LoggerFactory.getLogger(Deployments.class);

    private final SessionHost host;
    private final NewSessions newSessions;
    private final ContainerConfig config;
    private final ApiObjects objects;
    private final DeployedApplications deployed;
    private final FeatureSettings settings;
    private final Features features;
    private final ApplicationCalls calls;
    private final CallbackLimits limits;
    private final RetiredApplications retired;

    /** One for each name that was ever deployed. */
    private final Map<String, Name> names = new ConcurrentHashMap<>();

    private final ReentrantLock telling = new ReentrantLock();
    private volatile @Nullable WebSide web;

    /** Deployments under one name, one after the other. */
    private static final class Name {
        final ReentrantLock turn = new ReentrantLock();

        /** Of the last version that started; with the lock. */
        int version;
    }

    public Deployments(
            NewSessions newSessions,
            ContainerConfig config,
            ApiObjects objects,
            DeployedApplications deployed,
            FeatureSettings settings,
            Features features,
            ApplicationCalls calls) {
        this.host = newSessions.host();
        this.newSessions = newSessions;
        this.config = config;
        this.objects = objects;
        this.deployed = deployed;
        this.settings = settings;
        this.features = features;
        this.calls = calls;
        this.limits = new CallbackLimits(this.host.counters());
        this.retired = new RetiredApplications(this.host, limits);
    }

    /**
     * How long an application's beginning and end may take ({@code init}, {@code destroy},
     * listeners, static initializers); then its thread is interrupted and waited for no more. Null,
     * both: no limit, on the thread that deploys. Before the first deployment.
     */
    public void limitCallbacks(@Nullable Duration init, @Nullable Duration destroy) {
        limits.set(init, destroy);
    }

    /** Names of the threads of applications' beginnings and ends that hang. */
    public List<String> callbacksLeftBehind() {
        return limits.leftBehind();
    }

    /** What becomes of a version that has the name already. */
    private enum Present {
        STAYS,
        GIVES_WAY_TO_ITS_ARCHIVE,
        GIVES_WAY
    }

    public Application deploy(Path archive) throws DeploymentException {
        return begin(load(archive, false), Present.STAYS, null);
    }

    public Application deploy(ApplicationDescription description) throws DeploymentException {
        return begin(Application.of(description), Present.STAYS, null);
    }

    /** Deploys, or takes the place of the version of that name. */
    public Application replace(Path archive, @Nullable Duration limit) throws DeploymentException {
        return begin(load(archive, true), Present.GIVES_WAY, limit);
    }

    /** The same for another version of the archive that runs; another archive is refused. */
    public Application redeploy(Path archive, @Nullable Duration limit) throws DeploymentException {
        return begin(load(archive, true), Present.GIVES_WAY_TO_ITS_ARCHIVE, limit);
    }

    public Application replace(ApplicationDescription description, @Nullable Duration limit)
            throws DeploymentException {
        return begin(Application.of(description), Present.GIVES_WAY, limit);
    }

    private Application load(Path archive, boolean copy) throws DeploymentException {
        ApplicationLoader loader = loader();
        AtomicReference<@Nullable Application> loaded = new AtomicReference<>();
        limits.begin(
                String.valueOf(archive.getFileName()),
                () -> loaded.set(copy ? loader.loadCopy(archive) : loader.load(archive)),
                () -> "reading the archive",
                () -> {
                    Application late = loaded.get();
                    if (late != null) {
                        late.stop();
                    }
                });
        return Objects.requireNonNull(loaded.get(), "a loaded application");
    }

    private ApplicationLoader loader() {
        return new ApplicationLoader(
                config.workFolder(),
                ArchiveLimits.DEFAULT,
                name -> ContextParams.of(config.contextParams(), name),
                objects::shares);
    }

    /**
     * The new version starts while the old one serves; from one moment on, initial requests are the
     * new one's.
     */
    private Application begin(Application application, Present present, @Nullable Duration limit)
            throws DeploymentException {
        Name name = names.computeIfAbsent(application.name(), n -> new Name());
        Application old;
        take(name, application);
        try {
            Application running = deployed.find(application.name());
            if (running != null && !givesWay(present, running, application)) {
                application.stop();
                throw taken(application, running);
            }
            deployed.router(); // an unusable one is told before anything starts
            start(application, name.version + 1);
            old = publish(application);
            name.version++;
        } finally {
            name.turn.unlock();
        }
        if (old != null) {
            retired.add(old, limit);
        }
        return application;
    }

    /** Waits for a deployment of the same name, which itself has a limit. */
    private void take(Name name, Application application) throws DeploymentException {
        if (!limits.lock(name.turn)) {
            application.stop();
            throw new DeploymentException(
                    application.archive(),
                    0,
                    "app-name",
                    "others deploy "
                            + application.name()
                            + " already; try again when they are done");
        }
    }

    private static boolean givesWay(Present present, Application running, Application next) {
        return switch (present) {
            case STAYS -> false;
            case GIVES_WAY_TO_ITS_ARCHIVE ->
                    ArchiveName.sameArchive(running.archive(), next.archive());
            case GIVES_WAY -> true;
        };
    }

    private static DeploymentException taken(Application application, Application running) {
        return new DeploymentException(
                application.archive(),
                0,
                "app-name",
                "another application is named "
                        + application.name()
                        + ": that of "
                        + running.archive());
    }

    private void start(Application application, int version) throws DeploymentException {
        application.numbered(version);
        Gate gate = gate(application);
        if (gate != null) {
            gate.guard(application);
        }
        application.context().logLimit(settings.applicationLog(), host.counters().logLinesLeftOut);
        SessionTimers timers = sessionTimers(application);
        if (timers != null) {
            timers.keep(application);
        }
        features.handlerLoads().keep(application);
        FirstWork first = host.parts().get(FirstWork.SLOT);
        if (first != null) {
            application.parts().put(FirstWork.SLOT, first);
        }
        application
                .context()
                .setAttribute(SerialWork.ATTRIBUTE, new SerialWork(calls, application));
        application.context().setAttribute(LogFields.ATTRIBUTE, new LogFields());
        application
                .context()
                .setAttribute(
                        OwnHosts.ATTRIBUTE,
                        new OwnHosts(application, features.security(), () -> host.shards().some()));
        objects.starting(application);
        ApplicationServices services = services(application);
        WebHalf half = webHalf(application);
        try {
            limits.begin(
                    application.archive(),
                    () -> application.start(services, half),
                    application::doing,
                    () -> undoLate(application));
        } catch (DeploymentException e) {
            application.abandon();
            CallEnding.drop(host.tables(), application); // what its init had begun
            throw e;
        }
    }

    /** Its start came to an end that nobody waits for any more. */
    private void undoLate(Application application) {
        application.stop();
        CallEnding.drop(host.tables(), application);
        LOG.warn("the start of {}, which took too long, has ended", application.archive());
    }

    /** From now on initial requests come to it; returns the version that it replaces. */
    private @Nullable Application publish(Application application) throws DeploymentException {
        String name = application.name();
        boolean alone = tellingBegins();
        try {
            Application old = deployed.put(application);
            if (old == null) {
                limits.end(application);
                throw new DeploymentException(application.archive(), "the server stops");
            }
            tellRouter(alone, open -> open.applicationDeployed(List.of(name)));
            return old == application ? null : old;
        } finally {
            tellingEnds(alone);
        }
    }

    /**
     * What is changed and told to the router has one order; unless the router hangs with what it
     * was told before, which then holds up nobody for long. False: the router hears nothing.
     */
    private boolean tellingBegins() {
        return limits.lock(telling);
    }

    private void tellingEnds(boolean alone) {
        if (alone) {
            telling.unlock();
        }
    }

    /** What a router throws here must not undo what is done. */
    private void tellRouter(boolean alone, Consumer<SipApplicationRouter> what) {
        SipApplicationRouter open = deployed.router();
        String name = open.getClass().getName();
        if (!alone) {
            LOG.error("the application router {} was not told of a change: it hangs", name);
            return;
        }
        limits.tell(
                "the application router " + name,
                () -> {
                    try {
                        what.accept(open);
                    } catch (RuntimeException | LinkageError e) {
                        LOG.error("the application router {} failed", name, e);
                    }
                });
    }

    private @Nullable SessionTimers sessionTimers(Application application)
            throws DeploymentException {
        try {
            return SessionTimers.of(
                    settings.sessionTimers().with(application.description().contextParams()));
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
                        features.security(),
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
        return new WebHalf(side, new ApplicationWebSessions(host, newSessions, application));
    }

    /** Who serves HTTP; before the first deployment. */
    public void web(WebSide side) {
        web = side;
    }

    private ApplicationServices services(Application application) {
        return new ApplicationServices(
                objects.factory(
                        new SipRequests(
                                newSessions, host.shards(), features.backToBack(), application),
                        application),
                new ApplicationTimers(application),
                objects.sessionsUtil(
                        new SessionLookup(host.tables(), newSessions, application), application),
                host.outboundInterfaces().listeningPoints(),
                List.of("100rel", "path", "outbound"),
                List.of(
                        "3261", "3262", "3265", "3311", "3327", "3428", "3515", "3581", "4320",
                        "5393", "5626", "6026", "6665"),
                settings.dataSource(),
                ownRecords(application));
    }

    private @Nullable Consumer<Map<String, ?>> ownRecords(Application application) {
        ApplicationRecords taker = settings.records();
        return taker == null
                ? null
                : fields -> taker.write(application.name(), application.version(), fields);
    }

    /** Takes it out of service and ends its sessions; nobody is told BYE. */
    public void undeploy(String name) {
        Application gone = remove(name);
        if (gone != null) {
            retired.add(gone, null);
            CallEnding.drop(host.tables(), gone);
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

    private @Nullable Application remove(String name) {
        boolean alone = tellingBegins();
        try {
            Application gone = deployed.remove(name);
            if (gone != null) {
                tellRouter(alone, open -> open.applicationUndeployed(List.of(name)));
            }
            return gone;
        } finally {
            tellingEnds(alone);
        }
    }

    /** Versions whose last calls are still running. */
    public List<Application> retiring() {
        return retired.all();
    }

    /** Ends all; with limits it returns within them, whatever hangs. */
    public void close() {
        deployed.close();
        limits.closing();
        retired.closing();
        for (String name : deployed.names().reversed()) {
            undeploy(name);
        }
        retired.close();
        SipApplicationRouter open = deployed.openRouter();
        if (open != null) {
            limits.tell("destroy of the application router", () -> destroy(open));
        }
    }

    private static void destroy(SipApplicationRouter open) {
        try {
            open.destroy();
        } catch (RuntimeException e) {
            LOG.warn("the application router failed in destroy", e);
        }
    }
}
