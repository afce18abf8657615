package io.carillon.testkit;

import io.carillon.sip.dialog.Accept;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a {@link Call} does with the requests of its peer within the dialog. Owner: the call's. */
final class PeerRequests {
    private final Call call;

    /** A re-INVITE that we have not answered yet. */
    private @Nullable ServerTransaction change;

    PeerRequests(Call call) {
        this.call = call;
    }

    void receive(ServerTransaction transaction, SipRequest request) {
        if (!DialogKey.ofIncoming(request).equals(call.need().key())) {
            // Another fork, which has its ACK and BYE already.
            transaction.respond(call.response(request, 200, false));
            return;
        }
        if (call.state() == Call.State.RELEASING && !request.is(Methods.BYE)) {
            // RFC 5407 3.2: a request that crosses our BYE finds no session any more.
            answer(transaction, 481, false);
            return;
        }
        Accept accept = call.need().receive(request);
        if (!accept.ok()) {
            refuse(transaction, accept);
            return;
        }
        switch (request.method()) {
            case Methods.BYE -> {
                answer(transaction, 200, false);
                refuseChange();
                call.released();
            }
            case Methods.INVITE -> changed(transaction);
            case Methods.UPDATE -> {
                call.changeAccepted();
                answer(transaction, 200, OutgoingLeg.described(request));
            }
            case Methods.PRACK -> {
                answer(transaction, 200, false);
                call.pracked(request);
            }
            default -> answer(transaction, 200, false);
        }
    }

    private void refuse(ServerTransaction transaction, Accept accept) {
        MessageDraft refusal =
                MessageDraft.responseTo(transaction.request(), accept.status(), null, null);
        if (accept.retryAfter()) {
            int seconds = Glare.retryAfterSeconds(call.agent().random());
            refusal.set(HeaderName.RETRY_AFTER, Integer.toString(seconds));
        }
        call.respond(transaction, refusal.freezeResponse());
    }

    private void changed(ServerTransaction transaction) {
        change = transaction;
        transaction.attach(call);
        UserAgent agent = call.agent();
        Duration delay = agent.changeDelay();
        if (delay.isZero()) {
            acceptChange(transaction);
        } else {
            Runnable late = () -> agent.node().run(call.shard(), () -> acceptChange(transaction));
            agent.network().time().after(delay, late);
        }
    }

    private void acceptChange(ServerTransaction transaction) {
        if (change != transaction) {
            return;
        }
        change = null;
        call.changeAccepted();
        SipResponse response = call.response(transaction.request(), 200, true);
        call.need().responded(transaction.request(), response);
        call.note("> 200 INVITE " + response.cseq().number());
        transaction.respondAsUas(response);
    }

    /**
     * The call ends: answers a re-INVITE that waits. RFC 3261 15.1.2: "It is RECOMMENDED that a 487
     * (Request Terminated) response be generated to those pending requests."
     */
    void refuseChange() {
        ServerTransaction pending = change;
        if (pending != null) {
            change = null;
            answer(pending, 487, false);
        }
    }

    /** Was it this re-INVITE that waited? It waits no longer. */
    boolean changeCancelled(ServerTransaction invite) {
        if (change != invite) {
            return false;
        }
        change = null;
        return true;
    }

    private void answer(ServerTransaction transaction, int status, boolean description) {
        call.respond(transaction, call.response(transaction.request(), status, description));
    }
}
