package io.carillon.sip.stack;

import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.transaction.ServerMachine;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests from the network: to their transaction, to a new one, or to an answer without one.
 *
 * <p>Owner: the shard's thread.
 */
final class RequestIntake {
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

    private final Shard shard;
    private final StackCounters counters;
    private final TransactionTable table;
    private final MergedRequests merges = new MergedRequests();
    private @Nullable Hop source;
    private int refuseStatus;
    private int refuseRetryAfter;

    RequestIntake(Shard shard, TransactionTable table) {
        this.shard = shard;
        this.counters = shard.counters();
        this.table = table;
    }

    void refuseNew(int status, int retryAfterSeconds) {
        refuseStatus = status;
        refuseRetryAfter = retryAfterSeconds;
    }

    /** A malformed message. */
    void rejected(ParseResult.Rejected rejected, Hop from) {
        blame(PeerConduct.Failure.MALFORMED, from);
        SipRequest request = rejected.request();
        shard.witness().received(request, from);
        // RFC 3261 18.3: "The transport layer SHOULD generate an error for a request, and MUST
        // discard a response"; 17: nothing answers an ACK.
        if (request == null || request.is(Methods.ACK)) {
            counters.add(Counter.MALFORMED_DROPPED);
            shard.witness().tell(Counter.MALFORMED_DROPPED, request, from, rejected.reason());
            return;
        }
        counters.add(Counter.MALFORMED_ANSWERED);
        shard.witness().tell(Counter.MALFORMED_ANSWERED, request, from, rejected.reason());
        shard.replies().malformed(request, from, rejected.status(), rejected.reason());
    }

    /** A peer failed. */
    void blame(PeerConduct.Failure how, Hop from) {
        PeerConduct.failed(shard.config().conduct(), how, from, shard.now());
    }

    private boolean fromScanner(SipRequest request, Hop from) {
        PeerConduct conduct = shard.config().conduct();
        return conduct != null && !conduct.admits(request, from.initial(), shard.now());
    }

    void receive(SipRequest request, Hop from) {
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
        source = from;
        if (ack) {
            acknowledge(request, known, compliant);
        } else if (known instanceof ServerMachine machine) {
            machine.retransmission(shard.now());
        } else {
            first(request, CameBack.seen(shard, request, top, from), top, hash, branch);
        }
        source = null;
    }

