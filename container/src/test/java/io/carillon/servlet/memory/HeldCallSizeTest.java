package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.harness.Bridge;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/**
 * What a call weighs in the heap while it is held, and what its transactions add while they linger:
 * stack and container together, the bytes of kept messages included. The heap after a collection,
 * over many calls. On the running server, with the collector that ships: {@code ./carillon bench
 * held}.
 */
class HeldCallSizeTest {
    private static final int COUNT = 5_000;
    private static final long LINGER_NANOS = 40_000_000_000L;

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime r = Runtime.getRuntime();
            least = Math.min(least, r.totalMemory() - r.freeMemory());
        }
        return least;
    }

    private static void setUp(DirectNode node, SipServlet servlet, int number) {
        new DirectCall(node, DirectNode::receive, number).setUp();
        node.sent.clear();
        if (servlet instanceof Bridge bridge) {
            bridge.events.clear();
        }
    }

    /** Bytes of a held call, and of its two INVITE transactions while they linger. */
    private record Size(long held, long lingering) {}

    private static Size measure(SipServlet servlet) {
        DirectNode node = new DirectNode(servlet);
        for (int i = 0; i < 200; i++) {
            setUp(node, servlet, i);
        }
        node.pass(LINGER_NANOS);
        long before = used();
        for (int i = 200; i < 200 + COUNT; i++) {
            setUp(node, servlet, i);
        }
        long lingering = used();
        node.pass(LINGER_NANOS);
        assertThat(node.shard.transactionCount()).isZero();
        long held = used();
        assertThat(node.container.callsHeld()).isEqualTo(200 + COUNT);
        return new Size((held - before) / COUNT, (lingering - held) / COUNT);
    }

    @Test
    void callOfBackToBackUserAgent() {
        Size size = measure(new Bridge("sip:callee@10.0.0.2:5060"));
        System.out.println("Bytes of a B2BUA call: " + size);
        assertThat(size.held()).isLessThan(3_000);
        assertThat(size.lingering()).isLessThan(3_400);
    }

    @Test
    void callThroughProxy() {
        Size size = measure(new Forwarding());
        System.out.println("Bytes of a proxied call: " + size);
        assertThat(size.held()).isLessThan(2_500);
        assertThat(size.lingering()).isLessThan(3_400);
    }
}
