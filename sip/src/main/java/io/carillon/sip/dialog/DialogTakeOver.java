package io.carillon.sip.dialog;

import io.carillon.sip.header.CSeq;

/** What becomes of a dialog that goes on at another node. Stateless; with its owner's turn held. */
public final class DialogTakeOver {
    private DialogTakeOver() {}

    /**
     * The node has none of the transactions that were under way. RFC 3261 12.2.2 lets the CSeq rise
     * by more than one: so what the node before has sent, and nobody wrote down, is never sent
     * again. An INVITE goes on, and an early dialog keeps what it needs; the RSeq stays in both
     * (RFC 3262 4: a gap there would be a response that is missing). An UPDATE or a PRACK does not
     * go on: who sent it sends it again, or another one.
     *
     * @param gap by how much the next CSeq of ours is higher
     * @param quiet is nothing under way in it here either?
     */
    public static void goOn(Dialog dialog, int gap, boolean quiet) {
        dialog.numbers(Math.min(dialog.localCSeq() + gap, CSeq.MAX - 1), dialog.remoteCSeq());
        dialog.exchanges().withoutRequests();
        if (quiet && dialog.state() == Dialog.State.CONFIRMED) {
            dialog.exchanges().adopted();
        }
    }
}
