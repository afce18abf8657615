package io.carillon.server.http;

import io.carillon.servlet.feature.http.ConvergedSession;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.WebSessions;
import io.carillon.servlet.port.PageVisitor;
import java.util.Collections;
import java.util.Enumeration;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpSessionContext;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.session.ManagedSession;
import org.jspecify.annotations.Nullable;

/** What an application sees of an HTTP session of Jetty's. Any thread. */
@SuppressWarnings("InlineMeSuggester") // the deprecated members are the interface's
final class JettySession extends ConvergedSession implements Session.API {
    /** The sessions of its web context. */
    interface Home {
        String getSessionIdPathParameterName();

        /** The id of a session of it, as it stands in URLs. */
        String idInUrls(ManagedSession session);

        /** The servlet context of the application. */
        ServletContext context();
    }

    private final ManagedSession session;
    private final Home home;

    JettySession(
            ManagedSession session,
            Home home,
            WebSessions applicationSessions,
            FrontEnd frontEnd,
            PageVisitor visitor) {
        super(applicationSessions, frontEnd, visitor);
        this.session = session;
        this.home = home;
    }

    @Override
    protected @Nullable String idParameter() {
        String name = home.getSessionIdPathParameterName();
        return "none".equals(name) ? null : name;
    }

    @Override
    protected String idInUrls() {
        return home.idInUrls(session);
    }

    @Override
    protected boolean busy() {
        return session.getRequests() > 0;
    }

    @Override
    public ManagedSession getSession() {
        return session;
    }

    @Override
    public long getCreationTime() {
        return session.getCreationTime();
    }

    @Override
    public String getId() {
        return session.getId();
    }

    @Override
    public long getLastAccessedTime() {
        return session.getLastAccessedTime();
    }

    @Override
    public ServletContext getServletContext() {
        return home.context();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        session.setMaxInactiveInterval(seconds);
    }

    @Override
    public int getMaxInactiveInterval() {
        return session.getMaxInactiveInterval();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return session.getAttribute(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(session.getAttributeNameSet());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        session.setAttribute(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        session.removeAttribute(name);
    }

    @Override
    public void invalidate() {
        session.invalidate();
    }

    @Override
    public boolean isNew() {
        return session.isNew();
    }

    @Override
    @Deprecated
    public @Nullable HttpSessionContext getSessionContext() {
        return null; // gone from the servlet specification since 2.1
    }

    @Override
    @Deprecated
    public @Nullable Object getValue(String name) {
        return getAttribute(name);
    }

    @Override
    @Deprecated
    public String[] getValueNames() {
        return session.getAttributeNameSet().toArray(new String[0]);
    }

    @Override
    @Deprecated
    public void putValue(String name, Object value) {
        setAttribute(name, value);
    }

    @Override
    @Deprecated
    public void removeValue(String name) {
        removeAttribute(name);
    }
}
