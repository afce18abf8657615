package io.carillon.servlet.app;

import io.carillon.servlet.port.ApplicationRecords;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import javax.servlet.Filter;
import javax.servlet.FilterRegistration;
import javax.servlet.RequestDispatcher;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletRegistration;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import javax.servlet.descriptor.JspConfigDescriptor;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The servlet context of an application that has SIP only.
 *
 * <p>What looks for something of HTTP (a dispatcher by path, a registration) finds nothing; what
 * adds or sets it throws {@link UnsupportedOperationException} and says so. Safe for any thread.
 */
public final class SipServletContext implements ServletContext {
    private static final String HTTP_ONLY =
            " belongs to HTTP, and this application has no HTTP side";

    private final String name;
    private final String displayName;
    private final ArchiveFiles files;
    private final ClassLoader classLoader;
    private final ApplicationLog log;
    private final Map<String, String> initParams;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private volatile Listeners listeners = Listeners.NONE;
    private volatile Function<String, @Nullable RequestDispatcher> dispatchers = name -> null;
    private volatile boolean initialized;
    private volatile ServletContext shown = this;

    /**
     * @param root unpacked archive; null when the application was described in code
     * @param tempFolder the application's own folder for temporary files, or null for none
     */
    SipServletContext(
            ApplicationDescription description,
            @Nullable Path root,
            @Nullable Path tempFolder,
            ClassLoader classLoader) {
        this.name = description.name();
        this.displayName = description.displayName();
        this.files = new ArchiveFiles(name, root);
        this.classLoader = classLoader;
        this.log =
                new ApplicationLog(
                        LoggerFactory.getLogger("io.carillon.application." + name),
                        System::nanoTime);
        this.initParams =
                Collections.synchronizedMap(new LinkedHashMap<>(description.contextParams()));
        if (tempFolder != null) {
            attributes.put(TEMPDIR, tempFolder.toFile());
        }
    }

    /** Shows the container's services as the attributes that the SIP Servlet API names. */
    @SuppressWarnings("deprecation") // PRACK_SUPPORTED: old applications still look for it
    void provide(ApplicationServices services) {
        attributes.put(SipServlet.SIP_FACTORY, services.sipFactory());
        attributes.put(SipServlet.TIMER_SERVICE, services.timerService());
        attributes.put(SipServlet.SIP_SESSIONS_UTIL, services.sipSessionsUtil());
        attributes.put(SipServlet.OUTBOUND_INTERFACES, services.outboundInterfaces());
        attributes.put(SipServlet.SUPPORTED, services.supported());
        attributes.put(SipServlet.SUPPORTED_RFCs, services.supportedRfcs());
        attributes.put(SipServlet.PRACK_SUPPORTED, services.supported().contains("100rel"));
        if (services.records() != null) {
            attributes.put(ApplicationRecords.ATTRIBUTE, services.records());
        }
    }

    /** What the application sees: this, or the context of both halves where it has an HTTP part. */
    public ServletContext shown() {
        return shown;
    }

    /** The context of both halves. */
    public void shown(ServletContext both) {
        shown = both;
    }

    @Nullable Path root() {
        return files.root();
    }

    void listeners(Listeners value) {
        listeners = value;
    }

    /** How a servlet is reached by its name. */
    void dispatchers(Function<String, @Nullable RequestDispatcher> lookup) {
        dispatchers = lookup;
    }

    /** From here on init parameters stand. */
    void initialized() {
        initialized = true;
    }

    @Override
    public String getContextPath() {
        return "/" + name;
    }

    @Override
    public @Nullable ServletContext getContext(String uriPath) {
        return null; // the servlet specification's answer of a container that keeps applications
        // apart
    }

    @Override
    public int getMajorVersion() {
        return 4;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public int getEffectiveMajorVersion() {
        return 4;
    }

    @Override
    public int getEffectiveMinorVersion() {
        return 0;
    }

    @Override
    public @Nullable String getMimeType(String file) {
        return java.net.URLConnection.guessContentTypeFromName(file);
    }

    @Override
    public @Nullable Set<String> getResourcePaths(String path) {
        return files.paths(path);
    }

    @Override
    public @Nullable URL getResource(String path) throws MalformedURLException {
        return files.url(path);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
        try {
            return files.open(path);
        } catch (IOException e) {
            log.warn("cannot open " + path, e);
            return null;
        }
    }

    @Override
    public @Nullable String getRealPath(String path) {
        return files.realPath(path);
    }

    /**
     * Lines that {@link #log} writes in a second; 0 for no limit. Before the application starts.
     *
     * @param leftOut counts the lines over the limit
     */
    public void logLimit(int linesPerSecond, LongAdder leftOut) {
        log.limit(linesPerSecond, leftOut);
    }

    @Override
    public void log(String message) {
        log.info(message);
    }

    @Override
    @Deprecated
    public void log(Exception exception, String message) {
        log.warn(message, exception);
    }

    @Override
    public void log(String message, Throwable thrown) {
        log.warn(message, thrown);
    }

    @Override
    public String getServerInfo() {
        String version = SipServletContext.class.getPackage().getImplementationVersion();
        return version == null ? "Carillon" : "Carillon/" + version;
    }

    @Override
    public @Nullable String getInitParameter(String key) {
        return initParams.get(key);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        synchronized (initParams) {
            return Collections.enumeration(List.copyOf(initParams.keySet()));
        }
    }

    @Override
    public boolean setInitParameter(String key, String value) {
        if (initialized) {
            throw new IllegalStateException(
                    "init parameters stand once the context is initialized");
        }
        return initParams.putIfAbsent(key, value) == null;
    }

    @Override
    public @Nullable Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(List.copyOf(attributes.keySet()));
    }

