package io.carillon.net;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.loop.LoopNetwork;
import io.carillon.net.stream.CloseCause;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.transaction.TransactionTimers;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network with a user that answers everything with 200 and writes down what it saw: the real
 * thing below the container.
 */
final class Node implements StackUser, AutoCloseable {

    /** A request as it came. */
    record Seen(SipRequest request, Hop from, int shard, String thread) {}

    /** How a request that we sent ended: a status, or a failure. */
    record Ended(int status, Failure failure) {}

    /** A connection that ended. */
    record Closed(Hop peer, CloseCause cause) {}

    final LinkedBlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Closed> closed = new LinkedBlockingQueue<>();
    final List<Wire> wires = new ArrayList<>();

    /** Requests are kept here instead of answered, when there is such a queue. */
    volatile @Nullable Queue<ServerTransaction> held;

    private final @Nullable Guard guard;
    private final TransactionTimers timers;
    private final @Nullable ClusterPlace cluster;
    private final @Nullable Network sockets;
    private final List<Shard> shards;

    /** On real sockets. */
    Node(NetworkConfig config) throws BindFailure {
        this(config, null);
    }

    /** On real sockets, with somebody before them who is told what the shards see. */
    Node(NetworkConfig config, @Nullable Guard guard) throws BindFailure {
        this(config, guard, TransactionTimers.DEFAULT);
    }

    /** On real sockets, with timers of its own. */
    Node(NetworkConfig config, @Nullable Guard guard, TransactionTimers timers) throws BindFailure {
        this(config, guard, timers, null);
    }

    /** On real sockets, in a cluster. */
    static Node inCluster(NetworkConfig config, ClusterPlace cluster) throws BindFailure {
        return new Node(config, null, TransactionTimers.DEFAULT, cluster);
    }

    private Node(
            NetworkConfig config,
            @Nullable Guard guard,
            TransactionTimers timers,
            @Nullable ClusterPlace cluster)
            throws BindFailure {
        this.guard = guard;
        this.timers = timers;
        this.cluster = cluster;
        Network started = Network.bind(config, guard, this::shard);
        started.receive();
        started.addConnectionListener((peer, cause) -> closed.add(new Closed(peer, cause)));
        sockets = started;
        shards = started.shards();
    }

    /** On a network in memory, which also closes it. */
    Node(LoopNetwork network, InetSocketAddress address, int shards) {
        sockets = null;
        guard = null;
        timers = TransactionTimers.DEFAULT;
        cluster = null;
        this.shards = network.join(address, shards, this::shard);
    }

    private Shard shard(int index, ShardExecutor executor, Wire wire, long startNanos) {
        wires.add(wire);
        return Stack.shard(
                index,
                StackConfig.builder().conduct(guard).timers(timers).cluster(cluster).build(),
                executor,
                wire,
                this,
                RandomSource.secure(),
                startNanos);
    }

    Network network() {
        return Objects.requireNonNull(sockets);
    }

    List<Shard> shards() {
        return shards;
    }

    /** Runs a task on a shard's thread. */
    void on(int shard, Runnable task) {
        shards.get(shard).executor().execute(task);
    }

    /** UDP and TCP on loopback, on ports that the system chooses. */
    static NetworkConfig loopback(int shards) {
        return NetworkConfig.of(
                        List.of(
                                new ListeningPoint(Transport.UDP, "127.0.0.1", 0),
                                new ListeningPoint(Transport.TCP, "127.0.0.1", 0)))
                .withShards(shards);
    }

    int udp() {
        return network().port(Transport.UDP);
    }

    int tcp() {
        return network().port(Transport.TCP);
    }

    long count(NetworkCounter counter) {
        return network().counters().get(counter);
    }

    Seen next() throws InterruptedException {
        Seen next = seen.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request within 10 s");
        }
        return next;
    }

    /** Sends a request out of a shard; what becomes of it is put into {@link #ended}. */
    RequestAttempt send(int shard, String method, String target) {
        Shard home = shards.get(shard);
        MessageDraft draft = MessageDraft.request(method, uri(target));
        draft.set(HeaderName.FROM, "<sip:us@localhost>;tag=" + home.newTag(-1));
        draft.set(HeaderName.TO, "<" + target + ">");
        draft.set(HeaderName.CALL_ID, home.newCallId(-1));
        draft.setCSeq(1, method);
        draft.set(HeaderName.MAX_FORWARDS, "70");
        return home.send(
                new OutgoingRequest(
                        draft,
                        new AttemptUser() {
                            @Override
                            public void response(RequestAttempt attempt, SipResponse response) {
                                ended.add(new Ended(response.status(), null));
                            }

                            @Override
                            public void failed(RequestAttempt attempt, Failure failure) {
                                ended.add(new Ended(0, failure));
                            }
                        }));
    }

    static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        seen.add(
                new Seen(
                        request,
                        transaction.source(),
                        shard.index(),
                        Thread.currentThread().getName()));
        Queue<ServerTransaction> waiting = held;
        if (waiting == null) {
            answer(transaction);
        } else {
            waiting.add(transaction);
        }
    }

    /** Answers 200; any thread. */
    static void answer(ServerTransaction transaction) {
        transaction.claimFinal();
        SipResponse ok =
                MessageDraft.responseTo(transaction.request(), 200, null, transaction.localTag())
                        .freezeResponse();
        transaction.respond(ok);
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        return true;
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {}

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {}

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {}

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {}

    @Override
    public void close() {
        if (sockets != null) {
            sockets.close();
        }
    }
}
