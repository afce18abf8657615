package io.carillon.testkit;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.CarriedWork;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A SIP node of one or more shards on a {@link SimulatedNetwork}: the same stack as in production,
 * on virtual time. Tasks between shards run after a random delay, in the order of their queue.
 * Owner: the test's thread.
 */
public final class SimulatedNode {
    /** Longest time a task waits in the queue of a shard. */
    private static final long MAX_QUEUE_NANOS = 2_000_000L;

    /** How long the answer to a keep-alive is waited for (RFC 5626 section 4.4.1). */
    private static final long PONG_NANOS = 10_000_000_000L;

    private final SimulatedNetwork network;
    private final String name;
    private final InetSocketAddress address;
    private final String host;
    private final StackConfig config;
    private final SplittableRandom random;
    private final List<Shard> shards = new ArrayList<>();
    private final List<Queue> queues = new ArrayList<>();
    private final List<InetSocketAddress> more = new ArrayList<>();
    private final List<String> aliases = new ArrayList<>();
    private @Nullable HandOn others;
    private boolean streams;
    private boolean carries;
    private final SimulatedProcess process = new SimulatedProcess();

    private SimulatedNode(
            SimulatedNetwork network, String name, String host, int port, StackConfig config) {
        this.network = network;
        this.name = name;
        this.host = host;
        this.address = SimulatedNetwork.address(host, port);
        this.config = config;
        this.random = network.random().split();
    }

    /**
     * Starts a node.
     *
     * @param name for traces
     * @param host address literal
     */
    public static SimulatedNode start(
            SimulatedNetwork network,
            String name,
            String host,
            int port,
            int shards,
            StackConfig config,
            StackUser user) {
        SimulatedNode node = new SimulatedNode(network, name, host, port, config);
        RandomSource tokens = RandomSource.seeded(node.random.nextLong());
        for (int i = 0; i < shards; i++) {
            Queue queue = node.new Queue();
            Shard shard =
                    Stack.shard(
                            i,
                            config,
                            queue,
                            node.new NodeWire(queue),
                            user,
                            tokens,
                            network.time().nanoTime());
            queue.shard = shard;
            node.queues.add(queue);
            node.shards.add(shard);
            network.time().drive(queue);
        }
        network.bind(node.address, node::arrived);
        network.added(node);
        return node;
    }

