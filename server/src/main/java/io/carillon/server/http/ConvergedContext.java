package io.carillon.server.http;

import io.carillon.servlet.app.StartOrder;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.WebPart;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import org.eclipse.jetty.ee8.servlet.DefaultServlet;
import org.eclipse.jetty.ee8.servlet.ListenerHolder;
import org.eclipse.jetty.ee8.servlet.ServletHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.ee8.servlet.ServletMapping;
import org.eclipse.jetty.ee8.servlet.listener.IntrospectorCleaner;
import org.eclipse.jetty.ee8.webapp.FragmentConfiguration;
import org.eclipse.jetty.ee8.webapp.MetaInfConfiguration;
import org.eclipse.jetty.ee8.webapp.WebAppContext;
import org.eclipse.jetty.ee8.webapp.WebInfConfiguration;
import org.eclipse.jetty.ee8.webapp.WebXmlConfiguration;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The web context of one version of an application: Jetty's, with the class loader, the servlet
 * context's content and the instances that the SIP half has. Started and stopped by the deploying
 * thread.
 */
final class ConvergedContext extends WebAppContext {
    private static final String[] JSPS = {"*.jsp", "*.jspf", "*.jspx", "*.JSP", "*.JSPF", "*.JSPX"};
    private static final int SESSION_SECONDS = 30 * 60;
    private static final int MAX_FORM_BYTES = 200_000;
    private static final int MAX_FORM_KEYS = 1_000;

    private final WebPart application;
    private final ConvergedSessions sessions;
    private @Nullable StartOrder order;
    private @Nullable Runnable servletsGone;

    /**
     * @param path begins with a slash
     */
    ConvergedContext(WebPart application, String path, FrontEnd frontEnd) {
        super(null, path, null, null, null, new PlainErrorPages(), SESSIONS | SECURITY);
        this.application = application;
        _apiContext = new BothHalves();
        setBaseResourceAsPath(application.root());
        setClassLoader(application.classLoader());
        setDisplayName(application.name());
        setDefaultsDescriptor(null);
        setConfigurations(
                new org.eclipse.jetty.ee8.webapp.Configuration[] {
                    new WebInfConfiguration(),
                    new WebXmlConfiguration(),
                    new MetaInfConfiguration(),
                    new FragmentConfiguration(),
                    new WebAnnotations(application)
                });
        sessions = new ConvergedSessions(application.sessions(), frontEnd, this::getServletContext);
        setSessionHandler(sessions);
        getSessionHandler().setMaxInactiveInterval(SESSION_SECONDS);
        setWelcomeFiles(new String[] {"index.html", "index.htm"});
        addDefaults();
        setThrowUnavailableOnStartupException(true);
        setMaxFormContentSize(MAX_FORM_BYTES);
        setMaxFormKeys(MAX_FORM_KEYS);
    }

    /**
     * What every web context has before its own web.xml is read: files of the archive, no listings
     * of folders, no text of JSPs. By class, as the application's loader does not see ours.
     */
    private void addDefaults() {
        ServletHolder files = new ServletHolder("default", DefaultServlet.class);
        files.setInitParameter("dirAllowed", "false");
        files.setInitParameter("etags", "true");
        files.setInitParameter("useFileMappedBuffer", "false");
        files.setInitOrder(0);
        addDefault(files, "/");
        addDefault(new ServletHolder("jsp", NoJspServlet.class), JSPS);
        getServletHandler().addListener(new ListenerHolder(IntrospectorCleaner.class));
    }

    private void addDefault(ServletHolder servlet, String... patterns) {
        ServletMapping mapping = new ServletMapping();
        mapping.setServletName(servlet.getName());
        mapping.setPathSpecs(patterns);
        mapping.setFromDefaultDescriptor(true);
        getServletHandler().addServlet(servlet);
        getServletHandler().addServletMapping(mapping);
    }

    /** The application's name. */
    String application() {
        return application.name();
    }

