package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogSet;
import io.carillon.sip.dialog.Progress;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import org.jspecify.annotations.Nullable;

/**
 * The caller's side of a {@link Call} up to the final response, with its forks. Owner: the call's.
 */
final class OutgoingLeg implements AttemptUser {
    private final Call call;
    private final boolean offered;
    private @Nullable RequestAttempt attempt;
    private @Nullable DialogSet dialogs;
    private boolean cancelled;
    private boolean finalSeen;

    OutgoingLeg(Call call, boolean offered) {
        this.call = call;
        this.offered = offered;
    }

    void start(MessageDraft draft) {
        call.note("> INVITE " + draft.cseq().number());
        attempt =
                call.shard()
                        .send(new OutgoingRequest(draft, this).decorator(call.agent().contact()));
    }

    @Nullable SipRequest request() {
        RequestAttempt a = attempt;
        return a == null ? null : a.request();
    }

    static boolean described(SipMessage message) {
        return message.bodyLength() > 0;
    }

    boolean cancel() {
        RequestAttempt a = attempt;
        if (a == null || cancelled || finalSeen) {
            return false;
        }
        cancelled = true;
        call.note("> CANCEL");
        a.cancel(null);
        return true;
    }

    @Override
    public void response(RequestAttempt from, SipResponse response) {
        SipRequest sent = from.request();
        if (sent == null) {
            call.agent().fault("a response before the request");
            return;
        }
        DialogSet set = dialogs;
        if (set == null) {
            set = new DialogSet(sent);
            dialogs = set;
        }
        int status = response.status();
        if (status < 200) {
            provisional(set, response);
            return;
        }
        call.saw(response);
        if (status < 300) {
            success(from, set, response);
        } else {
            failure(set, response);
        }
    }

    private void provisional(DialogSet set, SipResponse response) {
        if (finalSeen) {
            call.agent().fault("a provisional response after the final one: " + response.status());
        }
        call.early();
        Dialog dialog = set.of(response);
        if (dialog == null) {
            call.saw(response);
            return;
        }
        Progress progress = dialog.received(response);
        if (!progress.process()) {
            call.note("! " + progress + " " + response.status());
            return;
        }
        call.saw(response);
        if (call.dialog() == null) {
            call.dialog(dialog);
        }
        call.agent().remember(dialog.key(), call);
        if (progress == Progress.PROCESS_AND_PRACK) {
            MessageDraft prack = dialog.prack(response);
            if (!offered && described(response)) {
                prack.body(call.agent().description(), UserAgent.SDP);
            }
            long cseq = prack.cseq().number();
            call.note("> PRACK " + cseq);
            call.shard()
                    .send(
                            new OutgoingRequest(
                                            prack,
                                            new ForkRequest(call, dialog, Methods.PRACK, cseq))
                                    .nextHop(dialog.nextHop()));
        }
    }

    private void success(RequestAttempt from, DialogSet set, SipResponse response) {
        Dialog dialog = set.of(response);
        if (dialog == null) {
            call.agent().fault("a 2xx without a dialog");
            return;
        }
        dialog.received(response);
        acknowledge(from, dialog, set.request(), described(response));
        if (call.answered()) {
            // RFC 3261 13.2.2.4: several forks answered; this one is not wanted.
            call.note("! another fork answered");
            release(dialog);
            return;
        }
        finalSeen = true;
        dropForks(set, dialog);
        call.dialog(dialog);
        call.answered(response.status());
        call.state(Call.State.ESTABLISHED);
        if (cancelled) {
            // RFC 3261 9.1, 15: the 2xx crossed the CANCEL; the call is up and has to be released.
            call.sendBye();
        }
    }

    private void acknowledge(
            RequestAttempt from, Dialog dialog, SipRequest sent, boolean described) {
        MessageDraft ack = dialog.ack(sent);
        if (!offered && described) {
            ack.body(call.agent().description(), UserAgent.SDP);
        }
        call.note("> ACK " + sent.cseq().number());
        from.acknowledge(ack, dialog.nextHop(), null, HopDecorator.NONE);
    }

    private void release(Dialog fork) {
        MessageDraft bye = fork.request(Methods.BYE);
        long cseq = bye.cseq().number();
        call.agent().remember(fork.key(), call);
        call.shard()
                .send(
                        new OutgoingRequest(bye, new ForkRequest(call, fork, Methods.BYE, cseq))
                                .nextHop(fork.nextHop()));
    }

    /** Early dialogs of branches that did not win; a late 2xx of one makes it anew. */
    private void dropForks(DialogSet set, Dialog winner) {
        for (Dialog dialog : set.dialogs()) {
            if (dialog != winner) {
                call.agent().forget(dialog.key(), call);
            }
        }
    }

    private void failure(DialogSet set, SipResponse response) {
        finalSeen = true;
        set.failed();
        for (Dialog dialog : set.dialogs()) {
            call.agent().forget(dialog.key(), call);
        }
        call.failed(response.status());
        if (response.status() == 408 || response.status() == 504) {
            call.gaveUp();
        } else {
            call.end(cancelled ? Ending.CANCELLED : Ending.REJECTED);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        finalSeen = true;
        call.note("! INVITE " + failure);
        DialogSet set = dialogs;
        if (set != null) {
            set.failed();
            for (Dialog dialog : set.dialogs()) {
                call.agent().forget(dialog.key(), call);
            }
        }
        call.failed(failure == Failure.TIMEOUT ? 408 : 503);
        if (failure == Failure.CANCELLED) {
            call.end(Ending.CANCELLED);
        } else {
            call.gaveUp();
        }
    }
}
