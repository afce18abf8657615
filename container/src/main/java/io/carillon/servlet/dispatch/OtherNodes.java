package io.carillon.servlet.dispatch;

import io.carillon.servlet.bytes.DialogHash;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.Slot;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Partitions;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Requests that came here, where the hash of their Call-ID leads, and belong to a call of another
 * node: to an application session with a key of another partition, or to the dialog that their
 * Replaces or Join names. They are handed on to the owner of that one, once. Their repeats and
 * CANCELs, which come here too, follow: what was handed on is remembered as long as an INVITE may
 * ring ({@link HandedOn}), by the next node too when this one dies. A server without a cluster has
 * none. Any thread.
 */
public final class OtherNodes {
    /** Of a container. */
    public static final Slot<OtherNodes> SLOT = Slot.of(OtherNodes.class);

    private final LongAdder count = new LongAdder();

    private final HandedOn handed = new HandedOn();
    private volatile @Nullable HandedOnRecords records;

    /** What is handed on is told to the store too, for the next owner of where it came in. */
    public void keepIn(CallStore store, SessionHost host) {
        records = new HandedOnRecords(store, host);
    }

    /**
     * Is that state no call, but a request that another node has handed on? Then it is remembered
     * here. Any thread.
     */
    public boolean known(CallStore.State state) {
        HandedOnRecords kept = records;
        return kept != null && kept.read(state, handed);
    }

    /**
     * Does the request belong to a call of another node, by what it says itself? Then it has gone
     * there, or was refused. On the shard.
     *
     * @param known does a session of this node have the dialog of that key?
     */
    boolean takes(ServerTransaction transaction, SipRequest request, Known known) {
        Shard shard = transaction.shard();
        if (shard.config().tokens().cluster() == null
                || transaction.source().internal()
                || request.toTag() != null) {
            return false;
        }
        int partition = remembered(shard, request);
        if (partition < 0 && request.is(Methods.INVITE)) {
            DialogKey named = Targeting.named(request);
            partition = named == null || known.has(named) ? -1 : of(shard, named);
        }
        if (partition < 0 || shard.config().tokens().mayBegin(partition)) {
            return false;
        }
        handOn(transaction, partition);
        return true;
    }

    /** Who knows dialogs. */
    interface Known {
        boolean has(DialogKey dialog);
    }

    /** A call keeps to the partition of its tags; one that only passes, to that of its Call-ID. */
    private static int of(Shard shard, DialogKey dialog) {
        OwnTokens own = shard.config().tokens();
        for (String text : new String[] {dialog.localTag(), dialog.remoteTag(), dialog.callId()}) {
            int partition = own.partitionIn(text);
            if (partition >= 0) {
                return partition;
            }
        }
        return Partitions.ofCallId(dialog.callId());
    }

    /**
     * Its application session is in that partition, which another node owns: the request goes to
     * that node. Where it cannot it is refused. Any thread.
     */
    void handOn(ServerTransaction transaction, int partition) {
        Shard shard = transaction.shard();
        shard.perform(() -> {
            if (transaction.finalClaimed()) {
                return; // a CANCEL came meanwhile
            }
            SipRequest request = transaction.request();
            Hop from = transaction.source();
            byte[] bytes = Arrays.copyOf(request.bytes(), request.length());
            if (isHandedOn(transaction, bytes)
                    || from.internal()
                    || !shard.wire().handOn(bytes, from, partition)) {
                InitialRequests.refuseForNow(transaction, request, 503);
                return;
            }
            count.increment();
            long until = shard.now() + shard.config().ringingWithinNanos();
            remember(DialogHash.half(request), transaction.partition(), partition, until, shard);
            shard.requests().forget(transaction);
        });
    }

    private void remember(long key, int from, int to, long until, Shard shard) {
        long now = shard.now();
        handed.add(key, to, until, now);
        HandedOnRecords kept = records;
        if (kept != null) {
            kept.write(key, from, to, until - now);
        }
    }

    /** Once: two nodes that find different keys would hand it to each other for ever. */
    private static boolean isHandedOn(ServerTransaction transaction, byte[] bytes) {
        OwnTokens own = transaction.shard().config().tokens();
        return own.partitionOf(bytes, bytes.length) != transaction.partition();
    }

    /** A CANCEL whose INVITE is not here: it follows that one. On the shard. */
    boolean cancels(Shard shard, SipRequest cancel, Hop from) {
        int partition = remembered(shard, cancel);
        return partition >= 0
                && !shard.config().tokens().mayBegin(partition)
                && shard.wire()
                        .handOn(Arrays.copyOf(cancel.bytes(), cancel.length()), from, partition);
    }

    /** The partition that it was handed on to; -1 where it was not. */
    private int remembered(Shard shard, SipRequest request) {
        return handed.none() ? -1 : handed.find(DialogHash.half(request), shard.now());
    }

    /** Requests handed on to other nodes, since the start. */
    public long handedOn() {
        return count.sum();
    }
}
