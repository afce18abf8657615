package io.carillon.sip.server;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.admission.AdmissionControl;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.outbox.Departures;
import io.carillon.sip.shard.IncomingRequests;
import io.carillon.sip.shard.SelfSent;
import io.carillon.sip.transaction.ServerMachine;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetAddress;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests from the network: to their transaction, to a new one, or to an answer without one.
 *
 * <p>Owner: the shard's thread.
 */
public final class RequestIntake implements IncomingRequests {
    /**
     * Methods whose transactions a CANCEL may name although it has no effect on them (RFC 3261
     * section 9.2).
     */
    private static final String[] NOT_INVITE = {
        Methods.OPTIONS,
        Methods.REGISTER,
        Methods.BYE,
        Methods.MESSAGE,
        Methods.SUBSCRIBE,
        Methods.NOTIFY,
        Methods.PUBLISH,
        Methods.INFO,
        Methods.REFER,
        Methods.UPDATE,
        Methods.PRACK
    };

    private final ServerTransactions transactions;
    private final ShardCore core;
    private final StackCounters counters;
    private final TransactionTable table;
    private final @Nullable PeerConduct conduct;
    private final AdmissionControl admission;

    public RequestIntake(ServerTransactions transactions) {
        this.transactions = transactions;
        this.core = transactions.core();
        this.counters = core.counters();
        this.table = core.servers();
        this.conduct = core.config().conduct();
        this.admission =
                new AdmissionControl(
                        core.config().capacity(),
                        core::transactionCount,
                        core.openBytes(),
                        core.shares(),
                        conduct);
    }

    @Override
    public void refuseNew(int status, int retryAfterSeconds) {
        admission.refuseNew(status, retryAfterSeconds);
    }

    @Override
    public void drop(BitSet partitions) {
        transactions.reliability().drop(partitions);
    }

    @Override
    public int waitingForAck() {
        return transactions.reliability().waitingForAck();
    }

    @Override
    public void rejected(ParseResult.Rejected rejected, Hop from) {
        SipRequest request = rejected.request();
        blame(PeerConduct.Failure.MALFORMED, request, from);
        core.trace().received(request, from);
        // RFC 3261 18.3: "The transport layer SHOULD generate an error for a request, and MUST
        // discard a response"; 17: nothing answers an ACK.
        if (request == null || request.is(Methods.ACK)) {
            counters.add(Counter.MALFORMED_DROPPED);
            core.trace().tell(Counter.MALFORMED_DROPPED, request, from, rejected.reason());
            return;
        }
        counters.add(Counter.MALFORMED_ANSWERED);
        core.trace().tell(Counter.MALFORMED_ANSWERED, request, from, rejected.reason());
        core.replies().malformed(request, from, rejected.status(), rejected.reason());
    }

    @Override
    public void blame(PeerConduct.Failure how, @Nullable SipRequest request, Hop from) {
        PeerConduct.failed(conduct, how, request, from, core.now());
    }

    @Override
    public void receive(SipRequest request, Hop from, boolean byToken) {
        counters.add(Counter.REQUESTS_IN);
        Via top = request.topVia();
        String method = request.method();
        boolean compliant = top.hasTransactionId();
        String branch = compliant ? top.branch() : null;
        if (branch == null) {
            branch = LegacyKey.of(request, top);
        }
        boolean ack = method.equals(Methods.ACK);
        long hash = key(request, from, top, branch, ack ? Methods.INVITE : method);
        Transaction known = table.find(hash, branch);
        if (ack) {
            came(request, from);
            acknowledge(request, from, byToken, known, compliant);
        } else if (known instanceof ServerMachine machine) {
            machine.retransmission(core.now());
        } else {
            Hop began = SelfSent.seen(core, transactions.shard().responses(), request, top, from);
            first(request, began, byToken, top, hash, branch);
        }
    }

    private void came(SipRequest request, Hop from) {
        Feedback feedback = core.feedback();
        if (feedback != null) {
            feedback.came(request, from, core.now());
        }
    }

    /** What belongs to no transaction that is known. */
    private void first(
            SipRequest request, Hop from, boolean byToken, Via top, long hash, String branch) {
        switch (admission.decide(request, from, core.now())) {
            case Admission.Accepted accepted -> {
                came(request, from);
                if (request.is(Methods.CANCEL)) {
                    cancel(request, from, top, hash, branch);
                } else {
                    boolean initial = AdmissionControl.initial(request, from);
                    if (initial) {
                        core.overload().began();
                    }
                    ServerTransaction opened = open(request, from, byToken, top, hash, branch);
                    transactions.begins(opened, request, initial);
                }
            }
            case Admission.Refused refused -> {
                counters.add(refused.why());
                core.trace().tell(refused.why(), request, from);
                // Who stops is not overloaded: its peers learn from the 503.
                Feedback feedback = core.feedback();
                if (feedback != null
                        && refused.why() != Counter.REFUSED
                        && AdmissionControl.initial(request, from)) {
                    feedback.refused(from, core.now());
                }
                core.replies()
                        .stateless(
                                request, from, refused.status(), null, refused.retryAfterSeconds());
            }
            case Admission.Dropped dropped -> counters.add(dropped.why());
        }
    }

