package io.carillon.servlet.port;

import io.carillon.sip.guard.SourceKey;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whose page the calling thread makes: whom the application sessions count for that it begins
 * outside of any turn. For containers of pages that are not ours, which say so around a request.
 */
public final class PageVisitor {
    private static final ThreadLocal<PageVisitor> SERVED = new ThreadLocal<>();

    private final long source;

    private PageVisitor(long source) {
        this.source = source;
    }

    /** What makes a page. */
    @FunctionalInterface
    public interface Page<E extends Exception> {
        void make() throws E;
    }

    /**
     * Makes a page for a visitor, on this thread.
     *
     * @param address of the visitor in digits; null where it is not known
     */
    public static <E extends Exception> void serve(@Nullable String address, Page<E> page)
            throws E {
        PageVisitor before = SERVED.get();
        SERVED.set(new PageVisitor(source(address)));
        try {
            page.make();
        } finally {
            if (before == null) {
                SERVED.remove();
            } else {
                SERVED.set(before);
            }
        }
    }

    /** The visitor whose page this thread makes; null for none. */
    public static @Nullable PageVisitor served() {
        return SERVED.get();
    }

    /** Its {@link SourceKey}; {@link SessionShares#NOBODY} where it is not known. */
    public long source() {
        return source;
    }

    /**
     * The source that a visitor is.
     *
     * @param address in digits; null where it is not known
     */
    public static long source(@Nullable String address) {
        try {
            return address == null
                    ? SessionShares.NOBODY
                    : SourceKey.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException noAddress) {
            return SessionShares.NOBODY; // it came by no network
        }
    }
}
