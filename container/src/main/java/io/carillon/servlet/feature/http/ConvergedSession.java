package io.carillon.servlet.feature.http;

import io.carillon.servlet.port.PageVisitor;
import java.util.Objects;
import javax.servlet.sip.ConvergedHttpSession;
import javax.servlet.sip.SipApplicationSession;
import org.jspecify.annotations.Nullable;

/**
 * What is converged of an HTTP session (SIP Servlet 1.1, 14.3); the rest is the HTTP server's. Any
 * thread.
 */
public abstract class ConvergedSession implements ConvergedHttpSession {
    private final HttpBinding binding;
    private final FrontEnd frontEnd;

    /**
     * @param visitor whose session it is
     */
    @SuppressWarnings("this-escape") // kept, and not looked at before it is complete
    protected ConvergedSession(
            WebSessions applicationSessions, FrontEnd frontEnd, PageVisitor visitor) {
        this.binding = new HttpBinding(applicationSessions, this, this::busy, visitor);
        this.frontEnd = frontEnd;
    }

    /** The path parameter that carries session ids; null where ids do not stand in URLs. */
    protected abstract @Nullable String idParameter();

    /** The id as it stands in URLs: in a cluster the session's node follows. */
    protected abstract String idInUrls();

    /** Whether a request of this session is in progress. Any thread. */
    protected abstract boolean busy();

    /** The application session it belongs to. */
    public final HttpBinding binding() {
        return binding;
    }

    @Override
    public final SipApplicationSession getApplicationSession() {
        return binding.applicationSession();
    }

    @Override
    public final String encodeURL(String url) {
        return SessionUrl.encode(Objects.requireNonNull(url, "url"), idParameter(), idInUrls());
    }

    @Override
    public final String encodeURL(String relativePath, String scheme) {
        return encodeURL(
                frontEnd.absolute(scheme, getServletContext().getContextPath(), relativePath));
    }

    @Override
    public String toString() {
        return "HTTP session " + getId();
    }
}
