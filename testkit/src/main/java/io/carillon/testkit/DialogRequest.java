package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;

/** A request within the dialog of a {@link Call}. Owner: the call's. */
final class DialogRequest implements AttemptUser {
    private final Call call;
    private final Dialog dialog;
    private final String method;
    private final long cseq;

    DialogRequest(Call call, String method, long cseq) {
        this.call = call;
        this.dialog = call.need();
        this.method = method;
        this.cseq = cseq;
    }

    @Override
    public void response(RequestAttempt attempt, SipResponse response) {
        call.saw(response);
        int status = response.status();
        dialog.received(response);
        if (status < 200) {
            return;
        }
        if (method.equals(Methods.INVITE) && status < 300) {
            SipRequest invite = attempt.request();
            if (invite != null) {
                call.note("> ACK " + cseq);
                attempt.acknowledge(dialog.ack(invite), dialog.nextHop(), null, HopDecorator.NONE);
            }
        }
        boolean changes = method.equals(Methods.INVITE) || method.equals(Methods.UPDATE);
        if (method.equals(Methods.BYE)) {
            call.end(Ending.RELEASED_HERE);
        } else if (status == 481 || status == 408) {
            lost();
        } else if (changes && status < 300) {
            call.changeAccepted();
        } else if (method.equals(Methods.INVITE) && status == 491) {
            call.retryChange();
        }
        call.proceed();
    }

    @Override
    public void failed(RequestAttempt attempt, Failure failure) {
        call.note("! " + method + " " + cseq + " " + failure);
        dialog.abandoned(method, cseq);
        if (method.equals(Methods.BYE)) {
            call.gaveUp();
            call.end(Ending.GAVE_UP);
        } else {
            lost();
        }
    }

    /**
     * RFC 3261 12.2.1.2: "For INVITE initiated dialogs, terminating the dialog consists of sending
     * a BYE."
     */
    private void lost() {
        switch (call.state()) {
            case ANSWERED, ESTABLISHED -> {
                call.sendBye();
                call.gaveUp();
            }
            case CALLING, EARLY, RELEASING, ENDED -> {}
        }
    }
}
