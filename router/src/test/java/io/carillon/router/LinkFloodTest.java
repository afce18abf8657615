package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Who reaches the port of a link and has no key fills no memory. */
class LinkFloodTest {
    /** Mark, version and kind of a HELLO, for partition 1: the second loop gets it. */
    private static final byte[] HELLO_OF_NOBODY = {(byte) 0xCB, 1, 1, 0, 0, 1, 1, 0, 0, 1};

    @Test
    void forgedFramesForALoopThatIsBusyDoNotWaitWithoutEnd()
            throws IOException, BindFailure, InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        try (StackNode node = new StackNode(1, new HostPort("127.0.0.1", 5060), 2, null);
                DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            CountDownLatch busy = new CountDownLatch(1);
            node.onLoop(
                    0,
                    () -> {
                        busy.countDown();
                        Awaitility.await().until(() -> free.getCount() == 0);
                    });
            busy.await();
            byte[] forged = new byte[60_000];
            System.arraycopy(HELLO_OF_NOBODY, 0, forged, 0, HELLO_OF_NOBODY.length);
            DatagramPacket packet = new DatagramPacket(forged, forged.length, node.link().local());
            Awaitility.await()
                    .until(() -> {
                        for (int i = 0; i < 20; i++) {
                            stranger.send(packet);
                        }
                        return node.link().count(LinkCounter.DROPPED_CROWDED) > 0;
                    });
            free.countDown();
            Awaitility.await().until(() -> node.link().count(LinkCounter.DROPPED_FORGED) > 50);
            assertThat(node.link().count(LinkCounter.DROPPED_FORGED)).isLessThan(100);
        } finally {
            free.countDown();
        }
    }
}