    @Override
    public void setAttribute(String key, @Nullable Object value) {
        if (value == null) {
            removeAttribute(key);
            return;
        }
        Object old = attributes.put(key, value);
        ServletContextAttributeEvent event =
                new ServletContextAttributeEvent(shown, key, old == null ? value : old);
        for (ServletContextAttributeListener listener : listeners.contextAttributes()) {
            if (old == null) {
                listener.attributeAdded(event);
            } else {
                listener.attributeReplaced(event);
            }
        }
    }

    @Override
    public void removeAttribute(String key) {
        Object old = attributes.remove(key);
        if (old != null) {
            ServletContextAttributeEvent event = new ServletContextAttributeEvent(shown, key, old);
            for (ServletContextAttributeListener listener : listeners.contextAttributes()) {
                listener.attributeRemoved(event);
            }
        }
    }

    @Override
    public String getServletContextName() {
        return displayName;
    }

    @Override
    public ClassLoader getClassLoader() {
        return classLoader;
    }

    @Override
    public String getVirtualServerName() {
        return "carillon";
    }

    @Override
    public void declareRoles(String... roles) {
        throw httpOnly("declareRoles");
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // deprecated by the servlet specification, not by us
    public @Nullable Servlet getServlet(String servletName) {
        return null; // always, says the servlet specification
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // deprecated by the servlet specification, not by us
    public Enumeration<Servlet> getServlets() {
        return Collections.emptyEnumeration(); // always, says the servlet specification
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // deprecated by the servlet specification, not by us
    public Enumeration<String> getServletNames() {
        return Collections.emptyEnumeration(); // always, says the servlet specification
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(String servletName) {
        return dispatchers.apply(servletName);
    }

    private static UnsupportedOperationException httpOnly(String method) {
        return new UnsupportedOperationException("ServletContext." + method + HTTP_ONLY);
    }

    /**
     * Its Javadoc: "returns null if the ServletContext cannot return a RequestDispatcher". SIP
     * servlets have no paths; {@link #getNamedDispatcher} finds them.
     */
    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        return null;
    }

    @Override
    public ServletRegistration.Dynamic addServlet(String servletName, String className) {
        throw httpOnly("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addServlet(String servletName, Servlet servlet) {
        throw httpOnly("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addServlet(
            String servletName, Class<? extends Servlet> type) {
        throw httpOnly("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addJspFile(String servletName, String jspFile) {
        throw httpOnly("addJspFile");
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> type) {
        throw httpOnly("createServlet");
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(String servletName) {
        return null; // there is none
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return Map.of();
    }

    @Override
    public FilterRegistration.Dynamic addFilter(String filterName, String className) {
        throw httpOnly("addFilter");
    }

    @Override
    public FilterRegistration.Dynamic addFilter(String filterName, Filter filter) {
        throw httpOnly("addFilter");
    }

    @Override
    public FilterRegistration.Dynamic addFilter(String filterName, Class<? extends Filter> type) {
        throw httpOnly("addFilter");
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> type) {
        throw httpOnly("createFilter");
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(String filterName) {
        return null; // there is none
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return Map.of();
    }

    @Override
    public SessionCookieConfig getSessionCookieConfig() {
        throw httpOnly("getSessionCookieConfig");
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> modes) {
        throw httpOnly("setSessionTrackingModes");
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        throw httpOnly("getDefaultSessionTrackingModes");
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        throw httpOnly("getEffectiveSessionTrackingModes");
    }

    @Override
    public void addListener(String className) {
        throw listenersAreDeclared();
    }

    @Override
    public <T extends EventListener> void addListener(T listener) {
        throw listenersAreDeclared();
    }

    @Override
    public void addListener(Class<? extends EventListener> type) {
        throw listenersAreDeclared();
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> type) {
        throw listenersAreDeclared();
    }

    private static UnsupportedOperationException listenersAreDeclared() {
        return new UnsupportedOperationException(
                "listeners of a SIP application are declared in sip.xml or by @SipListener");
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return null; // there is none
    }

    @Override
    public int getSessionTimeout() {
        throw httpOnly("getSessionTimeout");
    }

    @Override
    public void setSessionTimeout(int minutes) {
        throw httpOnly("setSessionTimeout");
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return null; // there is none
    }

    @Override
    public void setRequestCharacterEncoding(String encoding) {
        throw httpOnly("setRequestCharacterEncoding");
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return null; // there is none
    }

    @Override
    public void setResponseCharacterEncoding(String encoding) {
        throw httpOnly("setResponseCharacterEncoding");
    }
}
