package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import javax.servlet.sip.SipSession;

/**
 * What a peer or an application owed and never sent: the ACK for a 2xx, the PRACK for a reliable
 * provisional response, and the answer to a request (RFC 3261 13.3.1.4, RFC 3262 3, RFC 4320 4.2).
 * Heard of on the shard; the rest happens in the turn.
 */
public final class MissingAnswers {
    private final SessionHost host;
    private final ApplicationCalls calls;
    private final DialogLookup lookup;

    MissingAnswers(SessionHost host, ApplicationCalls calls, DialogLookup lookup) {
        this.host = host;
        this.calls = calls;
        this.lookup = lookup;
    }

    public void ack(ServerTransaction transaction, SipResponse final2xx) {
        host.counters().acksMissing.increment();
        if (transaction.attachment() instanceof ServletRequest invite) {
            inTurn(
                    invite,
                    () -> {
                        ServletRequest answered = lookup.answered(final2xx);
                        if (answered != null) {
                            noAck(answered);
                        }
                    });
        }
    }

    /** 64*T1 passed without a final response to a request other than INVITE. */
    public void answer(ServerTransaction transaction) {
        if (transaction.attachment() instanceof ServletRequest request) {
            inTurn(
                    request,
                    () -> {
                        UasTransaction server = request.uas();
                        ServletSession session = request.session();
                        if (server != null && session != null && session.isValid()) {
                            server.tooLate();
                        }
                    });
        }
    }

    public void prack(ServerTransaction transaction) {
        if (transaction.attachment() instanceof ServletRequest invite) {
            inTurn(invite, () -> noPrack(invite));
        }
    }

    private static void inTurn(ServletRequest invite, Runnable what) {
        ServletSession session = invite.session();
        if (session != null) {
            session.parent().submit(TurnTask.of(what));
        }
    }

    private void noAck(ServletRequest invite) {
        UasTransaction server = invite.uas();
        ServletSession session = invite.session();
        if (server == null || session == null || !session.isValid()) {
            return;
        }
        ServletResponse success = server.success();
        Dialog dialog = session.dialog().own();
        if (success == null || dialog == null) {
            return;
        }
        dialog.ackMissing(server.received().cseq().number());
        server.acknowledged();
        boolean heard = calls.noAck(session.application(), invite, success);
        if (!heard && session.isValid() && session.dialog().state() == SipSession.State.CONFIRMED) {
            // RFC 3261 13.3.1.4: "If the server retransmits the 2xx response for 64*T1 seconds
            // without receiving an ACK, the dialog
            // is confirmed, but the session SHOULD be terminated. This is accomplished with a BYE".
            // Nobody listens, so we do it; on the other leg of a back-to-back user agent too, which
            // the application would keep up with nobody on this side.
            LegEnding.bye(session);
            ServletSession other = session.linked();
            if (other != null && other.isValid()) {
                LegEnding.abandonOpen(other, 500);
                LegEnding.bye(other);
            }
        }
    }

    private void noPrack(ServletRequest invite) {
        UasTransaction server = invite.uas();
        ServletSession session = invite.session();
        if (server == null || session == null || !session.isValid()) {
            return;
        }
        ServletResponse provisional = server.sentReliably();
        if (provisional == null || (server.finalSent() && !server.waitsForPrack())) {
            return;
        }
        boolean heard = calls.noPrack(session.application(), invite, provisional);
        if (!heard || server.waitsForPrack()) {
            // RFC 3262 3: "the UAS SHOULD reject the original request with a 5xx response." Nobody
            // listens, or the application has said its last word, so we do it.
            server.giveUp(500);
        }
    }
}
