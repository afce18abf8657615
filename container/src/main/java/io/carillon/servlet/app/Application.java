package io.carillon.servlet.app;

import io.carillon.servlet.http.WebContext;
import io.carillon.servlet.http.WebHalf;
import io.carillon.servlet.naming.ApplicationNaming;
import io.carillon.servlet.refresh.SessionTimers;
import io.carillon.servlet.security.Gate;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EventListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.Servlet;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
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
    private static final int DESTROYED = Integer.MIN_VALUE / 2;

    /** True in the servlet context of a version that is out of service. */
    private static final String RETIRING = "io.carillon.retiring";

    private static final Class<?>[] BRANCH_RESPONSE = {SipServletResponse.class};

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
    private final @Nullable Method keyMethod;
    private final ReadyInstances ready;
    private volatile State state = State.LOADED;
    private volatile @Nullable Gate gate;
    private volatile @Nullable SessionTimers sessionTimers;
    private volatile Listeners listeners = Listeners.NONE;
    private volatile Map<String, NamedServlet> servlets = Map.of();
    private volatile @Nullable NamedServlet main;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger heldForHttp = new AtomicInteger();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile @Nullable Runnable whenUnused;
    private volatile int version = 1;
    private volatile @Nullable WebHalf web;

    // Of the deploying thread: what has to be undone, in order.
    private final List<NamedServlet> initialized = new ArrayList<>();
    private final List<ServletContextListener> contextsTold = new ArrayList<>();

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
        this.keyMethod = keyMethod();
        this.ready = new ReadyInstances(archive);
        context.servlets(this::servlet);
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
                new ClassLoader(
                        "application " + description.name(),
                        Application.class
                                .getClassLoader()) {}, // by it JNDI knows whose names are meant
                null);
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

    /** What stands before its servlets; null when its descriptor constrains nothing. */
    public @Nullable Gate gate() {
        return gate;
    }

    /** Before the first request. */
    public void guardedBy(@Nullable Gate chosen) {
        gate = chosen;
    }

    /** Who keeps the time of its sessions (RFC 4028); null where it does so itself. */
    public @Nullable SessionTimers sessionTimers() {
        return sessionTimers;
    }

    /** Before the first request. */
    public void timedBy(@Nullable SessionTimers chosen) {
        sessionTimers = chosen;
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

    /**
     * Keeps the application from being destroyed: one hold for each application session, one for an
     * initial request on its way to its session, and one for an HTTP request in progress.
     *
     * @return false when it is destroyed already, and nothing of it may be called
     */
    public boolean hold() {
        int now;
        do {
            now = held.get();
            if (now < 0) {
                return false;
            }
        } while (!held.compareAndSet(now, now + 1));
        return true;
    }

    /** Gives a hold back; the last one of a retiring application ends it. */
    public void release() {
        if (held.decrementAndGet() == 0) {
            Runnable unused = whenUnused;
            if (unused != null) {
                unused.run();
            }
        }
    }

    /** As {@link #hold}, for an HTTP request in progress. */
    public boolean holdForHttp() {
        if (!hold()) {
            return false;
        }
        heldForHttp.incrementAndGet();
        return true;
    }

    /** Gives the hold of an HTTP request back. */
    public void releaseFromHttp() {
        heldForHttp.decrementAndGet();
        release();
    }

    /** Application sessions now, and initial requests that wait for theirs. */
    public int holds() {
        return Math.max(0, held.get() - heldForHttp.get());
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
        whenUnused = unused;
        if (held.get() == 0) {
            unused.run();
        }
    }

    /**
     * Tells the application that it is out of service, by an attribute of its context: what it
     * keeps up by itself, such as a registration, would otherwise hold it for ever.
     */
    public void tellRetired() {
        if (state == State.RETIRING) {
            quietly("being told of " + RETIRING, () -> context.setAttribute(RETIRING, true));
        }
    }

    /** Claims the end of an unused application; true once, and no hold is given after it. */
    public boolean claimEnd() {
        return held.compareAndSet(0, DESTROYED);
    }

    /** The unpacked archive, or null where the application was described in code. */
    public @Nullable Path root() {
        return context.root();
    }

    /** Where HTTP requests to this version come in; null without an HTTP part. */
    public @Nullable WebHalf web() {
        return web;
    }

    /** The servlet of that name, or null. */
    public @Nullable NamedServlet servlet(String name) {
        return servlets.get(name);
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

    /** Whether {@link #sessionKey} has anything to ask. */
    public boolean hasSessionKey() {
        return keyMethod != null;
    }

    /**
     * The key of the application session that an initial request belongs to, as the method
     * annotated {@code @SipApplicationKey} says; null for a session of its own.
     *
     * @throws ServletException when that method throws
     */
    public @Nullable String sessionKey(SipServletRequest request) throws ServletException {
        if (keyMethod == null) {
            return null;
        }
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            return (String) keyMethod.invoke(null, request);
        } catch (InvocationTargetException e) {
            throw new ServletException(
                    "@SipApplicationKey "
                            + keyMethod.getName()
                            + " of application "
                            + name()
                            + " failed",
                    e.getCause());
        } catch (IllegalAccessException e) {
            throw new ServletException(
                    "@SipApplicationKey "
                            + keyMethod.getName()
                            + " of application "
                            + name()
                            + " cannot be called",
                    e);
        } finally {
            thread.setContextClassLoader(outside);
        }
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
    public void start(ApplicationServices services, @Nullable WebHalf half)
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
            ApplicationNaming.open(classLoader, resources.names());
            ResourceInjection injection = new ResourceInjection(archive, resources);
            if (half != null) {
                web = half;
                half.open(this, injection);
            }
            Map<String, Servlet> made = makeInstances(injection);
            if (half == null) {
                tellContextListeners();
                context.initialized();
                initialize(made);
            } else {
                startBoth(half, made);
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

    private void startBoth(WebHalf half, Map<String, Servlet> made) throws DeploymentException {
        half.start(
                new WebContext.Order() {
                    @Override
                    public void tellListeners() throws DeploymentException {
                        listeners = listeners.withoutContextOf(half.taken());
                        context.listeners(listeners);
                        tellContextListeners();
                    }

                    @Override
                    public void startServlets() throws DeploymentException {
                        context.initialized();
                        initialize(made);
                    }
                });
    }

    private Map<String, Servlet> makeInstances(ResourceInjection injection)
            throws DeploymentException {
        Map<String, Object> byClass = new HashMap<>();
        Map<String, Servlet> made = new LinkedHashMap<>();
        List<EventListener> listening = new ArrayList<>();
        for (ServletDescription servlet : inOrder()) {
            Servlet instance =
                    servlet.maker() != null
                            ? servlet.maker().get()
                            : make(
                                    servlet.className(),
                                    SipServlet.class,
                                    "servlet " + servlet.name());
            made.put(servlet.name(), instance);
            byClass.putIfAbsent(servlet.className(), instance);
            ready.prepare(instance, injection);
        }
        for (String className : new LinkedHashSet<>(description.listenerClasses())) {
            // JSR 289, servlet life cycle: a class that is both servlet and listener has one
            // instance.
            Object instance = byClass.get(className);
            if (instance == null) {
                instance = make(className, EventListener.class, "listener " + className);
                byClass.put(className, instance);
                ready.prepare(instance, injection);
            }
            if (!(instance instanceof EventListener listener)) {
                throw new DeploymentException(
                        archive,
                        0,
                        "listener " + className,
                        "the class implements no listener interface");
            }
            listening.add(listener);
        }
        WebHalf half = web;
        if (half != null) {
            half.instances(byClass);
        }
        listening.addAll(description.listeners());
        listeners = Listeners.of(listening);
        context.listeners(listeners);
        warnOfUnboundListeners(made, listening);
        return made;
    }

    private void warnOfUnboundListeners(Map<String, Servlet> made, List<EventListener> listening) {
        for (Servlet servlet : made.values()) {
            List<String> types = Listeners.sipTypesOf(servlet.getClass());
            if (!types.isEmpty() && !listening.contains(servlet)) {
                LOG.warn(
                        "application {}: {} implements {} but is not declared as a listener (<listener> or @SipListener): it will not be called",
                        name(),
                        servlet.getClass().getName(),
                        types);
            }
        }
    }

    private <T> T make(String className, Class<T> type, String element) throws DeploymentException {
        try {
            Class<?> loaded = Class.forName(className, true, classLoader);
            if (!type.isAssignableFrom(loaded)) {
                throw new DeploymentException(
                        archive, 0, element, className + " is no " + type.getName());
            }
            return type.cast(loaded.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    "class " + className + " is not in WEB-INF/classes or WEB-INF/lib",
                    e);
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    className
                            + " must be public, not abstract, with a public constructor without parameters",
                    e);
        } catch (InvocationTargetException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    "the constructor of " + className + " threw " + e.getCause(),
                    e.getCause());
        } catch (LinkageError e) {
            throw new DeploymentException(
                    archive, 0, element, className + " cannot be linked: " + missing(e), e);
        }
    }

    /** A class that is absent is named, with the way out. */
    private static String missing(LinkageError e) {
        String name = e.getMessage();
        return e instanceof NoClassDefFoundError && name != null && name.indexOf(' ') < 0
                ? name.replace('/', '.') + " is not in the archive; put its jar into WEB-INF/lib"
                : e.toString();
    }

    /** An exception that is meant for people by its text, any other with the place it came from. */
    private static String thrown(Throwable e) {
        if (e instanceof ServletException && e.getMessage() != null) {
            return "ServletException: " + e.getMessage();
        }
        StackTraceElement[] trace = e.getStackTrace();
        if (trace.length == 0) {
            return e.toString();
        }
        StackTraceElement at = trace[0];
        return e
                + " at "
                + at.getClassName()
                + '.'
                + at.getMethodName()
                + '('
                + at.getFileName()
                + ':'
                + at.getLineNumber()
                + ')';
    }

    /** load-on-startup 0 and up ascending, then the others; both in the order of declaration. */
    private List<ServletDescription> inOrder() {
        List<ServletDescription> ordered = new ArrayList<>(description.servlets());
        ordered.sort((a, b) ->
                Integer.compare(
                        a.loadOnStartup() < 0 ? Integer.MAX_VALUE : a.loadOnStartup(),
                        b.loadOnStartup() < 0 ? Integer.MAX_VALUE : b.loadOnStartup()));
        return ordered;
    }

    private void tellContextListeners() throws DeploymentException {
        ServletContextEvent event = new ServletContextEvent(context.shown());
        for (ServletContextListener listener : listeners.contexts()) {
            try {
                contextsTold.add(listener);
                listener.contextInitialized(event);
            } catch (RuntimeException | Error e) {
                contextsTold.removeLast();
                throw new DeploymentException(
                        archive,
                        0,
                        "listener " + listener.getClass().getName(),
                        "contextInitialized threw " + e,
                        e);
            }
        }
    }

    private void initialize(Map<String, Servlet> made) throws DeploymentException {
        Map<String, NamedServlet> ready = new LinkedHashMap<>();
        for (Map.Entry<String, Servlet> entry : made.entrySet()) {
            ready.put(
                    entry.getKey(),
                    new NamedServlet(
                            entry.getKey(),
                            entry.getValue(),
                            overridesBranchResponse(entry.getValue().getClass())));
        }
        servlets =
                Map.copyOf(ready); // before the callbacks: an init may send, and its answer needs a
        // handler
        String mainName = description.mainServlet();
        main = mainName == null ? null : ready.get(mainName);
        for (ServletDescription servlet : inOrder()) {
            NamedServlet named = ready.get(servlet.name());
            if (named != null) {
                initialize(servlet, named);
            }
        }
    }

    private void initialize(ServletDescription servlet, NamedServlet named)
            throws DeploymentException {
        String element = "servlet " + servlet.name();
        try {
            named.servlet().init(new SipServletConfig(servlet, context.shown()));
            initialized.add(named);
            if (named.servlet() instanceof SipServlet sip) {
                for (SipServletListener listener : listeners.servlets()) {
                    listener.servletInitialized(new SipServletContextEvent(context.shown(), sip));
                }
            }
        } catch (ServletException | RuntimeException | Error e) {
            String where =
                    initialized.contains(named) ? "servletInitialized threw " : "init threw ";
            throw new DeploymentException(archive, 0, element, where + thrown(e), e);
        }
    }

    private static boolean overridesBranchResponse(Class<?> type) {
        for (Class<?> c = type; c != null && c != SipServlet.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals("doBranchResponse")
                        && Arrays.equals(method.getParameterTypes(), BRANCH_RESPONSE)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void undo() {
        state = State.STOPPED;
        WebHalf half = web;
        web = null;
        if (half != null) {
            quietly("the end of the HTTP part", () -> half.close(this::destroyServlets));
        }
        destroyServlets();
        ServletContextEvent event = new ServletContextEvent(context.shown());
        for (ServletContextListener listener : contextsTold.reversed()) {
            quietly(
                    "contextDestroyed of " + listener.getClass().getName(),
                    () -> listener.contextDestroyed(event));
        }
        contextsTold.clear();
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

    private void destroyServlets() {
        for (NamedServlet named : initialized.reversed()) {
            quietly("destroy of servlet " + named.name(), named.servlet()::destroy);
        }
        initialized.clear();
    }

    /** A failing destroy must not keep the rest alive: it is logged, and the stop goes on. */
    private void quietly(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("application {}: {} failed", name(), what, e);
        }
    }

    private @Nullable Method keyMethod() throws DeploymentException {
        ApplicationKey key = description.key();
        if (key == null) {
            return null;
        }
        String element = "@SipApplicationKey " + key.className() + "." + key.methodName();
        try {
            Method method =
                    Class.forName(key.className(), false, classLoader)
                            .getMethod(key.methodName(), SipServletRequest.class);
            if (method.getReturnType() != String.class
                    || !java.lang.reflect.Modifier.isStatic(method.getModifiers())) {
                throw new DeploymentException(archive, 0, element, AnnotationScan.KEY_RULE);
            }
            method.setAccessible(true);
            return method;
        } catch (ClassNotFoundException | NoSuchMethodException | LinkageError e) {
            throw new DeploymentException(archive, 0, element, AnnotationScan.KEY_RULE, e);
        }
    }
}
