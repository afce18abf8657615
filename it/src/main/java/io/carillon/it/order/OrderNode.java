package io.carillon.it.order;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.Owners;
import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.link.LinkConfig;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.shard.MessageIntake;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.NoUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.RandomSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node without transactions: its event loops look where each message came to and in which order,
 * answer each request, and send a request of their own for every second one. Made and closed by one
 * thread.
 */
final class OrderNode implements Ownership, AutoCloseable {
    private final int number;
    private final int loops;
    private final OrderedCluster cluster;
    private final OrderCounts counts;
    private final Network network;
    private volatile Owners table = Owners.UNKNOWN;

    OrderNode(int number, int loops, OrderedCluster cluster, OrderCounts counts)
            throws BindFailure {
        this.number = number;
        this.loops = loops;
        this.cluster = cluster;
        this.counts = counts;
        HostPort address = new HostPort("127.0.0.1", cluster.port());
        LinkConfig link =
                new LinkConfig(
                        number,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        address,
                        Map.of(Transport.TCP, address),
                        cluster.secrets(),
                        this,
                        () -> table,
                        cluster.partitions(),
                        LinkConfig.Control.NONE,
                        LinkConfig.PARKED_BYTES,
                        List.of());
        network =
                Network.bind(
                        NetworkConfig.of(List.of(), link).withShards(loops), null, this::shard);
        network.receive();
        link().say(NodeHealth.READY);
    }

    private Shard shard(int index, ShardExecutor executor, Wire output, long startNanos) {
        ((ShardLoop) executor).intake(new Taker(index, output));
        return Stack.shard(
                index,
                StackConfig.builder()
                        .cluster(
                                new ClusterPlace(
                                        OrderedCluster.NUMBER,
                                        LinkSecret.tokenKeys(cluster.secrets()),
                                        this,
                                        loops,
                                        () ->
                                                TimeUnit.MILLISECONDS.toNanos(
                                                        System.currentTimeMillis())))
                        .build(),
                executor,
                output,
                new NoUser(),
                RandomSource.secure(),
                startNanos);
    }

    private LinkPorts link() {
        return Objects.requireNonNull(network.link());
    }

    /** Where routers reach it. */
    InetSocketAddress address() {
        return link().local();
    }

    long count(LinkCounter counter) {
        return link().count(counter);
    }

    /** From now on it goes by that table, and tells it. */
    void goBy(Owners owners) {
        table = owners;
        link().changed();
    }

    @Override
    public boolean owns(int partition) {
        return table.owner(partition) == number;
    }

    @Override
    public long term(int partition) {
        return table.version();
    }

    /** Takes what comes to one of its loops; on the loop. */
    private final class Taker implements MessageIntake {
        private final int loop;
        private final Wire wire;
        private final Track requests =
                new Track(cluster.calls().size(), counts, "requests to nodes");
        private final Track answers = new Track(cluster.calls().size(), counts, "answers to nodes");
        private final @Nullable NumberedText[] own =
                new @Nullable NumberedText[cluster.calls().size()];

        Taker(int loop, Wire wire) {
            this.loop = loop;
            this.wire = wire;
        }

        @Override
        public void received(byte[] message, int length, Hop from, long nowNanos) {
            int index = NumberedText.call(message, length);
            int which = NumberedText.number(message, length);
            if (index < 0 || index >= cluster.calls().size() || which < 1) {
                counts.unreadable();
                return;
            }
            OrderedCall call = cluster.calls().get(index);
            if (!owns(call.partition()) || call.partition() % loops != loop) {
                counts.elsewhere();
            }
            if (NumberedText.isResponse(message, length)) {
                answers.came(index, which, from.transport().viaToken());
                return;
            }
            requests.came(index, which, from.transport().viaToken());
            byte[] ok = NumberedText.ok(message, length);
            wire.sendBytes(from, ok, ok.length);
            if (which % 2 == 0) {
                byte[] request = own(call, from).numbered(which / 2);
                wire.sendBytes(from, request, request.length);
            }
        }

        /**
         * Its To tag is that of our end too: what a stack reads in its own branch, {@link
         * Wire#sendBytes} finds there.
         */
        private NumberedText own(OrderedCall call, Hop from) {
            NumberedText text = own[call.index()];
            if (text == null) {
                String via = from.transport().viaToken() + " 127.0.0.1:" + cluster.port();
                text = new NumberedText(call, via, call.tag(), call.tag());
                own[call.index()] = text;
            }
            return text;
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
