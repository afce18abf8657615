package io.carillon.sip.server;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.transaction.ServerMachine;

/**
 * Forwards what a proxied INVITE still brings after its call has ended. RFC 6026 section 7.1: a
 * server in "Accepted" passes each 2xx that the proxy core gives it to the transport.
 *
 * <p>Owner: the shard's thread.
 */
final class LateAnswers implements AttemptUser {
    private final ShardCore core;
    private final ServerMachine machine;

    LateAnswers(ShardCore core, ServerMachine machine) {
        this.core = core;
        this.machine = machine;
    }

    @Override
    public void response(RequestAttempt from, SipResponse response) {
        MessageDraft draft = MessageDraft.copyOf(response);
        draft.removeFirst(HeaderName.VIA);
        if (response.status() / 100 == 2 && draft.has(HeaderName.VIA)) {
            machine.respond(draft.freezeResponse(), core.now());
        } else {
            core.counters().add(Counter.RESPONSES_SUPPRESSED);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        // RFC 3261 16.9: the other branches had answered already, nothing goes upstream.
        core.counters().add(Counter.RESPONSES_SUPPRESSED);
    }
}
