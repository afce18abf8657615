package io.carillon.sip.server;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a UAS core repeats: 2xx until ACK (RFC 3261 section 13.3.1.4), reliable provisionals until
 * PRACK (RFC 3262 section 3).
 *
 * <p>Owner: the shard's thread.
 */
final class UasReliability {
    /** RFC 3261 section 13: an ACK belongs to the 2xx with its Call-ID, To tag and CSeq number. */
    private record AckKey(String callId, String localTag, long cseq) {
        static AckKey of(SipResponse response) {
            String tag = response.toTag();
            return new AckKey(response.callId(), tag == null ? "" : tag, response.cseqNumber());
        }
    }

    private final ShardCore core;
    private final ServerUser user;
    private final Map<AckKey, Pending2xx> waiting = new HashMap<>();

    UasReliability(ShardCore core, ServerUser user) {
        this.core = core;
        this.user = user;
    }

    /** A 2xx that waits for its ACK. */
    final class Pending2xx extends WheelTimer {
        final AckKey key;
        final ServerTransaction transaction;
        final SipResponse response;
        final long giveUpAtNanos;
        long intervalNanos;

        Pending2xx(
                AckKey key,
                ServerTransaction transaction,
                SipResponse response,
                long giveUpAtNanos) {
            this.key = key;
            this.transaction = transaction;
            this.response = response;
            this.giveUpAtNanos = giveUpAtNanos;
        }

        /** It is kept with the request that it answers. */
        void counted() {
            transaction.awaitsAck();
            core.holds(transaction.countedAt(), 0, StackCounters.surplus(response));
        }

        void over() {
            transaction.awaitsAckNoMore();
            core.holds(transaction.countedAt(), StackCounters.surplus(response), 0);
        }

        @Override
        protected int partition() {
            return transaction.partition();
        }

        @Override
        protected void fire(long nowNanos) {
            repeat(this, nowNanos);
        }
    }

    int waitingForAck() {
        return waiting.size();
    }

    // 13.3.1.4: "The 2xx response is passed to the transport with an interval that starts at T1
    // seconds and doubles for each retransmission until it reaches T2 seconds [...] This is
    // independent of whatever transport protocols are used to send the response."
    void awaitAck(ServerTransaction transaction, SipResponse response) {
        long t1 = core.config().timers().t1Nanos();
        long giveUpAt = core.now() + core.config().timers().timeoutNanos();
        Pending2xx pending = new Pending2xx(AckKey.of(response), transaction, response, giveUpAt);
        Pending2xx before = waiting.putIfAbsent(pending.key, pending);
        if (before != null) {
            return; // the same 2xx again: it is being repeated
        }
        pending.counted();
        pending.intervalNanos = t1;
        core.timers().schedule(pending, core.now() + t1);
    }

    private void repeat(Pending2xx pending, long nowNanos) {
        // "If the server retransmits the 2xx response for 64*T1 seconds without receiving an ACK,
        // the dialog is confirmed, but the session SHOULD be terminated."
        if (nowNanos >= pending.giveUpAtNanos) {
            waiting.remove(pending.key);
            pending.over();
            core.counters().add(Counter.ACKS_MISSING);
            core.trace().tell(Counter.ACKS_MISSING, pending.response, null);
            try {
                user.ackMissing(pending.transaction, pending.response);
            } catch (RuntimeException e) {
                core.events().userError("ackMissing", e);
            }
            return;
        }
        resend(pending.transaction, pending.response);
        pending.intervalNanos =
                Math.min(2 * pending.intervalNanos, core.config().timers().t2Nanos());
        core.timers()
                .schedule(
                        pending, Math.min(nowNanos + pending.intervalNanos, pending.giveUpAtNanos));
    }

