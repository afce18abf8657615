package io.carillon.cluster.link;

import org.jspecify.annotations.Nullable;

/** What a frame of the link carries. The number is what stands in the frame. */
public enum FrameKind {
    /** Who is there: opens a session, says how its sender is, and where it listens. */
    HELLO(1),
    /** Who owns which partition: a node tells a router. */
    TABLE(2),
    /** A message that came from outside: a router gives it to a node. */
    IN(3),
    /** A message for outside: a node gives it to a router. */
    OUT(4),
    /** A message that came from outside and is another node's: a node gives it to a node. */
    PASS(5),
    /** What nodes agree on: leases, votes. Its content is not the link's business. */
    CONTROL(6),
    /** What routers and nodes tell each other of connections, see {@link FlowAct}. */
    FLOW(7);

    private static final FrameKind[] KINDS = {null, HELLO, TABLE, IN, OUT, PASS, CONTROL, FLOW};

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    /** The number in a frame. */
    public int code() {
        return code;
    }

    /** The kind of that number; null for none. */
    static @Nullable FrameKind of(int code) {
        return code < KINDS.length ? KINDS[code] : null;
    }
}
