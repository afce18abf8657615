package io.carillon.cluster.link;

/**
 * The number of a connection that ends at a router, as nodes know it: it names the router, so that
 * a message for it finds its way, and is no number of a connection of the node's own. It stands in
 * hops and in flow tokens (RFC 5626 5.2).
 */
public final class FlowNumber {
    private static final long MARK = 1L << 62;
    private static final int ROUTER_AT = 54;
    private static final long CONNECTION = (1L << ROUTER_AT) - 1;

    private FlowNumber() {}

    /**
     * As {@link io.carillon.sip.hop.Hop#byRouter} tells it.
     *
     * @param router see {@link PeerId}
     * @param connection its number at the router; 0 stays 0, for none
     */
    public static long of(int router, long connection) {
        return connection == 0
                ? 0
                : MARK
                        | ((long) (router - PeerId.FIRST_ROUTER) << ROUTER_AT)
                        | (connection & CONNECTION);
    }

    /** Stands for all connections of a router. */
    public static long allOf(int router) {
        return MARK | ((long) (router - PeerId.FIRST_ROUTER) << ROUTER_AT);
    }

    /** Does it end at a router? */
    public static boolean isOne(long number) {
        return number >>> 62 == 1;
    }

    /** The router, see {@link PeerId}. */
    public static int router(long number) {
        return PeerId.FIRST_ROUTER + ((int) (number >>> ROUTER_AT) & 0xFF);
    }

    /** The connection's number at the router. */
    public static long connection(long number) {
        return number & CONNECTION;
    }
}