    /** Their calls are another node's, which repeats what is to be repeated. */
    void drop(BitSet partitions) {
        List<Pending2xx> gone = new ArrayList<>();
        for (Pending2xx each : waiting.values()) {
            int partition = each.partition();
            if (partition >= 0 && partitions.get(partition)) {
                gone.add(each);
            }
        }
        for (Pending2xx each : gone) {
            waiting.remove(each.key);
            each.over();
            core.timers().cancel(each);
        }
    }

    private void resend(ServerTransaction transaction, SipResponse response) {
        SendFailure onFailure =
                transaction.machine() instanceof ServerInvite invite ? invite : null;
        core.outbox()
                .send(
                        transaction.responseHop(),
                        response,
                        transaction.partition(),
                        true,
                        onFailure);
    }

    /**
     * "Response retransmissions cease when an ACK request for the response is received."
     *
     * @return the 2xx that was waiting for it, or null
     */
    @Nullable Pending2xx acknowledged(SipRequest ack) {
        String tag = waiting.isEmpty() ? null : ack.toTag();
        Pending2xx pending =
                tag == null
                        ? null
                        : waiting.remove(new AckKey(ack.callId(), tag, ack.cseqNumber()));
        if (pending == null) {
            return null;
        }
        pending.over();
        core.timers().cancel(pending);
        return pending;
    }

    /**
     * Its ACK came, and nobody had room for it. 13.3.1.4: the 2xx is repeated until an ACK is
     * received; each repetition brings the ACK again (13.2.2.4).
     */
    void awaitAgain(Pending2xx pending) {
        if (waiting.putIfAbsent(pending.key, pending) == null) {
            pending.counted();
            core.timers()
                    .schedule(
                            pending,
                            Math.min(core.now() + pending.intervalNanos, pending.giveUpAtNanos));
        }
    }

    /** Adds one to a transaction's list. */
    ReliableProvisional awaitPrack(
            ServerTransaction transaction,
            SipResponse response,
            long rseq,
            @Nullable ReliableProvisional others) {
        long t1 = core.config().timers().t1Nanos();
        ReliableProvisional pending =
                new ReliableProvisional(
                        this,
                        transaction,
                        response,
                        rseq,
                        core.now() + core.config().timers().timeoutNanos());
        pending.next = others;
        pending.intervalNanos = t1;
        core.timers().schedule(pending, core.now() + t1);
        return pending;
    }

    // RFC 3262 3: "retransmitted with an exponential backoff [...] starts at T1 seconds and doubles
    // for each retransmission". Not bounded by T2.
    void repeat(ReliableProvisional pending, long nowNanos) {
        // "If a reliable provisional response is retransmitted for 64*T1 seconds without reception
        // of a corresponding PRACK, the UAS SHOULD reject the original request with a 5xx
        // response." That is for the layer above.
        if (nowNanos >= pending.giveUpAtNanos) {
            pending.transaction.noLongerWaits(pending.rseq);
            core.counters().add(Counter.PRACKS_MISSING);
            core.trace().tell(Counter.PRACKS_MISSING, pending.response, null);
            try {
                user.prackMissing(pending.transaction, pending.response);
            } catch (RuntimeException e) {
                core.events().userError("prackMissing", e);
            }
            return;
        }
        resend(pending.transaction, pending.response);
        pending.intervalNanos *= 2;
        core.timers()
                .schedule(
                        pending, Math.min(nowNanos + pending.intervalNanos, pending.giveUpAtNanos));
    }

    /** The list without the one of this number. */
    @Nullable ReliableProvisional pracked(@Nullable ReliableProvisional list, long rseq) {
        ReliableProvisional before = null;
        for (ReliableProvisional p = list; p != null; before = p, p = p.next) {
            if (p.rseq == rseq) {
                core.timers().cancel(p);
                if (before == null) {
                    return p.next;
                }
                before.next = p.next;
                return list;
            }
        }
        return list;
    }

    void stop(@Nullable ReliableProvisional list) {
        for (ReliableProvisional p = list; p != null; p = p.next) {
            core.timers().cancel(p);
        }
    }
}
