package io.carillon.servlet.dispatch;

import io.carillon.servlet.SipContainer;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.stack.AttemptUser;
import io.carillon.sip.stack.Failure;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.OutgoingRequest;
import io.carillon.sip.stack.RequestAttempt;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * A 2xx to an INVITE of ours that no application owns any more: it is confirmed and ended, so that
 * the one who answered is not left talking to nobody (RFC 3261 13.2.2.4). Any thread.
 */
public final class LateAnswers implements AttemptUser {
    private final SipContainer container;

    public LateAnswers(SipContainer container) {
        this.container = container;
    }

    /** Nobody waits for the answer to such a BYE; the stack repeats it until one comes. */
    private static final AttemptUser NOBODY =
            new AttemptUser() {
                @Override
                public void response(RequestAttempt attempt, SipResponse response) {
                    // whatever it says, the call is over
                }

                @Override
                public void failed(RequestAttempt attempt, Failure failure) {
                    // counted by the stack
                }
            };

    /** A response without a client transaction; on the shard. */
    public void stray(Shard shard, SipResponse response, Hop from) {
        container.counters().strays.increment();
        int status = response.status();
        boolean success =
                status >= 200 && status < 300 && response.cseq().method().equals(Methods.INVITE);
        // With more than one Via it went through us as a proxy. RFC 6026 7.3 forbids to forward
        // what matches no transaction.
        if (success && response.vias().size() == 1) {
            end(shard, null, response);
        }
    }

    /** Of an INVITE whose session ended while its transaction lingered; on the shard. */
    @Override
    public void response(RequestAttempt attempt, SipResponse response) {
        if (response.status() / 100 == 2) {
            end(attempt.shard(), attempt.request(), response);
        }
    }

    @Override
    public void failed(RequestAttempt attempt, Failure failure) {
        // The INVITE has its 2xx: an attempt that lingers cannot fail. Counted all the same.
        container.counters().strays.increment();
    }

    /** As {@link #stray}, for a response that had its transaction but no session. */
    public void end(@Nullable SipRequest sent, SipResponse response) {
        end(container.shards().some(), sent, response);
    }

    private void end(Shard shard, @Nullable SipRequest sent, SipResponse response) {
        container.counters().lateAnswers.increment();
        SipRequest invite = sent != null ? sent : inviteOf(response);
        Dialog dialog = Dialog.uac(invite, response);
        dialog.received(response);
        shard.sendAck(dialog.ack(invite), dialog.nextHop(), null, container.contacts());
        MessageDraft bye = dialog.request(Methods.BYE);
        shard.send(new OutgoingRequest(bye, NOBODY).nextHop(dialog.nextHop()));
    }

    /** What we must have sent to get this response. */
    private static SipRequest inviteOf(SipResponse response) {
        NameAddress contact = response.contact();
        Uri target = contact == null || contact.wildcard() ? response.to().uri() : contact.uri();
        MessageDraft draft = MessageDraft.request(Methods.INVITE, target);
        draft.setFrom(response.from());
        draft.setTo(response.to().withoutParam("tag"));
        draft.set(HeaderName.CALL_ID, response.callId());
        draft.setCSeq(response.cseq().number(), Methods.INVITE);
        draft.prependVia(response.topVia());
        return draft.freezeRequest();
    }
}