    /**
     * Whether somebody who opens the context's path sees a page: a welcome file is there, or a
     * servlet of the application answers for it (Servlet 4.0, 10.10 and 12.2). Else our servlet for
     * files refuses to list the folder.
     */
    boolean hasFirstPage() {
        if (hasServlet("/")) {
            return true;
        }
        for (String welcome : getWelcomeFiles()) {
            Resource file = getCoreContextHandler().getBaseResource().resolve(welcome);
            if (Resources.exists(file) || hasServlet("/" + welcome)) {
                return true;
            }
        }
        return false;
    }

    /** One of the application's. */
    private boolean hasServlet(String path) {
        MatchedResource<ServletHandler.MappedServlet> found =
                getServletHandler().getMatchedServlet(path);
        return found != null && !found.getResource().getServletHolder().getName().equals("default");
    }

    /** The HTTP sessions. */
    ConvergedSessions sessions() {
        return sessions;
    }

    void order(StartOrder between) {
        order = between;
    }

    void servletsGone(Runnable told) {
        servletsGone = told;
    }

    /** The application's own loader, which sees neither Jetty nor anything else of the server. */
    @Override
    protected ClassLoader configureClassLoader(ClassLoader loader) {
        return loader;
    }

    /** Listeners of both halves, then the SIP servlets; Jetty goes on with filters and servlets. */
    @Override
    public void contextInitialized() throws Exception {
        StartOrder between = order;
        order = null;
        if (between != null) {
            between.tellListeners();
        }
        super.contextInitialized();
        if (between != null) {
            between.startServlets();
        }
    }

    /** Servlets and filters are gone; SIP servlets follow, then the listeners. */
    @Override
    public void contextDestroyed() throws Exception {
        Runnable gone = servletsGone;
        servletsGone = null;
        if (gone != null) {
            gone.run();
        }
        super.contextDestroyed();
    }

    /** The servlet context that both halves see. */
    private final class BothHalves extends WebAppContext.Context {
        private ServletContext shared() {
            return application.shared();
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            Object found = shared().getAttribute(name);
            return found != null ? found : super.getAttribute(name);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            Set<String> names = new LinkedHashSet<>(Collections.list(shared().getAttributeNames()));
            names.addAll(Collections.list(super.getAttributeNames()));
            return Collections.enumeration(names);
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            shared().setAttribute(name, value);
            super.setAttribute(name, value);
        }

        @Override
        public void removeAttribute(String name) {
            shared().removeAttribute(name);
            super.removeAttribute(name);
        }

        @Override
        public @Nullable String getInitParameter(String name) {
            String found = shared().getInitParameter(name);
            return found != null ? found : super.getInitParameter(name);
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            Set<String> names =
                    new LinkedHashSet<>(Collections.list(shared().getInitParameterNames()));
            names.addAll(Collections.list(super.getInitParameterNames()));
            return Collections.enumeration(names);
        }

        @Override
        public boolean setInitParameter(String name, String value) {
            return shared().getInitParameter(name) == null && super.setInitParameter(name, value);
        }

        @Override
        public @Nullable RequestDispatcher getNamedDispatcher(String name) {
            RequestDispatcher sip = shared().getNamedDispatcher(name);
            return sip != null ? sip : super.getNamedDispatcher(name);
        }

        @Override
        public String getServerInfo() {
            return shared().getServerInfo();
        }

        @Override
        public void log(String message) {
            shared().log(message);
        }

        @Override
        @Deprecated
        public void log(Exception exception, String message) {
            shared().log(message, exception);
        }

        @Override
        public void log(String message, Throwable thrown) {
            shared().log(message, thrown);
        }

        /** JSR 289: a class that both halves declare has one instance. */
        @Override
        public <T> T createInstance(Class<T> type) throws ServletException {
            Object made = application.takeInstance(type);
            return made != null
                    ? getObjectFactory().decorate(type.cast(made))
                    : super.createInstance(type);
        }
    }
}
