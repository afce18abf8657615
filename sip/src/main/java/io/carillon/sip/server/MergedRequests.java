package io.carillon.sip.server;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.transaction.ServerMachine;
import io.carillon.sip.transaction.TransactionTable;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds requests that came before by another way (RFC 3261 section 8.2.2.2). Only a user agent
 * server refuses them: a proxy passes each on (16.3). What we are for a request is known when the
 * layer above has said so, which may take it a while; until then siblings of the request wait, and
 * nobody is told of them.
 *
 * <p>Owner: the shard's thread. One key for each open request that may have siblings; those that
 * wait are transactions, and at most {@value #MOST_WAITING} for each request.
 */
public final class MergedRequests {
    /** As many ways to us as a forking proxy may have; more are no accident. */
    public static final int MOST_WAITING = 16;

    /** Of requests whose user agent server we are, until their transactions end. */
    private final CountedKeys taken = new CountedKeys();

    /** Of requests of which we do not know yet. */
    private final CountedKeys undecided = new CountedKeys();

    private final Map<Long, ArrayDeque<ServerTransaction>> waiting = new HashMap<>();

    /** Is a request with that key one of ours, so that this one is merged? */
    boolean known(long key) {
        return taken.size() > 0 && taken.contains(key);
    }

    /** Do so many wait already that the next one is refused? */
    boolean crowded(long key) {
        ArrayDeque<ServerTransaction> siblings = waiting.isEmpty() ? null : waiting.get(key);
        return siblings != null && siblings.size() >= MOST_WAITING;
    }

    /**
     * A request began.
     *
     * @return false when it has to wait for {@link #next}
     */
    boolean begins(ServerTransaction transaction, long key) {
        if (undecided.contains(key)) {
            transaction.waitsFor = key;
            waiting.computeIfAbsent(key, k -> new ArrayDeque<>(2)).add(transaction);
            return false;
        }
        transaction.undecidedKey = key;
        undecided.add(key);
        return true;
    }

    /**
     * Its role is known, or it ended without one.
     *
     * @return its key when siblings wait for this; 0 otherwise
     */
    long decided(ServerTransaction transaction) {
        if (transaction.role() == Role.UAS) {
            remember(transaction);
        }
        long key = transaction.undecidedKey;
        if (key == 0) {
            return 0;
        }
        transaction.undecidedKey = 0;
        undecided.remove(key);
        return waiting.isEmpty() || !waiting.containsKey(key) ? 0 : key;
    }

    /** From now on, until the transaction ends, its siblings are merged. */
    private void remember(ServerTransaction transaction) {
        ServerMachine machine = transaction.machine();
        if (machine.terminated()) {
            return;
        }
        SipRequest request;
        if (machine instanceof ServerInvite invite && invite.mergeKey == 0) {
            request = transaction.request();
            if (request.toTag() == null) {
                invite.mergeKey = key(request);
                taken.add(invite.mergeKey);
            }
        } else if (machine instanceof ServerNonInvite other && other.mergeKey == 0) {
            request = transaction.request();
            if (request.toTag() == null) {
                other.mergeKey = key(request);
                taken.add(other.mergeKey);
            }
        }
    }

    /** Takes the sibling that waits longest; null when none does. */
    @Nullable ServerTransaction next(long key) {
        ArrayDeque<ServerTransaction> siblings = waiting.get(key);
        if (siblings == null) {
            return null;
        }
        ServerTransaction first = siblings.poll();
        if (siblings.isEmpty()) {
            waiting.remove(key);
        }
        if (first != null) {
            first.waitsFor = 0;
        }
        return first;
    }

    /** One that waited has ended: it was cancelled, or its time was over. */
    void leaves(ServerTransaction transaction) {
        ArrayDeque<ServerTransaction> siblings = waiting.get(transaction.waitsFor);
        if (siblings != null) {
            siblings.remove(transaction);
            if (siblings.isEmpty()) {
                waiting.remove(transaction.waitsFor);
            }
        }
        transaction.waitsFor = 0;
    }

    /** A transaction of ours ended. */
    void forget(long key) {
        if (key != 0) {
            taken.remove(key);
        }
    }

    /** Requests that wait now. */
    int waitingCount() {
        int all = 0;
        for (ArrayDeque<ServerTransaction> siblings : waiting.values()) {
            all += siblings.size();
        }
        return all;
    }

    /**
     * Never 0. A collision of 64 bits would answer 482 to a request that is none: once in longer
     * than the server runs.
     */
    static long key(SipRequest request) {
        String fromTag = request.fromTag();
        String method = request.cseqMethod();
        return TransactionTable.hash(
                        request.callId(),
                        fromTag == null ? "" : fromTag,
                        (int) request.cseqNumber(),
                        method)
                | 1;
    }
}
