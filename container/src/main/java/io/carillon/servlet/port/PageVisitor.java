package io.carillon.servlet.port;

import io.carillon.servlet.turn.Turn;
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
    private final @Nullable String address;
    private final @Nullable Maker maker;

    /** What makes the page, for the log; asked on the thread that makes it. */
    public interface Maker {
        /** Name of the application. */
        String application();

        /** The turn of the application session that the visitor's session belongs to, if any. */
        @Nullable Turn session();
    }

    /**
     * @param source {@link SourceKey}; {@link SessionShares#NOBODY} where it is not known
     * @param origin where what he asks for may be sent to
     */
    public PageVisitor(long source, Origin origin) {
        this(source, origin, null, null);
    }

    private PageVisitor(
            long source, Origin origin, @Nullable String address, @Nullable Maker maker) {
        this.source = source;
        this.origin = origin;
        this.address = address;
        this.maker = maker;
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
        serve(at(address), page);
    }

    /** As {@link #serve(String, Page)}, and lines of the log name what made the page. */
    public static <E extends Exception> void serve(
            @Nullable String address, Maker maker, Page<E> page) throws E {
        PageVisitor visitor = at(address);
        serve(new PageVisitor(visitor.source, visitor.origin, address, maker), page);
    }

    private static <E extends Exception> void serve(PageVisitor visitor, Page<E> page) throws E {
        PageVisitor before = SERVED.get();
        SERVED.set(visitor);
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

    /** What makes the page; null where it does not say. */
    public @Nullable Maker maker() {
        return maker;
    }

    /** Of the visitor, in digits; null where it is not known. */
    public @Nullable String address() {
        return address;
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
