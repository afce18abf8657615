package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;

/**
 * A PRACK, or the BYE of a fork that is not wanted: nothing of the call depends on its outcome.
 * Owner: the call's.
 */
final class ForkRequest implements AttemptUser {
    private final Call call;
    private final Dialog dialog;
    private final String method;
    private final long cseq;

    ForkRequest(Call call, Dialog dialog, String method, long cseq) {
        this.call = call;
        this.dialog = dialog;
        this.method = method;
        this.cseq = cseq;
    }

    @Override
    public void response(RequestAttempt attempt, SipResponse response) {
        call.saw(response);
        dialog.received(response);
        if (response.status() >= 200) {
            ended();
        }
    }

    @Override
    public void failed(RequestAttempt attempt, Failure failure) {
        call.note("! " + method + " " + cseq + " " + failure);
        ended();
    }

    private void ended() {
        if (method.equals(Methods.BYE)) {
            dialog.terminate();
            call.agent().forget(dialog.key(), call);
        }
    }
}
