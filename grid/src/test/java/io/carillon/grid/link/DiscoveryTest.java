package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.grid.Loopback;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.jdbcx.JdbcDataSource;
import org.jgroups.JChannel;
import org.jgroups.protocols.MPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes find each other without multicast. */
class DiscoveryTest {
    private final List<InetSocketAddress> addresses = Loopback.addresses(2);
    private final List<JChannel> channels = new ArrayList<>();

    private JChannel connect(int number, Discovery discovery) throws Exception {
        JChannel channel = LinkStack.channel(settings(number, discovery));
        channels.add(channel);
        channel.connect("found");
        return channel;
    }

    private LinkSettings settings(int number, Discovery discovery) {
        return new LinkSettings(
                "found",
                number,
                addresses.get(number),
                0,
                discovery,
                new ClusterKey("found", List.of(new byte[32])));
    }

    @AfterEach
    void close() {
        channels.reversed().forEach(JChannel::close);
    }

    @Test
    void theDatabaseSaysWhereTheOthersAre() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:found;DB_CLOSE_DELAY=-1");
        Discovery database = new Discovery.Database(() -> source);
        JChannel first = connect(0, database);
        JChannel second = connect(1, database);
        Loopback.until(
                "both see both, by the join or by the merge of two that came up alone",
                () -> first.getView().size() == 2 && second.getView().size() == 2);
    }

    /** Two containers that started before the name server knew the other one's name. */
    @Test
    void nodesFindEachOtherAsTheNameOfOneComesToBeKnown() throws Exception {
        AtomicReference<List<InetSocketAddress>> known =
                new AtomicReference<>(addresses.subList(0, 1));
        JChannel first = connect(0, new Discovery.Nodes(known::get));
        JChannel second = connect(1, new Discovery.Nodes(addresses.subList(1, 2)));
        assertThat(first.getView().size()).isEqualTo(1);
        assertThat(second.getView().size()).isEqualTo(1);
        known.set(addresses);
        Loopback.until(
                "both see both", () -> first.getView().size() == 2 && second.getView().size() == 2);
    }

    @Test
    void theStackHasNoMulticastAndOnePortWithTls() throws Exception {
        JChannel channel = connect(0, new Discovery.Nodes(addresses));
        List<Class<? extends Protocol>> protocols = new ArrayList<>();
        channel.getProtocolStack().getProtocols().forEach(p -> protocols.add(p.getClass()));
        assertThat(protocols).doesNotContain(UDP.class, MPING.class);
        assertThat(protocols)
                .extracting(Class::getSimpleName)
                .doesNotContain("FD_SOCK", "FD_SOCK2");
        LinkStack.check(channel);
        TP transport = channel.getProtocolStack().getTransport();
        assertThat(transport.getBindAddress()).isEqualTo(addresses.get(0).getAddress());
        assertThat(transport.getDiagnosticsHandler().isEnabled()).isFalse();
    }

    @Test
    void anotherStackIsRefused() throws Exception {
        try (JChannel other = new JChannel("tcp.xml")) {
            assertThatThrownBy(() -> LinkStack.check(other)).hasMessageContaining("another stack");
        }
    }
}
