package io.carillon.servlet.port;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Origin;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for a page. What the thread that serves it begins, outside of any turn, is on his
 * behalf. Immutable; any thread.
 *
 * @param source {@link SourceKey}; {@link SessionShares#NOBODY} where it is not known
 * @param origin where what he asks for may be sent to
 */
public record Visitor(long source, Origin origin) {
    /** One of whom nothing is known. */
    public static final Visitor UNKNOWN = new Visitor(SessionShares.NOBODY, Origin.OUTSIDE);

    private static final ThreadLocal<@Nullable Visitor> SERVED = new ThreadLocal<>();

    /** One at that address. */
    public static Visitor at(InetAddress address) {
        Origin origin =
                address.isLoopbackAddress()
                        ? Origin.LOOPBACK
                        : address.isLinkLocalAddress() ? Origin.LINK_LOCAL : Origin.OUTSIDE;
        return new Visitor(SourceKey.of(address), origin);
    }

    /** Whom the calling thread serves; null for nobody. */
    public static @Nullable Visitor current() {
        return SERVED.get();
    }

    /**
     * From now on the calling thread serves that one.
     *
     * @return whom it served before
     */
    public static @Nullable Visitor serve(@Nullable Visitor visitor) {
        Visitor before = SERVED.get();
        SERVED.set(visitor);
        return before;
    }
}
