package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member whose process ended: the others go on without it, and need not ask it first. */
class ClosedConnectionsTest {
    private final List<JChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    private void connect(List<InetSocketAddress> addresses, int number) throws Exception {
        JChannel channel = LinkStack.channel(Loopback.settings("closed", addresses, number));
        VERIFY_SUSPECT2 asks = channel.getProtocolStack().findProtocol(VERIFY_SUSPECT2.class);
        asks.setTimeout(600_000);
        channels.add(channel);
        channel.connect("closed");
    }

    @Test
    void aDeadCoordinatorIsLeftOutAtOnce() throws Exception {
        List<InetSocketAddress> addresses = Loopback.addresses(2);
        connect(addresses, 0);
        connect(addresses, 1);
        JChannel second = channels.get(1);
        Loopback.until("both", () -> second.getView().size() == 2);
        Address first = channels.getFirst().getAddress();
        assertThat(second.getView().getCoord()).isEqualTo(first);
        List<Address> told = new CopyOnWriteArrayList<>();
        ClosedConnections.onDeath(second, told::add);
        Util.shutdown(channels.getFirst());
        Loopback.until("the view without it", () -> second.getView().size() == 1);
        assertThat(told).contains(first);
    }
}