    public String name() {
        return name;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** {@code host:port} for use in URIs. */
    public String hostPort() {
        return host + ":" + address.getPort();
    }

    public List<Shard> shards() {
        return shards;
    }

    public SimulatedNetwork network() {
        return network;
    }

    /** Makes a domain name count as an address of this node. */
    public SimulatedNode alias(String domain) {
        aliases.add(domain);
        return this;
    }

    /**
     * Makes the node multihomed: it listens on this address too, and sends from it what is to leave
     * there.
     *
     * @param literal address literal
     */
    public SimulatedNode listen(String literal, int port) {
        InetSocketAddress other = SimulatedNetwork.address(literal, port);
        more.add(other);
        network.bind(other, this::arrived);
        return this;
    }

    private InetSocketAddress own(@Nullable InetSocketAddress wanted) {
        if (wanted != null) {
            for (InetSocketAddress other : more) {
                if (other.getAddress().equals(wanted.getAddress())) {
                    return other;
                }
            }
        }
        return address;
    }

    /** Lets requests that are too large for a datagram change to TCP (RFC 3261 18.1.1). */
    public SimulatedNode streams(boolean value) {
        streams = value;
        return this;
    }

    /** Makes it one of several nodes, between which that hands on requests. */
    public SimulatedNode amongOthers(HandOn between) {
        others = between;
        return this;
    }

    /** A message came to the address that it shares with others, of a partition of this node. */
    public void arrives(byte[] bytes, Hop from, int partition) {
        if (!process.hears()) {
            return;
        }
        int at = partition % shards.size();
        process.whenItRuns(
                () -> queues.get(at).enter(() -> arrived(shards.get(at), bytes, from, partition)));
    }

    private void arrived(Shard shard, byte[] bytes, Hop from, int partition) {
        shard.receive(false, bytes, bytes.length, from, partition, network.time().nanoTime());
    }

    /** Its process, which may be stopped, or cut off. */
    public SimulatedProcess process() {
        return process;
    }

    /** Lets shards carry handlers beside them, as a network's loops do. */
    public SimulatedNode carries(boolean value) {
        carries = value;
        return this;
    }

    /** The node dies: nothing arrives, no timer fires, nothing is sent any more. */
    public void crash() {
        process.end();
        network.unbind(address);
        more.forEach(network::unbind);
    }

    /** Runs a task on a shard, now; for tests that act from outside. */
    public void run(Shard shard, Runnable task) {
        Queue queue = queues.get(shard.index());
        if (queue.inShard()) {
            task.run();
        } else {
            queue.enter(task);
        }
    }

    /** What is left in this node; empty when it holds no transaction and no timer. */
    public String leftovers() {
        StringBuilder text = new StringBuilder();
        for (Shard shard : shards) {
            int transactions = shard.transactionCount();
            int timers = shard.timers().size();
            if (!process.ended() && (transactions > 0 || timers > 0)) {
                text.append(name)
                        .append(" shard ")
                        .append(shard.index())
                        .append(": ")
                        .append(transactions)
                        .append(" transactions, ");
                text.append(timers).append(" timers; ");
            }
        }
        return text.toString();
    }

    private void arrived(
            byte[] bytes, Transport transport, InetSocketAddress from, InetSocketAddress to) {
        if (!process.hears()) {
            return;
        }
        int count = shards.size();
        int index = count == 1 ? 0 : config.tokens().shardOf(bytes, bytes.length, count);
        Hop hop = new Hop(transport, to, from, 0);
        Queue queue = queues.get(index);
        process.whenItRuns(() ->
                queue.enter(() ->
                        shards.get(index)
                                .receive(bytes, bytes.length, hop, network.time().nanoTime())));
    }

    @Override
    public String toString() {
        return name + " " + hostPort();
    }

    /** The executor and the clock of one shard. */
    private final class Queue implements ShardExecutor, VirtualTime.Clocked {
        private @Nullable Shard shard;
        private boolean inside;
        private long lastAt;

        void enter(Runnable task) {
            if (inside) {
                throw new IllegalStateException("already on the shard's thread");
            }
            inside = true;
            try {
                task.run();
            } finally {
                inside = false;
            }
        }

        @Override
        public boolean inShard() {
            return inside;
        }

        @Override
        public long nanoTime() {
            return network.time().nanoTime();
        }

        @Override
        public void execute(Runnable task) {
            // At random, but in the order of the queue.
            lastAt = Math.max(lastAt, network.time().nanoTime() + random.nextLong(MAX_QUEUE_NANOS));
            network.time().at(lastAt, () -> process.whenItRuns(() -> enter(task)));
        }

        @Override
        public void executeIn(long nanos, Runnable task) {
            network.time().after(nanos, () -> execute(task));
        }

        @Override
        public boolean carry(CarriedWork work) {
            if (!carries) {
                return false;
            }
            network.time().after(random.nextLong(MAX_QUEUE_NANOS), () -> process.carry(work));
            return true;
        }

        @Override
        public long nextDeadlineNanos() {
            return shard == null || !process.runs() ? NEVER : shard.timers().nextDeadlineNanos();
        }

        @Override
        public void advance(long nowNanos) {
            Shard s = shard;
            if (s != null && process.runs()) {
                enter(() -> s.advance(nowNanos));
            }
        }
    }

    /** The network as a shard sees it. */
    private final class NodeWire implements Wire {
        private final Queue queue;

        private final Map<String, Hop> nameless = new HashMap<>();
        private final Map<InetSocketAddress, String> named = new HashMap<>();
        private final Map<InetSocketAddress, Long> users = new HashMap<>();

        NodeWire(Queue queue) {
            this.queue = queue;
        }

        @Override
        public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
            if (!process.isHeard()) {
                return;
            }
            byte[] bytes = Arrays.copyOf(message.bytes(), message.length());
            boolean sent = network.send(to.transport(), own(to.local()), to.remote(), bytes);
            if (!sent && onFailure != null) {
                queue.execute(() -> onFailure.sendFailed(to, "nobody listens there"));
            }
        }

        @Override
        public void sendBytes(Hop to, byte[] message, int length) {
            if (process.isHeard()) {
                byte[] bytes = Arrays.copyOf(message, length);
                network.send(to.transport(), own(to.local()), to.remote(), bytes);
            }
        }

        @Override
        public boolean handOn(byte[] request, Hop from, int partition) {
            HandOn between = others;
            return between != null && between.handOn(request, from, partition);
        }

        @Override
        public HostPort sentBy(
                Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
            InetSocketAddress from = own(local);
            return from.equals(address)
                    ? new HostPort(host, address.getPort())
                    : new HostPort(from.getAddress().getHostAddress(), from.getPort());
        }

        /** Clients in browsers, by who used their name first and is still there. */
        @Override
        public void reachedBy(String name, Hop from) {
            named.put(from.remote(), name);
            nameless.merge(
                    name, from, (known, other) -> network.bound(known.remote()) ? known : other);
        }

        /** Who proves to be the user that has the name has it now. */
        @Override
        public void proved(Hop from, long user) {
            if (user == 0) {
                return;
            }
            users.put(from.remote(), user);
            String name = named.get(from.remote());
            Hop holder = name == null ? null : nameless.get(name);
            if (name != null && holder != null && users.getOrDefault(holder.remote(), 0L) == user) {
                nameless.put(name, from);
            }
        }

        @Override
        public boolean isOf(Hop from, long user) {
            return users.getOrDefault(from.remote(), 0L) == user;
        }

        @Override
        public boolean reaches(String name) {
            Hop known = nameless.get(name);
            return known != null && network.bound(known.remote());
        }

        /** A browser's connection is there as long as it is. */
        @Override
        public boolean alive(Hop flow) {
            return !flow.transport().webSocket() || network.bound(flow.remote());
        }

        @Override
        public void resolve(
                Uri target,
                @Nullable Transport preferred,
                LookupBudget budget,
                Consumer<List<Hop>> result) {
            if (!(target instanceof SipUri sip)) {
                result.accept(List.of());
                return;
            }
            if (sip.host().endsWith(".invalid")) {
                Hop known = nameless.get(sip.host());
                result.accept(known == null ? List.of() : List.of(known));
                return;
            }
            Transport transport = transport(sip, preferred);
            String maddr = sip.param("maddr");
            String named = maddr == null ? sip.host() : maddr;
            int port = sip.port() > 0 ? sip.port() : transport.defaultPort();
            InetAddress address = literal(named);
            if (address != null) {
                Hop hop = Hop.to(transport, new InetSocketAddress(address, port));
                result.accept(Hop.refused(address) ? List.of() : List.of(hop));
                return;
            }
            List<Hop> hops = new ArrayList<>();
            for (InetSocketAddress found : network.lookup(named, budget)) {
                hops.add(Hop.to(transport, found));
            }
            queue.execute(() -> result.accept(hops));
        }

        private Transport transport(SipUri uri, @Nullable Transport preferred) {
            String param = uri.param("transport");
            Transport named = param == null ? null : Transport.of(param);
            if (named != null) {
                return uri.secure() && named == Transport.TCP ? Transport.TLS : named;
            }
            return uri.secure() ? Transport.TLS : preferred != null ? preferred : Transport.UDP;
        }

        /** The address that is written in digits; null for a name. */
        private static @Nullable InetAddress literal(String text) {
            int last = text.length() - 1;
            boolean brackets = last > 0 && text.charAt(0) == '[' && text.charAt(last) == ']';
            String digits = brackets ? text.substring(1, last) : text;
            try {
                // RFC 5118 4.10: three colons, which the grammar of RFC 3261 wrongly allows.
                return InetAddress.ofLiteral(digits.replace(":::", "::"));
            } catch (IllegalArgumentException name) {
                return null;
            }
        }

        /** A node that listens on loopback among others passes only its own machine's there. */
        @Override
        public boolean mayPass(Origin origin, InetSocketAddress remote) {
            boolean inner = more.stream().anyMatch(other -> other.getAddress().isLoopbackAddress());
            return !inner
                    || origin == Origin.OWN
                    || origin.where() == Origin.LOOPBACK
                    || !remote.getAddress().isLoopbackAddress();
        }

        @Override
        public boolean isOwnHost(String asked) {
            return isLocal(asked, address.getPort()) || isLocal(asked, -1);
        }

        @Override
        public boolean isLocal(String asked, int port) {
            if (aliases.contains(asked)) {
                return port < 0 || port == address.getPort();
            }
            for (InetSocketAddress other : more) {
                if (asked.equals(other.getAddress().getHostAddress())
                        && (port == other.getPort() || port < 0)) {
                    return true;
                }
            }
            return asked.equals(host)
                    && (port == address.getPort()
                            || (port < 0 && address.getPort() == Transport.UDP.defaultPort()));
        }

        /** Whoever is bound there answers, over every transport; nobody else does. */
        @Override
        public void ping(Hop flow, Pong result) {
            if (network.bound(flow.remote())) {
                queue.execute(() -> result.answered(own(flow.local())));
            } else {
                network.time().after(PONG_NANOS, () -> queue.execute(result::failed));
            }
        }

        @Override
        public boolean sends(Transport transport) {
            return transport == Transport.UDP || (streams && transport == Transport.TCP);
        }
    }
}
