package io.carillon.web;

import io.carillon.boot.CountedBody;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;

/**
 * Refuses bodies that no request of the API has: what reads JSON would take all there is into
 * memory first. Any thread.
 */
final class SmallBodies implements Filter {
    /** A destination has 200 characters at most, a password as many. */
    static final int MOST = 16 * 1024;

    private static final byte[] PROBLEM =
            ("{\"type\":\"urn:carillon:problem:too-large\",\"title\":\"Content Too"
                            + " Large\",\"status\":413,\"detail\":\"No request here has more than "
                            + MOST
                            + " bytes.\"}")
                    .getBytes(StandardCharsets.UTF_8);

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        if (http.getContentLengthLong() > MOST) {
            refuse(answer);
            return;
        }
        Bounded bounded = new Bounded(http);
        chain.doFilter(bounded, response);
        if (bounded.isTooLarge() && !response.isCommitted()) {
            response.resetBuffer();
            refuse(answer);
        }
    }

    private static void refuse(HttpServletResponse response) throws IOException {
        response.setStatus(HttpStatus.CONTENT_TOO_LARGE.value());
        response.setContentType("application/problem+json");
        response.setContentLength(PROBLEM.length);
        response.getOutputStream().write(PROBLEM);
    }

    /** A request whose body ends with an error where it is too long. */
    private static final class Bounded extends CountedBody {
        private long read;

        Bounded(HttpServletRequest request) {
            super(request);
        }

        boolean isTooLarge() {
            return read > MOST;
        }

        @Override
        protected void counted(int bytes) throws IOException {
            read += bytes;
            if (isTooLarge()) {
                throw new IOException("the body has more than " + MOST + " bytes");
            }
        }
    }
}