    /**
     * The key of the transaction that a request belongs to, with the method of that one. Who has a
     * branch from a Via that he was shown neither has our responses repeated to its owner by it,
     * nor ends his call, nor takes the place of a request that is still to come.
     */
    private static long key(SipRequest request, Hop from, Via top, String branch, String method) {
        InetAddress address = from.internal() ? null : from.remote().getAddress();
        return TransactionTable.received(
                TransactionTable.hash(branch, top.host(), top.port(), method),
                address == null ? 0 : SourceKey.of(address),
                request.callId(),
                request.cseqNumber());
    }

    // ACK

    private void acknowledge(
            SipRequest ack,
            Hop from,
            boolean byToken,
            @Nullable Transaction known,
            boolean compliant) {
        // RFC 6026 6: an ACK without the magic cookie that matches an Accepted transaction goes to
        // the layer above; the machine says so.
        if (known instanceof ServerInvite invite
                && (compliant || invite.answeredWithTag(ack.toTag()))) {
            if (invite.receiveAck(core.now())) {
                ackUp(ack, from, byToken);
            } else if (compliant) {
                refusedElsewhere(ack, invite);
            }
            return;
        }
        String toTag = ack.toTag();
        // RFC 3261 8.2.7: "A stateless UAS MUST ignore ACK requests."
        if (toTag != null && core.config().tokens().isStateless(toTag)) {
            counters.add(Counter.STATELESS_ACKS);
            core.trace().tell(Counter.STATELESS_ACKS, ack, from);
            return;
        }
        ackUp(ack, from, byToken);
    }

    /** An ACK for a 2xx. */
    private void ackUp(SipRequest ack, Hop from, boolean byToken) {
        UasReliability reliability = transactions.reliability();
        UasReliability.Pending2xx success = reliability.acknowledged(ack);
        try {
            boolean taken = transactions.user().ack(transactions.shard(), ack, from, byToken);
            if (!taken && success != null) {
                reliability.awaitAgain(success);
            }
        } catch (RuntimeException e) {
            core.events().userError("ack", e);
        }
    }

    // New requests

    private ServerTransaction open(
            SipRequest request, Hop from, boolean byToken, Via top, long hash, String branch) {
        Via tagged = ViaRules.tag(top, from);
        if (from.transport().webSocket() && ViaRules.nowhere(top.host())) {
            core.wire().reachedBy(top.host(), from);
        } else if (from.transport() == Transport.TLS && top.hasParam("alias")) {
            core.wire().alias(top.port(), from);
        }
        SipRequest seen = tagged == null ? request : request.withTopVia(tagged);
        Hop back = ViaRules.responseHop(tagged == null ? top : tagged, from);
        ServerTransaction transaction =
                new ServerTransaction(transactions, seen, from, byToken, back, top.port());
        transaction.machine().key(hash, branch);
        transaction.machine().of(core.outbox().gate().arrived());
        transactions.added(transaction);
        return transaction;
    }

    @Override
    public @Nullable ServerTransaction resume(
            SipRequest invite, Hop from, String tag, int partition) {
        Via top = invite.topVia();
        String branch = top.hasTransactionId() ? top.branch() : null;
        if (branch == null) {
            branch = LegacyKey.of(invite, top);
        }
        long hash = key(invite, from, top, branch, Methods.INVITE);
        Transaction known = table.find(hash, branch);
        ServerTransaction found = null;
        if (known instanceof ServerInvite machine) {
            found = machine.owner();
        } else if (known == null) {
            found = open(invite, from, false, top, hash, branch);
            // Not that of a message at work: there may be none.
            found.machine().of(partition);
            found.machine().keptInRecord();
        }
        if (found != null) {
            found.noteTag(tag);
        }
        return found;
    }

    @Override
    public void forget(Repeatable.Received request) {
        if (request instanceof ServerTransaction known) {
            known.machine().discard(core.now());
        }
    }

    @Override
    public void answer(SipResponse response, Hop to, int partition) {
        core.outbox().send(to, response, partition, true, null);
    }

    // CANCEL

    private void cancel(SipRequest cancel, Hop from, Via top, long hash, String branch) {
        ServerTransaction cancelTransaction = open(cancel, from, false, top, hash, branch);
        cancel(cancel, from, branch, cancelTransaction, true);
    }

