package io.carillon.boot;

import io.carillon.pojo.SipScopes;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.sip.SipApplicationSession;

/**
 * Opens the scope of the visitor's application session around a request, so that a page gets the
 * same beans and the same injected session as the handlers. Application sessions that the page
 * begins count for its visitor; where there is no room for them it is answered with 503. Any
 * thread.
 */
final class SipSessionFilter implements Filter {
    private static final String RETRY_AFTER_SECONDS = "5";

    private final SipWeb web;

    SipSessionFilter(SipWeb web) {
        this.web = web;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            PageVisitor.<Exception>serve(
                    request.getRemoteAddr(), () -> inScope(request, response, chain));
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            if (forWantOfRoom(e)
                    && response instanceof HttpServletResponse http
                    && !http.isCommitted()) {
                http.setHeader("Retry-After", RETRY_AFTER_SECONDS);
                http.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
                return;
            }
            throw thrown(e);
        }
    }

    private static ServletException thrown(Exception e) {
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return e instanceof ServletException known ? known : new ServletException(e);
    }

    private void inScope(ServletRequest request, ServletResponse response, FilterChain chain)
            throws Exception {
        Optional<SipApplicationSession> session =
                request instanceof HttpServletRequest http ? web.find(http) : Optional.empty();
        if (session.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        SipScopes.within(
                session.get(),
                () -> {
                    chain.doFilter(request, response);
                    return true;
                });
    }

    private static boolean forWantOfRoom(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof NoRoom) {
                return true;
            }
        }
        return false;
    }
}
