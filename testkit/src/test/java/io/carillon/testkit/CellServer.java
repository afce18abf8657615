package io.carillon.testkit;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.overload.Waiting;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * A server with one worker: a call takes it some time, what ends one a twentieth of it, a refusal a
 * hundredth. It tells its shard how long requests wait for the worker.
 */
final class CellServer implements StackUser {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int CHEAP = 20;
    private static final int REFUSAL = 100;

    private record Waits(ServerTransaction transaction, SipRequest request, long since) {}

    private final SimulatedNetwork network;
    private final SimulatedNode node;
    private final String host;
    private final long serviceNanos;
    private final ArrayDeque<Waits> waiting = new ArrayDeque<>();
    private boolean works;
    private long owedNanos;

    CellServer(
            SimulatedNetwork network, String host, StackConfig.Builder config, long serviceNanos) {
        this.network = network;
        this.host = host;
        this.serviceNanos = serviceNanos;
        this.node = SimulatedNode.start(network, host, host, 5060, 1, config.build(), this);
        look();
    }

    InetSocketAddress address() {
        return node.address();
    }

    private Shard shard() {
        return node.shards().getFirst();
    }

    long refused() {
        return shard().counters().get(Counter.SHED)
                + shard().counters().get(Counter.SHED_UNANSWERED);
    }

    /** What has not begun waits, too. */
    private void look() {
        Waits oldest = waiting.peek();
        if (oldest != null) {
            tell(oldest);
        }
        long before = owed();
        network.time()
                .after(
                        LOOK_NANOS,
                        () -> {
                            owedNanos += (owed() - before) * serviceNanos / REFUSAL;
                            look();
                        });
    }

    private long owed() {
        return shard().counters().get(Counter.SHED);
    }

    private void tell(Waits one) {
        shard().overload().delay().waited(Waiting.HANDLER, network.time().nanoTime() - one.since());
    }

    @Override
    public void request(Shard which, ServerTransaction transaction, SipRequest request) {
        transaction.setRole(Role.UAS);
        waiting.add(new Waits(transaction, request, network.time().nanoTime()));
        if (!works) {
            work();
        }
    }

    private void work() {
        Waits one = waiting.poll();
        works = one != null;
        if (one == null) {
            return;
        }
        tell(one);
        boolean invite = one.request().is("INVITE");
        long takes = (invite ? serviceNanos : serviceNanos / CHEAP) + owedNanos;
        owedNanos = 0;
        network.time()
                .after(
                        takes,
                        () -> {
                            node.run(shard(), () -> answer(one.transaction(), invite));
                            work();
                        });
    }

    private void answer(ServerTransaction transaction, boolean invite) {
        MessageDraft draft =
                MessageDraft.responseTo(transaction.request(), 200, null, transaction.localTag());
        draft.set(HeaderName.CONTACT, "<sip:" + host + ">");
        if (invite) {
            transaction.respondAsUas(draft.freezeResponse());
        } else {
            transaction.respond(draft.freezeResponse());
        }
    }

    @Override
    public boolean ack(Shard which, SipRequest ack, Hop from, boolean byToken) {
        return true;
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        // Its answer is of no use, and is made all the same.
    }

    @Override
    public void strayResponse(Shard which, SipResponse response, Hop from) {
        throw new IllegalStateException("it sends no requests");
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        // The caller has given up.
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        throw new IllegalStateException("it sends no reliable 1xx");
    }
}