    /**
     * @param first may its INVITE be one that another node has received?
     */
    private void cancel(
            SipRequest cancel,
            Hop from,
            String branch,
            ServerTransaction cancelTransaction,
            boolean first) {
        Via top = cancel.topVia();
        Transaction invite = table.find(key(cancel, from, top, branch, Methods.INVITE), branch);
        if (invite instanceof ServerInvite machine) {
            cancelInvite(cancel, cancelTransaction, machine.owner());
            return;
        }
        // 9.2: "Regardless of the method of the original request, as long as the CANCEL matched an
        // existing transaction, the UAS answers the CANCEL request itself with a 200 (OK)
        // response." "A CANCEL request has no impact on the processing of transactions with any
        // other method".
        for (String method : NOT_INVITE) {
            if (table.find(key(cancel, from, top, branch, method), branch) != null) {
                transactions.answer(cancelTransaction, 200);
                return;
            }
        }
        if (first
                && transactions
                        .user()
                        .waits(
                                transactions.shard(),
                                cancel,
                                from,
                                () -> cancel(cancel, from, branch, cancelTransaction, false),
                                () -> forget(cancelTransaction))) {
            return;
        }
        // "If the UAS did not find a matching transaction for the CANCEL [...] it SHOULD respond to
        // the CANCEL with a 481".
        counters.add(Counter.STRAY_CANCELS);
        core.trace().tell(Counter.STRAY_CANCELS, cancel, from);
        transactions.answer(cancelTransaction, 481);
    }

    private void cancelInvite(
            SipRequest cancel,
            ServerTransaction cancelTransaction,
            @Nullable ServerTransaction invite) {
        // 9.2: "If it has [sent a final response], the CANCEL request has no effect on the
        // processing of the original request".
        if (invite == null) {
            transactions.answer(cancelTransaction, 200);
            return;
        }
        // "the To tag of the response to the CANCEL and the To tag in the response to the original
        // request SHOULD be the same."
        cancelTransaction.claimForStack();
        // "If the UAS has not issued a final response for the original request [...] the UAS SHOULD
        // immediately respond to the INVITE with a 487 (Request Terminated)." A proxy's comes from
        // its branches (16.10).
        boolean untold = invite.waitsFor != 0;
        boolean ours = invite.role() != Role.PROXY && invite.claimForStack();
        if (ours) {
            counters.add(Counter.CANCELLED_487);
        }
        boolean ends = !untold && (ours || !invite.finalClaimed());
        Departures keeper = ends ? core.outbox().departures() : null;
        if (keeper == null) {
            answerCancelled(cancelTransaction, invite, ours);
        }
        if (untold) {
            return;
        }
        Object attachment = invite.attachment();
        tellCancelled(invite, cancel, ours);
        // Where another node would go on with the INVITE it has to know first: a caller who has
        // heard these sends no CANCEL again.
        if (keeper != null
                && !keeper.keepsCancelled(
                        attachment, () -> answerLater(cancelTransaction, invite, ours))) {
            answerCancelled(cancelTransaction, invite, ours);
        }
    }

    private void tellCancelled(ServerTransaction invite, SipRequest cancel, boolean ours) {
        try {
            transactions.user().cancelled(invite, cancel, ours);
        } catch (RuntimeException e) {
            core.events().userError("CANCEL", e);
        }
    }

    private void answerLater(ServerTransaction cancel, ServerTransaction invite, boolean ours) {
        core.events().perform(() -> answerCancelled(cancel, invite, ours));
    }

    private void answerCancelled(ServerTransaction cancel, ServerTransaction invite, boolean ours) {
        cancel.respondFromStack(core.replies().response(cancel.request(), 200, invite.localTag()));
        if (ours) {
            invite.respondFromStack(
                    core.replies().response(invite.request(), 487, invite.localTag()));
        }
    }

    /**
     * RFC 3261 17.1.1.3: an ACK with the branch of its INVITE is for a final response of 300 and
     * above. Of an INVITE that was not answered here it is for what another node has said, which
     * died before it could write that down: the caller has given up, or was refused.
     */
    private void refusedElsewhere(SipRequest ack, ServerInvite machine) {
        ServerTransaction invite = machine.owner();
        if (invite == null
                || core.config().tokens().cluster() == null
                || !invite.localTag().equals(ack.toTag())
                || (invite.role() != Role.PROXY && !invite.claimForStack())) {
            return;
        }
        boolean ours = invite.role() != Role.PROXY;
        counters.add(Counter.REFUSED_ELSEWHERE);
        SipRequest cancel = MessageDraft.cancelOf(invite.request()).freezeRequest();
        if (ours) {
            invite.respondFromStack(
                    core.replies().response(invite.request(), 487, invite.localTag()));
            machine.receiveAck(core.now());
        }
        tellCancelled(invite, cancel, ours);
    }
}
