package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.carillon.cluster.link.FrameKind;
import io.carillon.cluster.link.LinkCounts;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkIdentity;
import io.carillon.cluster.link.LinkListener;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.RouterBranch;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Partitions;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The router keeps nothing of a message, and makes next to nothing for it. */
class ForwarderAllocationTest {
    private static final int ROUTER = PeerId.router(0);
    private static final int NODE = 1;
    private static final int MESSAGES = 20_000;

    /** Two digits of addresses for a frame, until the compiler has seen that they die at once. */
    private static final long MOST_BYTES = 160;

    private byte @Nullable [] lastFrame;

    @Test
    void aMessageCostsNoHeap() {
        // Two ends that have said HELLO to each other by hand.
        LinkCounts counts = new LinkCounts();
        byte[][] from = new byte[2][];
        LinkEndpoint router =
                new LinkEndpoint(
                        identity(ROUTER), counts, (f, l, to) -> from[0] = Arrays.copyOf(f, l));
        LinkEndpoint node =
                new LinkEndpoint(
                        identity(NODE), counts, (f, l, to) -> from[1] = Arrays.copyOf(f, l));
        LinkStream routers =
                new LinkStream(0, router, counts, (f, l, to) -> lastFrame = l > 0 ? f : lastFrame);
        byte[][] out = new byte[1][];
        LinkStream nodes =
                new LinkStream(0, node, counts, (f, l, to) -> out[0] = Arrays.copyOf(f, l));
        RouterCounts routerCounts = new RouterCounts();
        Forwarder forwarder =
                new Forwarder(
                        new Forwarder.Parts(
                                router,
                                routers,
                                new Partitions(RouterWorld.CLUSTER, RouterWorld.KEYS),
                                new RouterBranch(RouterWorld.CLUSTER, RouterWorld.secrets()),
                                (listener, bytes, length, to) -> {},
                                routerCounts),
                        List.of(
                                new Forwarder.Front(
                                        Transport.UDP,
                                        RouterWorld.PUBLIC,
                                        "cluster.example.com:5060")));
        node.say(NodeHealth.READY, 0);
        router.know(NODE, RouterWorld.linkOf(NODE));
        node.know(ROUTER, RouterWorld.linkOf(ROUTER));
        LinkStream.Taker nobody = (kind, message, now) -> {};
        long now = 1;
        router.beat();
        nodes.received(from[0], from[0].length, now, nobody);
        routers.received(from[1], from[1].length, now, forwarder);
        nodes.received(from[0], from[0].length, now, nobody);

        byte[] request =
                RouterWorld.bytes(
                        "INVITE sip:bob@example.com SIP/2.0\r\n"
                                + "Via: SIP/2.0/UDP 192.0.2.77;branch=z9hG4bKa\r\n"
                                + "From: <sip:a@example.com>;tag=1\r\nTo: <sip:b@example.com>\r\n"
                                + "Call-ID: abc\r\nCSeq: 1 INVITE\r\n\r\n");
        String branch = RouterWorld.TOKENS.branchOf(5, 1, 0);
        byte[] own = RouterWorld.bytes(RouterWorld.text(request).replace("z9hG4bKa", branch));
        LinkMessage outgoing =
                new LinkMessage()
                        .of(5)
                        .by(ROUTER, 0, Transport.UDP)
                        .between(RouterWorld.CALLEE, null)
                        .message(own, 0, own.length);
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long spent = 0;
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(nodes.send(FrameKind.OUT, ROUTER, outgoing)).isTrue();
                byte[] frame = out[0];
                long before = memory.getCurrentThreadAllocatedBytes();
                forwarder.received(request, request.length, RouterWorld.PHONE, 0, now);
                routers.received(frame, frame.length, now, forwarder);
                spent += memory.getCurrentThreadAllocatedBytes() - before;
            }
            least = Math.min(least, spent / (2L * MESSAGES));
        }
        assertThat(routerCounts.get(RouterCounter.REQUESTS_OUT)).isEqualTo(5L * MESSAGES);
        assertThat(routerCounts.get(RouterCounter.TO_ANY)).isEqualTo(5L * MESSAGES);
        assertThat(least).as("bytes for each message").isLessThan(MOST_BYTES);
    }

    private static LinkIdentity identity(int self) {
        return new LinkIdentity(
                self,
                RouterWorld.secrets(),
                RouterWorld.linkOf(self),
                self == ROUTER
                        ? List.of(new LinkListener(Transport.UDP, RouterWorld.PUBLIC))
                        : List.of(),
                100);
    }
}
