package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a request within a dialog, an ACK or a CANCEL gets into the turn of its call: at once where
 * the turn is free, else into its mailbox, as far as there is room. On the shard.
 *
 * <p>What ends something always gets in, once: a BYE for each session and a CANCEL for each INVITE.
 */
final class Arrivals {
    private final RandomGenerator random;
    private final InDialogRequests requests;

    Arrivals(RandomGenerator random, InDialogRequests requests) {
        this.random = random;
        this.requests = requests;
    }

    private final class Arrival extends TurnTask {
        private final ServletSession session;
        private final @Nullable ServerTransaction transaction;
        private final SipRequest received;
        private final Hop source;
        private final RoutePreprocessing routing;

        Arrival(
                ServletSession session,
                @Nullable ServerTransaction transaction,
                SipRequest received,
                Hop source,
                RoutePreprocessing routing,
                int place) {
            super(received, place);
            this.session = session;
            this.transaction = transaction;
            this.received = received;
            this.source = source;
            this.routing = routing;
        }

        @Override
        protected void run() {
            if (received.is(Methods.BYE)) {
                session.underWay().byeWaits(false);
            }
            take(session, transaction, received, source, routing);
        }
    }

    /**
     * With the turn held. What fails in the container has an answer: else its sender waits 32 s.
     */
    private void take(
            ServletSession session,
            @Nullable ServerTransaction transaction,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing) {
        try {
            requests.take(session, transaction, received, source, routing);
        } catch (Throwable e) {
            session.parent().failed(e);
            if (transaction != null && transaction.claimFinal()) {
                InitialRequests.refuse(transaction, received, 500, null);
            }
        }
    }

    void request(
            ServletSession session,
            ServerTransaction transaction,
            SipRequest received,
            RoutePreprocessing routing) {
        Hop source = transaction.source();
        if (takenHere(session, transaction, received, source, routing)) {
            return;
        }
        ApplicationSession parent = session.parent();
        Arrival task =
                new Arrival(
                        session, transaction, received, source, routing, transaction.countedAt());
        if (received.is(Methods.BYE) && !session.underWay().byeWaits()) {
            session.underWay().byeWaits(true);
            parent.submit(task);
        } else if (!parent.offer(task, Room.DIALOG)) {
            // RFC 3261 21.5.1: "If the condition is temporary, the server MAY indicate when the
            // client may retry the request using the Retry-After header field." Not 503: by 21.5.4
            // its receiver "SHOULD NOT forward any other requests to that server", and it is one
            // call that is busy. RFC 5057 5.3: with Retry-After no usage of the dialog ends.
            transaction.shard().notQueued(Counter.REQUESTS_NOT_QUEUED, received);
            InitialRequests.refuse(
                    transaction, received, 500, Integer.toString(Glare.retryAfterSeconds(random)));
        }
    }

    /** False when there was no room for the ACK. */
    boolean ack(
            Shard shard,
            ServletSession session,
            SipRequest ack,
            Hop source,
            RoutePreprocessing routing) {
        int cseq = (int) ack.cseqNumber();
        if (session.underWay().knowsAck(cseq)) {
            shard.notQueued(Counter.REPEATS_NOT_QUEUED, ack);
            return true;
        }
        if (takenHere(session, null, ack, source, routing)) {
            return true;
        }
        session.underWay().knowAck(cseq);
        int place = shard.place(source);
        if (session.parent()
                .offer(new Arrival(session, null, ack, source, routing, place), Room.DIALOG)) {
            return true;
        }
        // RFC 3261 13.3.1.4: whoever sent the 2xx repeats it until an ACK comes, and 13.2.2.4: "the
        // ACK MUST be passed to the client transport every time a retransmission of the 2xx final
        // response that triggered the ACK arrives."
        session.underWay().forgetAck(cseq);
        shard.notQueued(Counter.MESSAGES_NOT_QUEUED, ack);
        return false;
    }

    private boolean takenHere(
            ServletSession session,
            @Nullable ServerTransaction transaction,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing) {
        ApplicationSession parent = session.parent();
        if (!parent.beginHere()) {
            return false;
        }
        try {
            take(session, transaction, received, source, routing);
        } finally {
            parent.endHere();
        }
        return true;
    }

    void cancel(
            ServerTransaction transaction,
            ServletRequest invite,
            SipRequest cancel,
            boolean answered487) {
        ApplicationSession parent = invite.getApplicationSession(false);
        if (parent == null) {
            return; // the router or the key is still being asked: the request never reaches the
            // application
        }
        UasTransaction server = invite.uas();
        if (server != null && !server.firstCancel()) {
            transaction.shard().notQueued(Counter.REPEATS_NOT_QUEUED, cancel);
            return;
        }
        parent.submit(TurnTask.of(cancel, () -> requests.cancel(invite, cancel, answered487)));
    }
}
