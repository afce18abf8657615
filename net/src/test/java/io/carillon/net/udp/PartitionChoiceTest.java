package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A frame of the link lies in the socket of its partition modulo loops. */
class PartitionChoiceTest {
    private static byte[] frame(int partition) {
        byte[] frame = new byte[40];
        frame[4] = (byte) (partition >> 8);
        frame[5] = (byte) partition;
        return frame;
    }

    @Test
    void theProgramReadsThePartition() {
        for (int loops = 1; loops < 10; loops++) {
            for (int partition = 0; partition < 1024; partition++) {
                byte[] frame = frame(partition);
                assertThat(FilterInterpreter.run(PartitionChoice.program(loops), frame, 40))
                        .isEqualTo(partition % loops);
            }
        }
    }

    @Test
    void theKernelGivesEachFrameToItsLoop() throws IOException, InterruptedException, BindFailure {
        int loops = 3;
        LoopCounts[] tallies = {new LoopCounts(), new LoopCounts(), new LoopCounts()};
        LinkedBlockingQueue<int[]> got = new LinkedBlockingQueue<>();
        DatagramTaker taker =
                (loop, bytes, length) ->
                        got.add(new int[] {(bytes[4] & 0xFF) << 8 | bytes[5] & 0xFF, loop.index()});
        try (ShardGroup group = new ShardGroup(loops, true, tallies, System.nanoTime())) {
            Assumptions.assumeTrue(group.epoll(), "no epoll here");
            ListeningPoint point = new ListeningPoint(Transport.UDP, "127.0.0.1", 0);
            try (UdpListener listener =
                            UdpListener.bind(
                                    point,
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                    group,
                                    UdpConfig.defaults(),
                                    false,
                                    new DatagramScreening(null, new StunPings(), taker));
                    DatagramSocket router = new DatagramSocket()) {
                listener.receive();
                for (int partition = 0; partition < 1024; partition += 7) {
                    router.send(new DatagramPacket(frame(partition), 40, listener.local()));
                    int[] one = got.poll(10, TimeUnit.SECONDS);
                    assertThat(one).isNotNull();
                    assertThat(one[0]).isEqualTo(partition);
                    assertThat(one[1]).isEqualTo(partition % loops);
                }
            }
        }
    }
}
