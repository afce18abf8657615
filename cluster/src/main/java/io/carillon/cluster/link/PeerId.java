package io.carillon.cluster.link;

/**
 * Numbers of those at the ends of a link: a node has its member's number, a router one behind
 * those.
 */
public final class PeerId {
    /** Of no node. */
    public static final int NONE = 255;

    /** The first router's; router n has this and n. */
    public static final int FIRST_ROUTER = 256;

    /** One more than the highest. */
    public static final int END = 512;

    private PeerId() {}

    /** The number of a router on the link. */
    public static int router(int number) {
        if (number < 0 || number >= END - FIRST_ROUTER) {
            throw new IllegalArgumentException("a router's number is 0 to 255, not " + number);
        }
        return FIRST_ROUTER + number;
    }

    /** Is it a node's? */
    public static boolean isNode(int id) {
        return id >= 0 && id < NONE;
    }

    /** Is it a router's? */
    public static boolean isRouter(int id) {
        return id >= FIRST_ROUTER && id < END;
    }

    /** For people. */
    public static String text(int id) {
        return isRouter(id) ? "router " + (id - FIRST_ROUTER) : "node " + id;
    }
}
