package io.carillon.servlet.kernel;

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
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/** The part of {@code javax.servlet.ServletRequest} that SIP has little to say about. */
@SuppressWarnings("DoNotCallSuggester") // they implement an interface
interface RequestDefaults extends SipServletRequest {
    /** The URI whose parameters are this request's. */
    @Nullable Uri parameterUri();

    @Override
    @Nullable ServletContext getServletContext();

    @Override
    default @Nullable String getParameter(String name) {
        return parameterUri() instanceof SipUri uri ? uri.param(name) : null;
    }

    private List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        if (parameterUri() instanceof SipUri uri) {
            uri.paramNames().forEach(names::add);
        }
        return names;
    }

    @Override
    default Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameterNames());
    }

    @Override
    default String @Nullable [] getParameterValues(String name) {
        String value = getParameter(name);
        return value == null ? null : new String[] {value};
    }

    @Override
    default Map<String, String[]> getParameterMap() {
        Map<String, String[]> map = new LinkedHashMap<>();
        for (String name : parameterNames()) {
            String value = getParameter(name);
            map.put(name, new String[] {value == null ? "" : value});
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    default @Nullable String getScheme() {
        Uri uri = parameterUri();
        return uri == null ? null : uri.scheme();
    }

    @Override
    default @Nullable String getServerName() {
        return getLocalAddr();
    }

    @Override
    default int getServerPort() {
        return getLocalPort();
    }

    /** SIP Servlet 1.1: always null, the content is read by {@code getContent}. */
    @Override
    default @Nullable ServletInputStream getInputStream() {
        return null;
    }

    /** As {@link #getInputStream}. */
    @Override
    default @Nullable BufferedReader getReader() {
        return null;
    }

    @Override
    default @Nullable String getRemoteHost() {
        return getRemoteAddr();
    }

    @Override
    default @Nullable String getLocalName() {
        return getLocalAddr();
    }

    @Override
    default Locale getLocale() {
        Locale asked = getAcceptLanguage();
        return asked == null ? Locale.getDefault() : asked;
    }

    @Override
    default Enumeration<Locale> getLocales() {
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
    @Override
    default @Nullable RequestDispatcher getRequestDispatcher(String path) {
        ServletContext context = getServletContext();
        if (context == null) {
            return null;
        }
        return context.getNamedDispatcher(path.startsWith("/") ? path.substring(1) : path);
    }

    @Override
    @Deprecated(since = "2.1")
    default @Nullable String getRealPath(String path) {
        ServletContext context = getServletContext();
        return context == null ? null : context.getRealPath(path);
    }

    @Override
    default long getContentLengthLong() {
        return getContentLength();
    }

    @Override
    default AsyncContext startAsync() {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    @Override
    default AsyncContext startAsync(
            javax.servlet.ServletRequest request, javax.servlet.ServletResponse response) {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    @Override
    default boolean isAsyncStarted() {
        return false;
    }

    @Override
    default boolean isAsyncSupported() {
        return false;
    }

    @Override
    default AsyncContext getAsyncContext() {
        throw new IllegalStateException("SIP requests are always asynchronous");
    }

    @Override
    default DispatcherType getDispatcherType() {
        return DispatcherType.REQUEST;
    }
}
