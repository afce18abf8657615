package io.carillon.lab.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayTest {
    @Test
    void aDatagramGoesToTheOtherSideOfItsPairUnchanged() throws IOException {
        try (DatagramChannel caller = Relay.bound(0);
                DatagramChannel callee = Relay.bound(0);
                DatagramChannel stranger = Relay.bound(0);
                DatagramChannel channel = Relay.bound(0)) {
            // On loopback a datagram is there when the sending returns: nobody has to wait.
            for (DatagramChannel each : List.of(caller, callee, channel)) {
                each.configureBlocking(false);
            }
            Relay relay = new Relay(port(caller) + ":" + port(callee));
            send(stranger, channel, "of no pair");
            send(caller, channel, "INVITE");
            assertThat(relay.forward(channel)).isTrue();
            assertThat(relay.forward(channel)).isTrue();
            assertThat(received(callee, channel)).isEqualTo("INVITE");
            send(callee, channel, "200 OK");
            assertThat(relay.forward(channel)).isTrue();
            assertThat(received(caller, channel)).isEqualTo("200 OK");
            assertThat(relay.forward(channel)).isFalse();
        }
    }

    @Test
    void aPairNeedsTwoPorts() {
        assertThatThrownBy(() -> new Relay("5060")).hasMessageContaining("LEFT:RIGHT");
    }

    private static int port(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private static void send(DatagramChannel from, DatagramChannel to, String text)
            throws IOException {
        from.send(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), to.getLocalAddress());
    }

    private static String received(DatagramChannel at, DatagramChannel from) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1000);
        SocketAddress source = at.receive(buffer);
        assertThat(source).isEqualTo(from.getLocalAddress());
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }
}
