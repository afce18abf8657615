package io.carillon.grid.link;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jgroups.JChannel;
import org.jgroups.protocols.TCPPING;

/**
 * Tells a channel's discovery where the nodes are now: one whose name was not known as the channel
 * was made, or that has another address since, is found all the same. On the channel's timer, which
 * ends with it.
 */
final class LateNodes {
    private static final long EVERY_MILLIS = 1_000;

    private final TCPPING ping;
    private final Discovery.Nodes nodes;
    private final int portOffset;
    private List<InetSocketAddress> told; // of the timer

    private LateNodes(TCPPING ping, Discovery.Nodes nodes, int portOffset) {
        this.ping = ping;
        this.nodes = nodes;
        this.portOffset = portOffset;
        this.told = nodes.now().get();
    }

    /** Of a channel that is not connected yet. */
    static void follow(JChannel channel, LinkSettings settings) {
        TCPPING ping = channel.getProtocolStack().findProtocol(TCPPING.class);
        if (ping == null || !(settings.discovery() instanceof Discovery.Nodes nodes)) {
            return;
        }
        LateNodes late = new LateNodes(ping, nodes, settings.portOffset());
        var _ =
                channel.getProtocolStack()
                        .getTransport()
                        .getTimer()
                        .scheduleWithFixedDelay(
                                late::tell,
                                EVERY_MILLIS,
                                EVERY_MILLIS,
                                TimeUnit.MILLISECONDS,
                                false);
    }

    private void tell() {
        List<InetSocketAddress> now = nodes.now().get();
        if (!now.equals(told) && !now.isEmpty()) {
            told = now;
            ping.setInitialHosts(
                    now.stream()
                            .map(each ->
                                    new InetSocketAddress(
                                            each.getAddress(), each.getPort() + portOffset))
                            .toList());
        }
    }
}
