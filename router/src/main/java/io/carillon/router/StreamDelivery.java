package io.carillon.router;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.FrameKind;
import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.TakenNumbers;
import java.util.Arrays;

/**
 * Sees to it that what comes and goes by connections is taken, once: to nodes it is sent again
 * until one has taken it ({@link Undelivered}), to nodes it is said what was taken of theirs.
 *
 * <p>Owner: the router's loop.
 */
final class StreamDelivery implements Undelivered.Again {
    /** Of a request that could not be sent: its Via stands within these. */
    private static final int MOST_HEAD = 2_048;

    private static final byte[] NOTHING = {};

    private final int self;
    private final NodeChoice choice;
    private final LinkStream stream;
    private final RouterCounts counts;
    private final Undelivered undelivered;
    private final TakenNumbers taken = new TakenNumbers();
    private final LinkMessage said = new LinkMessage();
    private long nowNanos;

    StreamDelivery(int self, NodeChoice choice, LinkStream stream, RouterCounts counts) {
        this.self = self;
        this.choice = choice;
        this.stream = stream;
        this.counts = counts;
        this.undelivered = new Undelivered(counts);
    }

    // From clients to nodes

    /**
     * A message is about to go to a node.
     *
     * @param branch {@link Undelivered#key} of a request that will be answered; 0 for all else
     * @return false where it goes later, by itself, as another one goes first
     */
    boolean goes(LinkMessage message, long branch, int node, long now) {
        nowNanos = now;
        undelivered.before(message.partition(), node, now, this);
        return undelivered.keep(message, branch, node, choice.boot(node), now);
    }

    /** No node lives that could have it. */
    void waits(LinkMessage message, long branch, long now) {
        var _ = undelivered.keep(message, branch, PeerId.NONE, 0, now);
    }

    /** Sends again what was not taken; every few milliseconds. */
    void advance(long now) {
        nowNanos = now;
        undelivered.advance(now, this);
    }

    /** A node has taken it, or does not listen to its sender. */
    void acknowledged(LinkMessage by) {
        if (by.act() == FlowAct.ACCEPTED) {
            undelivered.taken(by.number(), by.peer(), nowNanos, this);
        } else {
            undelivered.refused(by.number(), nowNanos, this);
        }
    }

    /** Is there anything that waits for its answer, or for a node to take it? */
    boolean holdsSomething() {
        return !undelivered.isEmpty();
    }

    /**
     * A node answers a request.
     *
     * @param request its {@link Undelivered#key}
     */
    void answered(long request) {
        undelivered.answered(request, nowNanos, this);
    }

    /**
     * A node says that a request is of another partition than its bytes say.
     *
     * @param request its {@link Undelivered#key}
     * @param by the node that says so
     */
    void handedOn(long request, int by, HandedOn to) {
        undelivered.handedOn(request, by, to, nowNanos, this);
    }

    void ended(long connection) {
        undelivered.ended(connection, nowNanos, this);
    }

    @Override
    public int node(int partition) {
        return choice.node(partition, nowNanos);
    }

    @Override
    public long boot(int node) {
        return choice.boot(node);
    }

    @Override
    public void send(int node, LinkMessage held) {
        if (!stream.send(FrameKind.IN, node, held)) {
            counts.count(RouterCounter.DROPPED_NO_SESSION);
        }
    }

    // From nodes to clients

    /** A node's message for a connection: it is told that we have it. False for a repeat. */
    boolean isNew(LinkMessage from) {
        say(from.peer(), from.stream(), from, FlowAct.TAKEN, NOTHING);
        if (taken.has(from.peer(), from.number())) {
            return false;
        }
        taken.add(from.peer(), from.number());
        return true;
    }

    /**
     * RFC 5626 5.3.1: a flow that is gone; the node answers 430, or tries another one. An ACK is
     * for nobody then.
     */
    void failed(int node, LinkMessage of, byte[] head) {
        say(node, 0, of, FlowAct.FAILED, head);
    }

    /** The beginning of a node's request, in which its Via stands. */
    static byte[] head(LinkMessage from) {
        int end = Math.min(from.to(), from.from() + MOST_HEAD);
        return Arrays.copyOfRange(from.bytes(), from.from(), end);
    }

    /**
     * Tells a node something of a connection.
     *
     * @param loop of the node, which hears it
     */
    void say(int node, int loop, LinkMessage of, FlowAct what, byte[] text) {
        said.of(loop)
                .by(self, of.listener(), of.transport())
                .on(of.connection(), of.beside())
                .numbered(of.number())
                .says(what)
                .between(of.remote(), of.local())
                .message(text, 0, text.length);
        if (!stream.send(FrameKind.FLOW, node, said)) {
            counts.count(RouterCounter.DROPPED_NO_SESSION);
        }
        said.forget();
    }
}
