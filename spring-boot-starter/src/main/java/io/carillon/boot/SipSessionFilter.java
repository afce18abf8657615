package io.carillon.boot;

import io.carillon.pojo.SipScopes;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.sip.SipApplicationSession;

/**
 * Opens the scope of the visitor's application session around a request, so that a page gets the
 * same beans and the same injected session as the handlers. Any thread.
 */
final class SipSessionFilter implements Filter {
    private final SipWeb web;

    SipSessionFilter(SipWeb web) {
        this.web = web;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<SipApplicationSession> session =
                request instanceof HttpServletRequest http ? web.find(http) : Optional.empty();
        if (session.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        try {
            SipScopes.within(
                    session.get(),
                    () -> {
                        chain.doFilter(request, response);
                        return true;
                    });
        } catch (IOException | ServletException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
