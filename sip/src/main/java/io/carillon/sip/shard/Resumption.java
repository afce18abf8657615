package io.carillon.sip.shard;

import io.carillon.sip.client.Repeatable;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/** INVITEs that another node has received, or sent, and that go on at a shard of this one. */
public final class Resumption {
    private final ClientSide clients;
    private final IncomingRequests requests;
    private final ResponseIntake responses;

    Resumption(ClientSide clients, IncomingRequests requests, ResponseIntake responses) {
        this.clients = clients;
        this.requests = requests;
        this.responses = responses;
    }

    /** One that it has sent; any thread. See {@link ClientSide#resume}. */
    public RequestAttempt sent(OutgoingRequest request, SipRequest sent, Hop to) {
        return clients.resume(request, sent, to);
    }

    /** One that it has received; on the shard's thread. See {@link IncomingRequests#resume}. */
    public Repeatable.@Nullable Received received(SipRequest invite, Hop from, String tag) {
        return requests.resume(invite, from, tag);
    }

    /** A response that found no transaction comes again; on the shard's thread. */
    public void again(SipResponse response, Hop from) {
        responses.receive(response, from);
    }
}
