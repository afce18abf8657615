package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import org.jspecify.annotations.Nullable;

/** The callee's side of a {@link Call} up to the final response. Owner: the call's. */
final class IncomingLeg {
    private final Call call;
    private final ServerTransaction transaction;
    private final SipRequest request;
    private boolean described;
    private boolean answerWanted;

    IncomingLeg(Call call, ServerTransaction transaction) {
        this.call = call;
        this.transaction = transaction;
        this.request = transaction.request();
        transaction.attach(call);
    }

    ServerTransaction transaction() {
        return transaction;
    }

    SipRequest request() {
        return request;
    }

    private boolean supports100rel() {
        for (HeaderName name : new HeaderName[] {HeaderName.SUPPORTED, HeaderName.REQUIRE}) {
            for (String tag : request.headers(name)) {
                if (tag.equalsIgnoreCase("100rel")) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean provisional(int status, boolean reliable) {
        if (transaction.finalClaimed()) {
            return false;
        }
        if (!reliable || !supports100rel()) {
            send(call.response(request, status, false));
            return true;
        }
        Dialog known = call.dialog();
        if (known != null && known.awaitsPrack()) {
            // RFC 3262 3: "The UAS MUST NOT send a second reliable provisional response until the
            // first is acknowledged."
            return false;
        }
        Dialog dialog = known;
        SipResponse plain = call.response(request, status, !described);
        if (dialog == null) {
            dialog = Dialog.uas(request, plain);
            call.dialog(dialog);
        }
        long rseq = dialog.nextRSeq(request.cseq().number(), call.agent().random());
        MessageDraft draft = MessageDraft.copyOf(plain);
        draft.set(HeaderName.REQUIRE, "100rel");
        draft.set(HeaderName.RSEQ, Long.toString(rseq));
        SipResponse response = draft.freezeResponse();
        described = true;
        dialog.responded(request, response);
        call.note("> " + status + " INVITE " + request.cseq().number() + " RSeq");
        transaction.respondReliably(response, rseq);
        return true;
    }

    private void send(SipResponse response) {
        Dialog dialog = call.dialog();
        if (dialog == null && response.status() > 100 && response.status() < 300) {
            call.dialog(Dialog.uas(request, response));
        }
        call.respond(transaction, response);
    }

    boolean answer() {
        Dialog known = call.dialog();
        if (known != null && known.awaitsPrack()) {
            // RFC 3262 3: "the UAS MUST NOT send a final 2xx response until the reliable
            // provisional response with the session description is acknowledged."
            answerWanted = true;
            return true;
        }
        if (!transaction.claimFinal()) {
            return false;
        }
        SipResponse response = call.response(request, 200, !described);
        Dialog dialog = known;
        if (dialog == null) {
            dialog = Dialog.uas(request, response);
            call.dialog(dialog);
        }
        dialog.responded(request, response);
        call.note("> 200 INVITE " + request.cseq().number());
        call.answered(200);
        call.state(Call.State.ANSWERED);
        transaction.respondAsUas(response);
        return true;
    }

    boolean reject(int status, @Nullable String contact) {
        if (!transaction.claimFinal()) {
            return false;
        }
        MessageDraft draft = MessageDraft.responseTo(request, status, null, transaction.localTag());
        if (contact != null) {
            draft.addLast(HeaderName.CONTACT, contact);
        }
        call.respond(transaction, draft.freezeResponse());
        call.failed(status);
        call.end(Ending.REJECTED);
        return true;
    }

    void pracked(SipRequest prack) {
        String rack = prack.header(HeaderName.RACK);
        if (rack != null && rack.indexOf(' ') > 0) {
            transaction.pracked(Long.parseLong(rack.substring(0, rack.indexOf(' '))));
        }
        if (answerWanted && call.state() == Call.State.EARLY) {
            answerWanted = false;
            answer();
        }
    }

    /** RFC 3261 15.1.2: a BYE in an early dialog; the INVITE still wants its final response. */
    void byeBeforeAnswer() {
        if (transaction.claimFinal()) {
            call.failed(487);
            call.respond(
                    transaction,
                    MessageDraft.responseTo(request, 487, null, transaction.localTag())
                            .freezeResponse());
        }
    }
}
