package io.carillon.sip.stack;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;

/** Stands above a shard that receives nothing, as all messages are taken before it. */
public final class NoUser implements StackUser {
    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        throw new IllegalStateException("the shard received " + request.method());
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        return true; // never called
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        // Never called.
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        // Never called.
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        // Never called.
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        // Never called.
    }
}
