package io.carillon.testkit;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.feedback.OcMode;
import io.carillon.sip.overload.OverloadConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleUnaryOperator;

/**
 * Two proxies before three servers, in virtual time under a seed: callers at random as often as a
 * load says, each server with one worker and so with a capacity. Proxies know no load; they choose
 * a server at random, and the next one where that refuses (RFC 3263 4.3).
 */
final class OverloadCell {
    /** Calls each second that one server can serve. */
    static final int CAPACITY = 100;

    static final int SERVERS = 3;
    static final int ALL = SERVERS * CAPACITY;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    final SimulatedNetwork network;
    final List<CellServer> servers = new ArrayList<>();
    final List<ProxyNode> proxies = new ArrayList<>();
    final CellCallers callers;
    private final SplittableRandom random;

    /**
     * @param sheds whether servers do
     * @param mode what servers and proxies tell each other
     */
    OverloadCell(long seed, boolean sheds, OcMode mode) {
        network = new SimulatedNetwork(new VirtualTime(), seed);
        network.conditions(new LinkConditions(0, 0, 0, MILLI, 3 * MILLI, 0));
        random = network.random().split();
        for (int i = 1; i <= SERVERS; i++) {
            // A worker takes 10 ms for a call: messages may wait for a few of them.
            OverloadConfig overload =
                    sheds ? new OverloadConfig(true, 40 * MILLI, 10) : OverloadConfig.OFF;
            servers.add(
                    new CellServer(
                            network,
                            "10.0.3." + i,
                            StackConfig.builder()
                                    .overload(overload)
                                    .edge(edge("10.0.2.0/24", mode)),
                            SECOND / CAPACITY));
        }
        for (int i = 0; i < SERVERS; i++) {
            InetSocketAddress[] order = new InetSocketAddress[SERVERS];
            for (int j = 0; j < SERVERS; j++) {
                order[j] = servers.get((i + j) % SERVERS).address();
            }
            network.domain("from-" + i + ".example", order);
        }
        for (int i = 1; i <= 2; i++) {
            proxies.add(
                    ProxyNode.start(
                            network,
                            "10.0.2." + i,
                            1,
                            user -> List.of("sip:x@from-" + random.nextInt(SERVERS) + ".example"),
                            StackConfig.builder().edge(edge("10.0.3.0/24", mode))));
        }
        callers =
                new CellCallers(
                        network,
                        proxies.stream().map(proxy -> proxy.node().address()).toList(),
                        network.random().split());
    }

    private static EdgeConfig edge(String peers, OcMode mode) {
        PeerTable table =
                PeerTable.builder()
                        .add(
                                Peer.named("neighbours").overload(mode),
                                List.of(AddressRange.parse(peers)),
                                List.of())
                        .build();
        return new EdgeConfig(
                table,
                List.of(new byte[32]),
                new InternalHosts(List.of(), List.of()),
                Compliance.DEFAULT);
    }

    /**
     * Lets callers call for so many seconds.
     *
     * @param load at a time in seconds, as a part of the capacity of all
     */
    void run(int seconds, DoubleUnaryOperator load) {
        long end = network.time().nanoTime() + seconds * SECOND;
        long start = network.time().nanoTime();
        next(start, end, load);
        network.time().runFor(Duration.ofSeconds(seconds));
    }

    private void next(long start, long end, DoubleUnaryOperator load) {
        long now = network.time().nanoTime();
        double perSecond = Math.max(0.01, load.applyAsDouble((now - start) * 1e-9)) * ALL;
        long gap = (long) (-Math.log(1 - random.nextDouble()) * SECOND / perSecond);
        network.time()
                .after(
                        Math.min(gap, SECOND / 10),
                        () -> {
                            if (network.time().nanoTime() < end) {
                                if (gap <= SECOND / 10) {
                                    callers.call();
                                }
                                next(start, end, load);
                            }
                        });
    }

    /**
     * The worst window: goodput as a part of the capacity, or of what was asked for where that is
     * less.
     *
     * @param from seconds that do not count at the beginning
     */
    double worst(int from, int seconds, int window) {
        double worst = Double.MAX_VALUE;
        for (int at = from; at + window <= seconds; at++) {
            worst = Math.min(worst, goodput(at, at + window));
        }
        return worst;
    }

    double goodput(int from, int to) {
        double done = Arrays.stream(callers.done(), from, to).sum();
        double asked = Arrays.stream(callers.asked(), from, to).sum();
        return done / Math.max(1, Math.min(asked, (double) ALL * (to - from)));
    }

    long refusedByServers() {
        return servers.stream().mapToLong(CellServer::refused).sum();
    }
}
