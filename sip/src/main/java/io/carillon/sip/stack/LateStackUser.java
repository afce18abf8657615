package io.carillon.sip.stack;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the container while the shards are made: the container wants to know the ports that
 * were bound, and the ports are bound with the shards. Set once before the network receives; the
 * loops' start makes it visible to them.
 */
public final class LateStackUser implements StackUser {
    private volatile @Nullable StackUser target;

    /** From now on that one is told; before the first message. */
    public void forwardTo(StackUser user) {
        target = user;
    }

    private StackUser target() {
        StackUser user = target;
        if (user == null) {
            throw new IllegalStateException("a message before the container");
        }
        return user;
    }

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        target().request(shard, transaction, request);
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        return target().ack(shard, ack, from, byToken);
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        target().cancelled(invite, cancel, answered487);
    }

    @Override
    public boolean waits(Shard shard, SipRequest cancel, Hop from, Runnable again, Runnable gone) {
        return target().waits(shard, cancel, from, again, gone);
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        target().strayResponse(shard, response, from);
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        target().ackMissing(invite, final2xx);
    }

    @Override
    public void unanswered(ServerTransaction transaction) {
        target().unanswered(transaction);
    }

    @Override
    public void forwarding(MessageDraft leaving) {
        target().forwarding(leaving);
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        target().prackMissing(invite, provisional);
    }
}