    /** What belongs to no transaction that is known. */
    private void first(SipRequest request, Hop from, Via top, long hash, String branch) {
        String method = request.method();
        if (shard.transactionCount() >= hardLimit()) {
            counters.add(Counter.REFUSED_FULL);
            shard.witness().tell(Counter.REFUSED_FULL, request, from);
            shard.replies().stateless(request, from, 503, null, shard.config().retryAfterSeconds());
        } else if (full(from, room(method), request)) {
            refuseBytes(request, from, room(method));
        } else if (holdsItsShare(from, room(method), request)) {
            refuseShare(request, from);
        } else if (method.equals(Methods.CANCEL)) {
            cancel(request, from, top, hash, branch);
        } else {
            begin(request, from, top, hash, branch);
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

    /** What ends a call has room above everything else: it frees some. */
    private static Room room(String method) {
        boolean ends = method.equals(Methods.BYE) || method.equals(Methods.CANCEL);
        return ends ? Room.RESERVED : Room.DIALOG;
    }

    private boolean full(Hop from, Room room, SipRequest request) {
        return shard.openBytes().full(from, room, request.bytes().length);
    }

    private void refuseBytes(SipRequest request, Hop from, Room room) {
        boolean large = shard.openBytes().fullOfLarge(from, room, request.bytes().length);
        Counter why = large ? Counter.REFUSED_LARGE : Counter.REFUSED_BYTES;
        counters.add(why);
        shard.witness().tell(why, request, from);
        shard.replies().stateless(request, from, 503, null, shard.config().retryAfterSeconds());
    }

    /** Does its sender hold what one may, where more than half is taken? */
    private boolean holdsItsShare(Hop from, Room room, SipRequest request) {
        int size = request.bytes().length;
        return shard.openBytes().holdsShare(from, room, size)
                || shard.shares().fullOfTransactions(from, room, shard.transactionCount());
    }

    private void refuseShare(SipRequest request, Hop from) {
        counters.add(Counter.REFUSED_SHARE);
        shard.witness().tell(Counter.REFUSED_SHARE, request, from);
        shard.replies().stateless(request, from, 503, null, shard.config().retryAfterSeconds());
    }

    private int hardLimit() {
        int cap = shard.config().maxTransactions();
        return cap + cap / 4;
    }

    // ACK

    private void acknowledge(SipRequest ack, @Nullable Transaction known, boolean compliant) {
        // RFC 6026 6: an ACK without the magic cookie that matches an Accepted transaction goes to
        // the layer above; the machine does that.
        if (known instanceof ServerInvite invite
                && (compliant || invite.answeredWithTag(ack.toTag()))) {
            invite.receiveAck(ack, shard.now());
            return;
        }
        String toTag = ack.toTag();
        // RFC 3261 8.2.7: "A stateless UAS MUST ignore ACK requests."
        if (toTag != null && ShardToken.isStateless(shard.config().nodeId(), toTag)) {
            counters.add(Counter.STATELESS_ACKS);
            shard.witness().tell(Counter.STATELESS_ACKS, ack, source);
            return;
        }
        ackUp(ack);
    }

    /** An ACK for a 2xx. */
    void ackUp(SipRequest ack) {
        Hop from = Objects.requireNonNull(source, "an ACK comes from the network only");
        PeerConduct conduct = shard.config().conduct();
        UasReliability.Pending2xx success = shard.reliability().acknowledged(ack);
        // It carries the unguessable tag of a 2xx of ours, so its sender got that; unless the tag
        // stood in his own INVITE (RFC 3261 8.2.6.2).
        String tag = ack.toTag();
        if (success != null
                && conduct != null
                && tag != null
                && ShardToken.isWhole(shard.config().nodeId(), tag)) {
            conduct.proven(from, shard.now());
        }
        try {
            if (!shard.user().ack(shard, ack, from) && success != null) {
                shard.reliability().awaitAgain(success);
            }
        } catch (RuntimeException e) {
            shard.userError("ack", e);
        }
    }

    // New requests

    private void begin(SipRequest request, Hop from, Via top, long hash, String branch) {
        // What comes over an internal hop belongs to a call that was let in, and one application
        // may
        // fork to another of the same process.
        boolean initial = request.toTag() == null && !from.internal();
        if (initial && fromScanner(request, from)) {
            counters.add(Counter.SCANNERS_DROPPED);
            return;
        }
        if (initial && refuseStatus != 0) {
            counters.add(Counter.REFUSED);
            shard.witness().tell(Counter.REFUSED, request, from);
            shard.replies().stateless(request, from, refuseStatus, null, refuseRetryAfter);
            return;
        }
        if (initial && shard.transactionCount() >= shard.config().maxTransactions()) {
            counters.add(Counter.REFUSED_FULL);
            shard.witness().tell(Counter.REFUSED_FULL, request, from);
            shard.replies().stateless(request, from, 503, null, shard.config().retryAfterSeconds());
            return;
        }
        // 21.5.4: "The server is temporarily unable to process the request due to a temporary
        // overloading".
        if (initial && full(from, Room.NEW, request)) {
            refuseBytes(request, from, Room.NEW);
            return;
        }
        if (initial && holdsItsShare(from, Room.NEW, request)) {
            refuseShare(request, from);
            return;
        }
        // 8.2.2.2: "If the request has no tag in the To header field, the UAS core MUST check the
        // request against ongoing transactions."
        long key = initial ? MergedRequests.key(request) : 0;
        boolean merged = initial && (merges.known(key) || merges.crowded(key));
        ServerTransaction transaction = open(request, from, top, hash, branch);
        if (merged) {
            refuseMerged(transaction, request, from);
        } else if (!initial || merges.begins(transaction, key)) {
            tell(transaction);
        }
    }

    private void tell(ServerTransaction transaction) {
        if (transaction.finalClaimed() || transaction.machine().terminated()) {
            return; // it was cancelled, or its time was over, while it waited
        }
        try {
            shard.user().request(shard, transaction, transaction.request());
        } catch (RuntimeException e) {
            shard.userError(transaction.request().method(), e);
            answer(transaction, 500);
        }
    }

    private ServerTransaction open(
            SipRequest request, Hop from, Via top, long hash, String branch) {
        Via tagged = ViaRules.tag(top, from);
        if (from.transport().webSocket() && ViaRules.nowhere(top.host())) {
            shard.wire().reachedBy(top.host(), from);
        } else if (from.transport() == Transport.TLS && top.hasParam("alias")) {
            shard.wire().alias(top.port(), from);
        }
        SipRequest seen = tagged == null ? request : request.withTopVia(tagged);
        Hop back = ViaRules.responseHop(tagged == null ? top : tagged, from);
        ServerTransaction transaction = new ServerTransaction(shard, seen, from, back, top.port());
        ServerMachine machine = transaction.machine();
        machine.key(hash, branch);
        table.add(machine);
        transaction.hold();
        shard.shares().begins(transaction.countedAt());
        counters.add(Counter.TRANSACTIONS_STARTED);
        machine.start(shard.now());
        return transaction;
    }

    private void answer(ServerTransaction transaction, int status) {
        if (transaction.claimForStack()) {
            transaction.respondFromStack(
                    shard.replies()
                            .response(transaction.request(), status, transaction.localTag()));
        }
    }

    // CANCEL

    private void cancel(SipRequest cancel, Hop from, Via top, long hash, String branch) {
        Transaction invite = table.find(key(cancel, from, top, branch, Methods.INVITE), branch);
        ServerTransaction cancelTransaction = open(cancel, from, top, hash, branch);
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
                answer(cancelTransaction, 200);
                return;
            }
        }
        // "If the UAS did not find a matching transaction for the CANCEL [...] it SHOULD respond to
        // the CANCEL with a 481".
        counters.add(Counter.STRAY_CANCELS);
        shard.witness().tell(Counter.STRAY_CANCELS, cancel, from);
        answer(cancelTransaction, 481);
    }

