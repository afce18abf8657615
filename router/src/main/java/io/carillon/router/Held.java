package io.carillon.router;

import io.carillon.cluster.link.LinkMessage;

/** A message that a router keeps. Owner: {@link Undelivered}. */
final class Held {
    private static final int OVERHEAD_BYTES = 400;

    final LinkMessage message;

    Way way;

    /** Of a request that waits for its answer; 0 for what nobody answers. */
    final long branch;

    /** It came before those with higher ones. */
    final long order;

    final long sinceNanos;

    /** Of the link. Another one when it goes once more to a node that has not got it. */
    long number;

    /** When it went to {@link #node}. */
    long sentNanos;

    long afterNanos = Undelivered.FIRST_NANOS;

    /** Who has got it, or has taken it, and in which life of his. */
    int node;

    long boot;

    /** It has been given to a node. */
    boolean gone;

    boolean taken;

    /** {@link #node} has taken it and is not the owner any more. No other one has got it yet. */
    boolean putBack;

    Held(LinkMessage message, Way way, long branch, long order, long nowNanos) {
        this.message = message;
        this.way = way;
        this.branch = branch;
        this.order = order;
        number = order;
        sinceNanos = nowNanos;
    }

    /** Bytes that a copy of the message takes. */
    static int bytes(LinkMessage message) {
        return OVERHEAD_BYTES + message.keptBytes();
    }

    /** No other one of its way goes before it. */
    boolean isFirst() {
        return way.head() == this;
    }

    boolean old(long nowNanos) {
        return nowNanos - sinceNanos
                > (branch != 0 ? Undelivered.REQUEST_NANOS : Undelivered.MESSAGE_NANOS);
    }

    boolean isAt(int of, long life) {
        return node == of && boot == life;
    }

    /** The answer of who has taken it may be on its way. */
    boolean mayBeAnswered(long nowNanos) {
        return putBack && nowNanos - sentNanos < Undelivered.REPEAT_NANOS;
    }

    void sent(int to, long life, long nowNanos) {
        node = to;
        boot = life;
        sentNanos = nowNanos;
        putBack = false;
    }
}
