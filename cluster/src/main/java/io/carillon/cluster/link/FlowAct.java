package io.carillon.cluster.link;

import org.jspecify.annotations.Nullable;

/** What a frame about a connection says. The number is what stands in the frame. */
public enum FlowAct {
    // A router tells a node.
    /** The message of that number has been taken, and will be written. */
    TAKEN(1),
    /** A request could not be sent: its beginning is in the frame. */
    FAILED(2),
    /** The connection has ended. */
    CLOSED(3),
    /** That name is reached by the connection; by none where its number is 0. */
    FOUND(4),

    // A node tells a router.
    /** The message of that number has been taken. */
    ACCEPTED(17),
    /**
     * The message of that number is not listened to: its source sends too much, or is banned. Its
     * connection shall end.
     */
    REFUSED(18),
    /** By which connection is that name reached? */
    FIND(19),
    /** That name is reached by the connection. */
    NAMED(20),
    /** Who is at its other end belongs here; the number is the user's. */
    PROVED(21),
    /** Datagrams of that source come in a flood that is not listened to: they may end there. */
    UNHEARD(22),
    /**
     * A request of the connection is of a call in another partition, and another node answers for
     * it, as the number says ({@link HandedOn}): its beginning is in the frame.
     */
    HANDED_ON(23);

    private static final FlowAct[] ACTS = new FlowAct[32];

    static {
        for (FlowAct each : values()) {
            ACTS[each.code] = each;
        }
    }

    private final int code;

    FlowAct(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Does a router say so? */
    public boolean ofRouter() {
        return code < ACCEPTED.code;
    }

    /** The one of that number; null for none. */
    static @Nullable FlowAct of(int code) {
        return code < ACTS.length ? ACTS[code] : null;
    }
}
