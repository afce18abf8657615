package io.carillon.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
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

    /** A request whose body ends with an error where it is too long: chunks say no length. */
    private static final class Bounded extends HttpServletRequestWrapper {
        private boolean tooLarge;

        Bounded(HttpServletRequest request) {
            super(request);
        }

        boolean isTooLarge() {
            return tooLarge;
        }

        @Override
        public BufferedReader getReader() throws IOException {
            String named = getCharacterEncoding();
            Charset set = named == null ? StandardCharsets.ISO_8859_1 : Charset.forName(named);
            return new BufferedReader(new InputStreamReader(getInputStream(), set));
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            ServletInputStream whole = super.getInputStream();
            return new ServletInputStream() {
                private int left = MOST;

                @Override
                public int read() throws IOException {
                    int read = whole.read();
                    count(read < 0 ? 0 : 1);
                    return read;
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    int read = whole.read(into, from, length);
                    count(Math.max(0, read));
                    return read;
                }

                private void count(int read) throws IOException {
                    left -= read;
                    if (left < 0) {
                        tooLarge = true;
                        throw new IOException("the body has more than " + MOST + " bytes");
                    }
                }

                @Override
                public boolean isFinished() {
                    return whole.isFinished();
                }

                @Override
                public boolean isReady() {
                    return whole.isReady();
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    whole.setReadListener(listener);
                }
            };
        }
    }
}
