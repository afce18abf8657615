package io.carillon.boot;

import io.carillon.sip.guard.SourceKey;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.springframework.core.Ordered;

/**
 * Bounds the bodies of requests: what reads JSON takes all there is into memory before anybody
 * looks at it. One is no longer than {@code carillon.web.max-request} (413); those that are being
 * read have together a room in the heap (503). Once half of it is taken, a source has a quarter of
 * what others leave of it. A body counts for what was read of it, until its request is answered.
 *
 * <p>Who reads a body that comes slowly has a thread of the server's for so long. So there is a
 * number of those that are read at once, and of it a source has as many as it leaves free (503):
 * the other threads are for pages.
 *
 * <p>Any thread, one lock; a source is remembered for as long as it has a body here.
 */
final class BoundedBodies implements Filter, Ordered {
    private static final int PART_OF_SOURCE = 4;
    private static final String RETRY_AFTER_SECONDS = "5";

    private final long most;
    private final long room;
    private final int atOnce;
    private final LongPredicate trusted;

    // Guarded by this.
    private final Map<Long, Long> bySource = new HashMap<>();
    private final Map<Long, Integer> readBySource = new HashMap<>();
    private long taken;
    private int read;

    /**
     * @param most bytes of a body
     * @param room bytes of all bodies that are being read
     * @param atOnce bodies that are being read
     * @param trusted sources by their {@link SourceKey}, which have no share
     */
    BoundedBodies(long most, long room, int atOnce, LongPredicate trusted) {
        this.most = most;
        this.room = room;
        this.atOnce = atOnce;
        this.trusted = trusted;
    }

    @Override
    public int getOrder() {
        return KnownHosts.ORDER + 1;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        if (http.getContentLengthLong() > most) {
            answer.sendError(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
            return;
        }
        Bounded body = new Bounded(http);
        try {
            chain.doFilter(body, response);
        } finally {
            body.ended();
            release(body.source, body.read);
        }
        if (body.refusal != 0 && !answer.isCommitted()) {
            answer.resetBuffer();
            answer.setHeader("Retry-After", RETRY_AFTER_SECONDS);
            answer.sendError(body.refusal);
        }
    }

    private static long source(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        try {
            return address == null ? 0 : SourceKey.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException noAddress) {
            return 0; // it came by no network
        }
    }

    private synchronized boolean take(long source, int bytes) {
        long own = bySource.getOrDefault(source, 0L) + bytes;
        long all = taken + bytes;
        boolean scarce = all > room / 2;
        long left = room - (all - own);
        if (all > room || (scarce && own > left / PART_OF_SOURCE && !trusted.test(source))) {
            return false;
        }
        taken = all;
        bySource.put(source, own);
        return true;
    }

    private synchronized boolean begins(long source) {
        int own = readBySource.getOrDefault(source, 0);
        int free = atOnce - read;
        if (free <= 0 || (own >= free && !trusted.test(source))) {
            return false;
        }
        read++;
        readBySource.put(source, own + 1);
        return true;
    }

    private synchronized void ends(long source) {
        read--;
        readBySource.computeIfPresent(source, (one, own) -> own == 1 ? null : own - 1);
    }

    private synchronized void release(long source, long bytes) {
        if (bytes > 0) {
            taken -= bytes;
            bySource.computeIfPresent(source, (one, own) -> own == bytes ? null : own - bytes);
        }
    }

    /** A request whose body ends with an error where it may not be longer. Of one thread. */
    private final class Bounded extends CountedBody {
        private final long source;
        private long read;
        private boolean reads;
        private boolean ended;
        private int refusal;

        Bounded(HttpServletRequest request) {
            super(request);
            this.source = source(request);
        }

        @Override
        protected void reads() throws IOException {
            if (!reads && !ended) {
                if (!begins(source)) {
                    refusal = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
                    throw new IOException("too many bodies are being read");
                }
                reads = true;
            }
        }

        @Override
        protected void ended() {
            ended = true;
            if (reads) {
                reads = false;
                ends(source);
            }
        }

        @Override
        protected void counted(int bytes) throws IOException {
            if (read + bytes > most) {
                refusal = HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE;
                throw new IOException("the body has more than " + most + " bytes");
            }
            if (!take(source, bytes)) {
                refusal = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
                throw new IOException("there is no room for more bodies");
            }
            read += bytes;
        }
    }
}
