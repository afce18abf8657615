package io.carillon.net.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ClientChannelsTest {
    /** The kernel is asked, not the object that set it. */
    @Test
    void theKernelGivesUpOnAPeerThatTakesNothingAfterTimerB() {
        assumeTrue(Epoll.isAvailable());
        StreamWindow window = new StreamWindow(() -> 0, nanos -> {});
        EpollSocketChannel channel =
                (EpollSocketChannel)
                        ClientChannels.fresh(
                                true, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        try {
            ClientChannels.set(channel, window);
            assertThat(channel.config().getTcpUserTimeout()).isEqualTo(32_000);
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
        } finally {
            channel.unsafe().closeForcibly();
            window.release();
        }
    }
}
