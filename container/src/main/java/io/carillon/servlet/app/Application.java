package io.carillon.servlet.app;

import io.carillon.servlet.naming.ApplicationNames;
import io.carillon.servlet.naming.ApplicationNaming;
import io.carillon.servlet.port.Parts;
import io.carillon.servlet.port.Slot;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContextListener;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployed application: its classes, servlets and listeners, from {@link #start} to {@link
 * #stop}.
 *
 * <p>Start and stop belong to one deploying thread at a time; everything else may be called from
 * any thread once {@code start} returned (and from the callbacks within it). Nothing here is shared
 * with another application: a failure ends this one only.
 */
public final class Application {
    private static final Logger LOG = LoggerFactory.getLogger(Application.class);

    private static final long ONE_MINUTE_MILLIS = 60_000;

    /** What JNDI knows of it; JNDI itself does not hold it. */
    private static final Slot<ApplicationNames> NAMES = Slot.of(ApplicationNames.class);

    /** True in the servlet context of a version that is out of service. */
    private static final String RETIRING = "io.carillon.retiring";

    /** Where an application stands. */
    public enum State {
        LOADED,
        STARTING,
        STARTED,
        /** No new calls; its sessions live on, and the last one takes it along. */
        RETIRING,
        STOPPED
    }

    private final ApplicationDescription description;
    private final String archive;
    private final ClassLoader classLoader;
    private final SipServletContext context;
    private final @Nullable Closeable resources;
    private final @Nullable SessionKeyMethod sessionKey;
    private final Set<OldHabit> habits;
    private final MailBodies mailBodies;
    private final LifeCycle life;
    private final ReadyInstances ready;
    private volatile State state = State.LOADED;
    private final Parts parts = new Parts();
    private volatile Listeners listeners = Listeners.NONE;
    private volatile Map<String, NamedServlet> servlets = Map.of();
    private volatile @Nullable NamedServlet main;
    private final ApplicationHolds holds = new ApplicationHolds();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile boolean abandoned;
    private volatile boolean called;
    private final LogPace outlivedCalls = new LogPace(ONE_MINUTE_MILLIS);
    private volatile int version = 1;
    private volatile @Nullable HttpHalf web;

    private Application(
            ApplicationDescription description,
            String archive,
            ClassLoader classLoader,
            SipServletContext context,
            @Nullable Closeable resources)
            throws DeploymentException {
        this.description = description;
        this.archive = archive;
        this.classLoader = classLoader;
        this.context = context;
        this.resources = resources;
        ApplicationKey key = description.key();
        this.sessionKey =
                key == null
                        ? null
                        : SessionKeyMethod.find(key, description.name(), archive, classLoader);
        this.habits = OldHabit.in(description.contextParams());
        this.mailBodies = new MailBodies(description.name(), classLoader);
        this.life = new LifeCycle(description.name(), archive, context);
        this.ready = new ReadyInstances(archive, classLoader, life::doing);
        context.dispatchers(this::dispatcher);
        if (description.execution() == ExecutionMode.ADAPTIVE) {
            parts.put(LoopUse.SLOT, new LoopUse(description.name()));
        }
    }

    /**
     * An application whose classes the container's own loader has: for tests, and for servers that
     * embed Carillon.
     */
    public static Application of(ApplicationDescription description) throws DeploymentException {
        return load(
                description,
                description.name(),
                null,
                null,
                new OfServer(description.name()),
                null);
    }

    /** Has no classes of its own; by it JNDI knows whose names are meant. */
    private static final class OfServer extends ClassLoader {
        OfServer(String name) {
            super("application " + name, Application.class.getClassLoader());
        }
    }

    /** The loader that has the application's own classes: the server's where that embeds it. */
    public ClassLoader ownClasses() {
        return classLoader instanceof OfServer ? Application.class.getClassLoader() : classLoader;
    }

    /**
     * @param archive what messages call it
     * @param root unpacked archive, or null
     * @param tempFolder its {@code javax.servlet.context.tempdir}, or null
     * @param resources closed after the stop: class loader and unpacked files
     */
    static Application load(
            ApplicationDescription description,
            String archive,
            @Nullable Path root,
            @Nullable Path tempFolder,
            ClassLoader classLoader,
            @Nullable Closeable resources)
            throws DeploymentException {
        SipServletContext context =
                new SipServletContext(description, root, tempFolder, classLoader);
        return new Application(description, archive, classLoader, context, resources);
    }

    public String name() {
        return description.name();
    }

    /** Is it that application, be it another version of it? */
    public boolean sameAs(Application other) {
        return this == other || name().equals(other.name());
    }

    /** True once: two calls at the same moment may both be the first. */
    public boolean isFirstCall() {
        if (called) {
            return false;
        }
        called = true;
        return true;
    }

    /** Lines about calls that were up when their application session expired. */
    public LogPace outlivedCalls() {
        return outlivedCalls;
    }

    public ApplicationDescription description() {
        return description;
    }

    /** The archive or folder it came from, as messages call it. */
    public String archive() {
        return archive;
    }

    public SipServletContext context() {
        return context;
    }

    /** What features keep of it; written before the first request. */
    public Parts parts() {
        return parts;
    }

    /** Context class loader of every call into the application. */
    public ClassLoader classLoader() {
        return classLoader;
    }

    public Listeners listeners() {
        return listeners;
    }

    public State state() {
        return state;
    }

    // ---- versions ----

    /** 1 for the first archive deployed under this name, one more for each that replaced it. */
    public int version() {
        return version;
    }

    /** Of the deploying thread, before the start. */
    public void numbered(int number) {
        version = number;
    }

    /** What keeps it from being destroyed. */
    public ApplicationHolds holds() {
        return holds;
    }

    /** Out of service from now on: what belongs to no call may end. */
    public void retiring() {
        if (state == State.STARTED) {
            state = State.RETIRING;
        }
    }

    /**
     * No new calls come from now on.
     *
     * @param unused runs when nothing holds it any more, perhaps more than once, perhaps at once;
     *     on any thread
     */
    public void retire(Runnable unused) {
        retiring();
        holds.whenUnused(unused);
    }

    /**
     * Tells the application that it is out of service, by an attribute of its context: what it
     * keeps up by itself, such as a registration, would otherwise hold it for ever.
     */
    public void tellRetired() {
        if (state == State.RETIRING) {
            life.quietly("being told of " + RETIRING, () -> context.setAttribute(RETIRING, true));
        }
    }

    /** What its start or stop is doing, for people. */
    public String doing() {
        return life.doing();
    }

    /**
     * Its start takes too long and is waited for no more: it never comes into service. What was
     * begun is undone by the thread that began it, if it ever comes back.
     */
    public void abandon() {
        abandoned = true;
    }

    /** The unpacked archive, or null where the application was described in code. */
    public @Nullable Path root() {
        return context.root();
    }

    /** Where HTTP requests to this version come in; null without an HTTP part. */
    public @Nullable HttpHalf web() {
        return web;
    }

    /** The servlet of that name, or null. */
    public @Nullable NamedServlet servlet(String name) {
        return servlets.get(name);
    }

    /** Hands messages to the servlet of that name; null where there is none. */
    public @Nullable RequestDispatcher dispatcher(String name) {
        NamedServlet target = servlet(name);
        return target == null
                ? null
                : new NamedDispatcher(target, has(OldHabit.FORWARD_SETS_HANDLER));
    }

    /** Does it count on that habit of older containers? */
    public boolean has(OldHabit habit) {
        return habits.contains(habit);
    }

    /** Multipart bodies as objects of its own JavaMail. */
    public MailBodies mailBodies() {
        return mailBodies;
    }

    /**
     * The main servlet, or the one of the first mapping that the initial request matches; null when
     * none does.
     */
    public @Nullable NamedServlet handlerFor(SipServletRequest request) {
        NamedServlet chosen = main;
        if (chosen != null) {
            return chosen;
        }
        for (ServletMapping mapping : description.mappings()) {
            if (mapping.rule().matches(request)) {
                return servlets.get(mapping.servletName());
            }
        }
        return null;
    }

    /** Says which application session an initial request belongs to; null: each has its own. */
    public @Nullable SessionKeyMethod sessionKey() {
        return sessionKey;
    }

    /**
     * Makes the instances, injects, tells the {@link ServletContextListener}s, initializes the
     * servlets in the order of load-on-startup.
     *
     * @throws DeploymentException when any of it fails; what was done is undone before
     */
    public void start(ApplicationServices services) throws DeploymentException {
        start(services, null);
    }

    /**
     * The same with an HTTP part: its listeners, filters and servlets start in one order with those
     * of SIP ({@link WebContext#start}); requests come in before this returns.
     *
     * @param half null where the archive has no HTTP part
     */
    public void start(ApplicationServices services, @Nullable HttpHalf half)
            throws DeploymentException {
        if (state != State.LOADED) {
            throw new IllegalStateException("application " + name() + " is " + state);
        }
        state = State.STARTING;
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            context.provide(services);
            ApplicationResources resources =
                    new ApplicationResources(
                            name(), services, context::shown, description.resources());
            resources.warnings().forEach(LOG::warn);
            parts.put(NAMES, resources.names());
            ApplicationNaming.open(classLoader, resources.names());
            ResourceInjection injection = new ResourceInjection(archive, resources);
            if (half != null) {
                web = half;
                half.open(this, injection);
            }
            ReadyInstances.Made made = ready.make(description, injection);
            if (half != null) {
                half.instances(made.byClass());
            }
            heardBy(Listeners.of(made.listening()));
            if (half == null) {
                life.tellContextListeners(listeners);
                startServlets(made);
            } else {
                life.doing("start of the HTTP part");
                startBoth(half, made);
            }
            if (abandoned) {
                throw new DeploymentException(archive, "was started too late");
            }
            state = State.STARTED;
        } catch (DeploymentException failure) {
            undo();
            throw failure;
        } catch (RuntimeException | Error failure) {
            undo();
            throw new DeploymentException(archive, 0, null, "failed to start: " + failure, failure);
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    /**
     * Destroys servlets and tells context listeners, both in reverse order, then lets go of classes
     * and files. Does nothing the second time.
     */
    public void stop() {
        if (state == State.STOPPED || !stopping.compareAndSet(false, true)) {
            return;
        }
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            undo();
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private void startBoth(HttpHalf half, ReadyInstances.Made made) throws DeploymentException {
        half.start(
                new StartOrder() {
                    @Override
                    public void tellListeners() throws DeploymentException {
                        heardBy(listeners.withoutContextOf(half.taken()));
                        life.tellContextListeners(listeners);
                        life.doing("listeners of the HTTP part");
                    }

                    @Override
                    public void startServlets() throws DeploymentException {
                        Application.this.startServlets(made);
                        life.doing("filters and servlets of the HTTP part");
                    }
                });
    }

    private void heardBy(Listeners chosen) {
        listeners = chosen;
        context.listeners(chosen);
    }

    private void startServlets(ReadyInstances.Made made) throws DeploymentException {
        context.initialized();
        Map<String, NamedServlet> named = new LinkedHashMap<>();
        made.servlets().forEach((name, servlet) -> named.put(name, NamedServlet.of(name, servlet)));
        // Before the callbacks: an init may send, and its answer needs a handler.
        servlets = Map.copyOf(named);
        String mainName = description.mainServlet();
        main = mainName == null ? null : named.get(mainName);
        life.initialize(description, named, listeners, parts.get(FirstWork.SLOT));
    }

    private void undo() {
        state = State.STOPPED;
        HttpHalf half = web;
        web = null;
        if (half != null) {
            life.quietly("the end of the HTTP part", () -> half.close(life::destroyServlets));
        }
        life.destroyServlets();
        life.tellContextsDestroyed();
        ready.letGo();
        ApplicationNaming.close(classLoader);
        if (resources != null) {
            try {
                resources.close();
            } catch (IOException e) {
                LOG.warn("application {}: files of {} could not be removed", name(), archive, e);
            }
        }
    }
}