    private void cancelInvite(
            SipRequest cancel,
            ServerTransaction cancelTransaction,
            @Nullable ServerTransaction invite) {
        // 9.2: "If it has [sent a final response], the CANCEL request has no effect on the
        // processing of the original request".
        if (invite == null) {
            answer(cancelTransaction, 200);
            return;
        }
        // "the To tag of the response to the CANCEL and the To tag in the response to the original
        // request SHOULD be the same."
        cancelTransaction.claimForStack();
        cancelTransaction.respondFromStack(
                shard.replies().response(cancelTransaction.request(), 200, invite.localTag()));
        // "If the UAS has not issued a final response for the original request [...] the UAS SHOULD
        // immediately respond to the INVITE with a 487 (Request Terminated)." A proxy's comes from
        // its branches (16.10).
        boolean untold = invite.waitsFor != 0;
        boolean ours = invite.role() != Role.PROXY && invite.claimForStack();
        if (ours) {
            counters.add(Counter.CANCELLED_487);
            invite.respondFromStack(
                    shard.replies().response(invite.request(), 487, invite.localTag()));
        }
        if (untold) {
            return;
        }
        try {
            shard.user().cancelled(invite, cancel, ours);
        } catch (RuntimeException e) {
            shard.userError("CANCEL", e);
        }
    }

    // Merged requests

    /** What we are for it was said. */
    void decided(ServerTransaction transaction) {
        long key = merges.decided(transaction);
        if (key != 0) {
            siblings(key);
        }
    }

    /** It has its final response, or ended; with or without somebody having said what we are. */
    void answered(ServerTransaction transaction) {
        if (transaction.waitsFor != 0) {
            merges.leaves(transaction);
        } else if (transaction.undecidedKey != 0) {
            decided(transaction);
        }
    }

    /** Those that waited are merged; or the next one is a request as the first one was. */
    private void siblings(long key) {
        boolean merged = merges.known(key);
        ServerTransaction next = merges.next(key);
        while (merged && next != null) {
            refuseMerged(next, next.request(), next.source());
            next = merges.next(key);
        }
        if (next != null) {
            merges.begins(next, key);
            ServerTransaction first = next;
            shard.later(() -> tell(first)); // not from within what was told of another one
        }
    }

    private void refuseMerged(ServerTransaction transaction, SipRequest request, Hop from) {
        counters.add(Counter.MERGED_REQUESTS);
        shard.witness().tell(Counter.MERGED_REQUESTS, request, from);
        answer(transaction, 482);
    }

    void forgetForMerge(long key) {
        merges.forget(key);
    }
}
