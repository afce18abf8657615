package io.carillon.sip.server;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.transaction.ServerMachine;
import io.carillon.sip.transaction.Transaction;

/**
 * What the server transactions of a shard share: what their user is told, which of them are one
 * request by several ways, and what a user agent server repeats.
 *
 * <p>Owner: the shard's thread.
 */
public final class ServerTransactions {
    private final Shard shard;
    private final ShardCore core;
    private final ServerUser user;
    private final MergedRequests merges = new MergedRequests();
    private final UasReliability reliability;

    public ServerTransactions(Shard shard, ShardCore core, ServerUser user) {
        this.shard = shard;
        this.core = core;
        this.user = user;
        this.reliability = new UasReliability(core, user);
    }

    Shard shard() {
        return shard;
    }

    ShardCore core() {
        return core;
    }

    ServerUser user() {
        return user;
    }

    /** What a user agent server repeats. */
    UasReliability reliability() {
        return reliability;
    }

    /** A new one, which is told when it has no sibling that came before. */
    void begins(ServerTransaction transaction, SipRequest request, boolean initial) {
        // 8.2.2.2: "If the request has no tag in the To header field, the UAS core MUST check the
        // request against ongoing transactions."
        if (!initial) {
            tell(transaction);
            return;
        }
        long key = MergedRequests.key(request);
        if (merges.known(key) || merges.crowded(key)) {
            refuseMerged(transaction, request);
        } else if (merges.begins(transaction, key)) {
            tell(transaction);
        }
    }

    private void tell(ServerTransaction transaction) {
        if (transaction.finalClaimed() || transaction.machine().terminated()) {
            return; // it was cancelled, or its time was over, while it waited
        }
        try {
            user.request(shard, transaction, transaction.request());
        } catch (RuntimeException e) {
            core.events().userError(transaction.request().method(), e);
            answer(transaction, 500);
        }
    }

    /** The stack's own final response, where nobody has decided about it. */
    void answer(ServerTransaction transaction, int status) {
        if (transaction.claimForStack()) {
            transaction.respondFromStack(
                    core.replies().response(transaction.request(), status, transaction.localTag()));
        }
    }

    /** One is in the table from now on. */
    void added(ServerTransaction transaction) {
        ServerMachine machine = transaction.machine();
        core.servers().add(machine);
        transaction.hold();
        core.shares().begins(transaction.countedAt());
        core.counters().add(Counter.TRANSACTIONS_STARTED);
        machine.start(core.now());
    }

    /** What was in the table has ended. */
    void ended(Transaction machine, long mergeKey, int place, boolean lingered) {
        core.servers().remove(machine);
        core.shares().ended(place);
        merges.forget(mergeKey);
        if (lingered) {
            core.counters().lingers(-1);
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
            refuseMerged(next, next.request());
            next = merges.next(key);
        }
        if (next != null) {
            merges.begins(next, key);
            ServerTransaction first = next;
            // Not from within what was told of another one.
            core.events().later(() -> tell(first));
        }
    }

    private void refuseMerged(ServerTransaction transaction, SipRequest request) {
        core.counters().add(Counter.MERGED_REQUESTS);
        core.trace().tell(Counter.MERGED_REQUESTS, request, transaction.source());
        answer(transaction, 482);
    }
}
