package io.carillon.boot;

import io.carillon.net.address.HostNames;
import io.carillon.sip.guard.LimitedLog;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;

/**
 * Refuses requests to a name that is not ours, before anything else looks at them: a page of
 * another site, whose name leads to this machine for a while, is of the same origin as ours for a
 * browser. Any thread.
 */
public final class KnownHosts implements Filter, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger(KnownHosts.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** RFC 9110 section 15.5.20: not a server of that name. */
    private static final int MISDIRECTED_REQUEST = 421;

    private static final byte[] PROBLEM =
            ("{\"type\":\"urn:carillon:problem:unknown-host\",\"title\":\"Misdirected"
                            + " Request\",\"status\":421,\"detail\":\"This server is not known by"
                            + " that name: carillon.web.hosts lists its names.\"}")
                    .getBytes(StandardCharsets.UTF_8);

    /** Before everything but what reads the headers of a proxy in front. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

    private final HostNames names;
    private final LongAdder refused = new LongAdder();
    private final LimitedLog told = new LimitedLog(PAUSE_NANOS);

    /**
     * @param configured host names; {@code .example.com} stands for all below it, {@code *} for all
     */
    public KnownHosts(List<String> configured) {
        this.names = new HostNames(configured);
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String name = request.getServerName();
        if (name == null || names.knows(name)) {
            chain.doFilter(request, response);
            return;
        }
        refused.increment();
        tell(name);
        if (response instanceof HttpServletResponse http) {
            http.setStatus(MISDIRECTED_REQUEST);
            http.setContentType("application/problem+json");
            http.setContentLength(PROBLEM.length);
            http.getOutputStream().write(PROBLEM);
        }
    }

    private void tell(String name) {
        if (told.admit(System.nanoTime()) >= 0) {
            String shown = name.substring(0, Math.min(100, name.length()));
            LOG.warn(
                    "Refused a request to '{}', {} since the start: carillon.web.hosts names the"
                            + " hosts by which this server is known",
                    shown.replaceAll("[^!-~]", "?"),
                    refused.sum());
        }
    }

    /** Requests to a name that is not ours, since the start. */
    public long refused() {
        return refused.sum();
    }
}
