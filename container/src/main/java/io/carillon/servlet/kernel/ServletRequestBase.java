package io.carillon.servlet.kernel;

import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** The part of {@code javax.servlet.ServletRequest} that SIP has little to say about. */
@SuppressWarnings("DoNotCallSuggester") // they implement an interface
abstract class ServletRequestBase extends ServletMessage {
    ServletRequestBase(SipMessage received) {
        super(received);
    }

    ServletRequestBase(MessageDraft draft) {
        super(draft);
    }

    /** The URI whose parameters are this request's. */
    abstract @Nullable Uri parameterUri();

    abstract @Nullable ServletContext servletContext();

    public final @Nullable String getParameter(String name) {
        return parameterUri() instanceof SipUri uri ? uri.param(name) : null;
    }

    private List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        if (parameterUri() instanceof SipUri uri) {
            uri.paramNames().forEach(names::add);
        }
        return names;
    }

    public final Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameterNames());
    }

    public final String @Nullable [] getParameterValues(String name) {
        String value = getParameter(name);
        return value == null ? null : new String[] {value};
    }

    public final Map<String, String[]> getParameterMap() {
        Map<String, String[]> map = new LinkedHashMap<>();
        for (String name : parameterNames()) {
            String value = getParameter(name);
            map.put(name, new String[] {value == null ? "" : value});
        }
        return Collections.unmodifiableMap(map);
    }

    public final @Nullable String getScheme() {
        Uri uri = parameterUri();
        return uri == null ? null : uri.scheme();
    }

    public final @Nullable String getServerName() {
        return getLocalAddr();
    }

    public final int getServerPort() {
        return getLocalPort();
    }

    /** SIP Servlet 1.1: always null, the content is read by {@code getContent}. */
    public final @Nullable ServletInputStream getInputStream() {
        return null;
    }

    /** As {@link #getInputStream}. */
    public final @Nullable BufferedReader getReader() {
        return null;
    }

    public final @Nullable String getRemoteHost() {
        return getRemoteAddr();
    }

    public final @Nullable String getLocalName() {
        return getLocalAddr();
    }

    public final Locale getLocale() {
        Locale asked = getAcceptLanguage();
        return asked == null ? Locale.getDefault() : asked;
    }

    public final Enumeration<Locale> getLocales() {
        List<Locale> all = new ArrayList<>();
        for (Iterator<Locale> asked = getAcceptLanguages(); asked.hasNext(); ) {
            all.add(asked.next());
        }
        if (all.isEmpty()) {
            all.add(Locale.getDefault());
        }
        return Collections.enumeration(all);
    }

    /**
     * SIP requests are not dispatched to resources, but by the name of a servlet: as {@code
     * ServletContext.getNamedDispatcher}, with or without a slash in front.
     */
    public final @Nullable RequestDispatcher getRequestDispatcher(String path) {
        ServletContext context = servletContext();
        if (context == null) {
            return null;
        }
        return context.getNamedDispatcher(path.startsWith("/") ? path.substring(1) : path);
    }

    public final @Nullable String getRealPath(String path) {
        ServletContext context = servletContext();
        return context == null ? null : context.getRealPath(path);
    }

    public final long getContentLengthLong() {
        return getContentLength();
    }

    public final @Nullable ServletContext getServletContext() {
        return servletContext();
    }

    public final AsyncContext startAsync() {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    public final AsyncContext startAsync(
            javax.servlet.ServletRequest request, javax.servlet.ServletResponse response) {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    public final boolean isAsyncStarted() {
        return false;
    }

    public final boolean isAsyncSupported() {
        return false;
    }

    public final AsyncContext getAsyncContext() {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    public final DispatcherType getDispatcherType() {
        return DispatcherType.REQUEST;
    }
}
