package io.carillon.boot;

import io.carillon.telemetry.spans.CallTraces;
import io.carillon.telemetry.spans.Page;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The trace of a call that a page begins starts with that page's request. Any thread. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PageSpanFilter implements Filter {
    private final CallTraces traces;

    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    PageSpanFilter(CallTraces traces) {
        this.traces = traces;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        Page page = traces.page(http.getMethod(), path(http), traceparent(http));
        page.enter();
        String failure = "an exception";
        try {
            chain.doFilter(request, response);
            failure = null;
        } finally {
            page.leave();
            if (failure == null && request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new End(page, answer));
            } else {
                page.ended(answer.getStatus(), failure);
            }
        }
    }

    /** Without parameters of its parts: one is the session's id where there is no cookie. */
    private static String path(HttpServletRequest request) {
        return PARAMETERS.matcher(request.getRequestURI()).replaceAll("");
    }

    private @Nullable String traceparent(HttpServletRequest request) {
        String told = request.getHeader("traceparent");
        return told != null
                        && traces.named(
                                new InetSocketAddress(
                                        request.getRemoteAddr(), request.getRemotePort()))
                ? told
                : null;
    }

    /** A request that is answered later. */
    private record End(Page page, HttpServletResponse answer) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            page.ended(answer.getStatus(), null);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            page.ended(answer.getStatus(), "it took too long");
        }

        @Override
        public void onError(AsyncEvent event) {
            page.ended(answer.getStatus(), "an exception");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
