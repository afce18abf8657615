package io.carillon.router;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.link.LinkConfig;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.BindFailure;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Tap;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of real sockets with the real stack, which answers everything with 200. */
final class StackNode implements StackUser, Ownership, AutoCloseable {
    /** A request as the stack saw it. */
    record Seen(SipRequest request, Hop from) {}

    /** What another node said. */
    record Told(int node, String text) {}

    final int number;
    final LinkedBlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Told> told = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
    static final FlowTokens FLOWS = new FlowTokens();

    /** Of nodes and routers that take large messages. */
    static final MessageLimits LARGE = new MessageLimits(1 << 18, 1 << 18, 512, 1 << 16);

    private final int loops;
    private final @Nullable Guard guard;
    private final Network network;
    private volatile Owners table = Owners.UNKNOWN;
    private volatile @Nullable Wire wire;

    /** It takes requests and answers none. */
    volatile boolean silent;

    /** Answers what it has not answered, one after the other. */
    final LinkedBlockingQueue<Runnable> late = new LinkedBlockingQueue<>();

    StackNode(int number, HostPort clusterAddress, int loops, @Nullable Guard guard)
            throws BindFailure {
        this(number, clusterAddress, Map.of(), loops, guard);
    }

    StackNode(
            int number,
            HostPort clusterAddress,
            Map<Transport, HostPort> streams,
            int loops,
            @Nullable Guard guard)
            throws BindFailure {
        this(number, clusterAddress, streams, loops, guard, List.of());
    }

    /**
     * As above.
     *
     * @param routers that it knows by its configuration
     */
    StackNode(
            int number,
            HostPort clusterAddress,
            Map<Transport, HostPort> streams,
            int loops,
            @Nullable Guard guard,
            List<InetSocketAddress> routers)
            throws BindFailure {
        this.number = number;
        this.loops = loops;
        this.guard = guard;
        LinkConfig link =
                new LinkConfig(
                        number,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        clusterAddress,
                        streams,
                        RouterWorld.secrets(),
                        this,
                        () -> table,
                        new Partitions(RouterWorld.CLUSTER, RouterWorld.KEYS),
                        (node, content) -> told.add(new Told(node, new String(content, UTF_8))),
                        LinkConfig.PARKED_BYTES,
                        routers);
        network =
                Network.bind(
                        NetworkConfig.of(List.of(), link).withShards(loops), guard, this::shard);
        network.receive();
    }

    private Shard shard(int index, ShardExecutor executor, Wire output, long startNanos) {
        wire = output;
        return Stack.shard(
                index,
                StackConfig.builder()
                        .flowTokens(FLOWS)
                        .limits(LARGE)
                        .conduct(guard)
                        .cluster(
                                new ClusterPlace(
                                        RouterWorld.CLUSTER,
                                        RouterWorld.KEYS,
                                        this,
                                        loops,
                                        () ->
                                                TimeUnit.MILLISECONDS.toNanos(
                                                        System.currentTimeMillis())))
                        .build(),
                executor,
                output,
                this,
                RandomSource.secure(),
                startNanos);
    }

    /** The route that stands for a flow, as Path and Record-Route hold it. */
    @Nullable String route(Hop flow) {
        String uri = FlowRoute.uri(FLOWS, Objects.requireNonNull(wire), flow, true);
        return uri == null ? null : "<" + uri + ">";
    }

    LinkPorts link() {
        return Objects.requireNonNull(network.link());
    }

    /** One owner of all partitions, and one that is next. */
    void table(long version, int owner, int next, Map<Integer, InetSocketAddress> addresses) {
        int[] owners = new int[PARTITIONS];
        int[] nexts = new int[PARTITIONS];
        java.util.Arrays.fill(owners, owner);
        java.util.Arrays.fill(nexts, next);
        table = Owners.of(version, owners, nexts, addresses);
        link().changed();
    }

    /** Even partitions belong to one, odd ones to two. */
    void split(long version, Map<Integer, InetSocketAddress> addresses) {
        int[] owners = new int[PARTITIONS];
        int[] nexts = new int[PARTITIONS];
        for (int i = 0; i < PARTITIONS; i++) {
            owners[i] = 1 + i % 2;
            nexts[i] = 2 - i % 2;
        }
        table = Owners.of(version, owners, nexts, addresses);
        link().changed();
    }

    @Override
    public boolean owns(int partition) {
        int owner = table.owner(partition);
        return owner != PeerId.NONE && owner == number;
    }

    @Override
    public long term(int partition) {
        return table.version();
    }

    long count(NetworkCounter counter) {
        return network.counters().get(counter);
    }

    /** Shows all messages to that one. */
    void tap(Tap onlooker) {
        network.shards().forEach(each -> each.tap(onlooker));
    }

    /** Runs it on an event loop. */
    void onLoop(int loop, Runnable task) {
        network.shards().get(loop).executor().execute(task);
    }

    /** Its call is in another partition than its bytes say. */
    void handOn(Seen request, int partition) {
        byte[] bytes =
                java.util.Arrays.copyOf(request.request().bytes(), request.request().length());
        onLoop(
                0,
                () ->
                        assertThat(
                                        Objects.requireNonNull(wire)
                                                .handOn(bytes, request.from(), partition))
                                .isTrue());
    }

    Seen next() throws InterruptedException {
        Seen next = seen.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request within 10 s");
        }
        return next;
    }

    void send(String method, String target) {
        send(method, target, null, null);
    }

    /**
     * @param route put on top; null for none
     * @param flow the hop to take; null for that of the target
     */
    void send(String method, String target, @Nullable String route, @Nullable Hop flow) {
        Shard home = network.shards().getFirst();
        home.executor()
                .execute(() -> {
                    MessageDraft draft = MessageDraft.request(method, uri(target));
                    draft.set(HeaderName.FROM, "<sip:us@cluster.example>;tag=" + home.newTag(-1));
                    draft.set(HeaderName.TO, "<" + target + ">");
                    draft.set(HeaderName.CALL_ID, home.newCallId(-1));
                    draft.setCSeq(1, method);
                    draft.set(HeaderName.MAX_FORWARDS, "70");
                    if (route != null) {
                        draft.addFirst(HeaderName.ROUTE, route);
                    }
                    home.send(
                            new OutgoingRequest(
                                            draft,
                                            new AttemptUser() {
                                                @Override
                                                public void response(
                                                        RequestAttempt attempt,
                                                        SipResponse response) {
                                                    answers.add(response.status());
                                                }

                                                @Override
                                                public void failed(
                                                        RequestAttempt attempt, Failure failure) {
                                                    failures.add(failure);
                                                    answers.add(0);
                                                }
                                            })
                                    .fixedHop(flow));
                });
    }

    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        seen.add(new Seen(request, transaction.source()));
        if (silent) {
            late.add(() -> shard.executor().execute(() -> answer(transaction)));
        } else {
            answer(transaction);
        }
    }

    private static void answer(ServerTransaction transaction) {
        transaction.claimFinal();
        transaction.respond(
                MessageDraft.responseTo(transaction.request(), 200, null, transaction.localTag())
                        .freezeResponse());
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
        network.close();
    }
}
