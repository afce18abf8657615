package io.carillon.servlet.port;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Origin;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whose page the calling thread makes: whom the application sessions count for that it begins
 * outside of any turn, and on whose behalf it sends. For containers of pages that are not ours,
 * which say so around a request.
 */
public final class PageVisitor {
    private static final ThreadLocal<PageVisitor> SERVED = new ThreadLocal<>();

    /** One of whom nothing is known. */
    public static final PageVisitor UNKNOWN = new PageVisitor(SessionShares.NOBODY, Origin.OUTSIDE);

    private final long source;
    private final Origin origin;

    /**
     * @param source {@link SourceKey}; {@link SessionShares#NOBODY} where it is not known
     * @param origin where what he asks for may be sent to
     */
    public PageVisitor(long source, Origin origin) {
        this.source = source;
        this.origin = origin;
    }

    /**
     * One at that address.
     *
     * @param address in digits; null where it is not known
     */
    public static PageVisitor at(@Nullable String address) {
        try {
            return address == null ? UNKNOWN : at(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException noAddress) {
            return UNKNOWN; // it came by no network
        }
    }

    private static PageVisitor at(InetAddress address) {
        Origin origin =
                address.isLoopbackAddress()
                        ? Origin.LOOPBACK
                        : address.isLinkLocalAddress() ? Origin.LINK_LOCAL : Origin.OUTSIDE;
        return new PageVisitor(SourceKey.of(address), origin);
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
        SERVED.set(at(address));
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

    /** Where what he asks for may be sent to. */
    public Origin origin() {
        return origin;
    }
}
