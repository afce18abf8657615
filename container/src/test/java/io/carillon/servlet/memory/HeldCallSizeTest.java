package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.harness.Bridge;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/**
 * What a call weighs in the heap while it is held, and what its transactions add while they linger:
 * stack and container together, the bytes of kept messages included. On the running server, with
 * the collector that ships: {@code ./carillon bench held}.
 */
@Weighs
class HeldCallSizeTest {
    private static final int COUNT = 5_000;
    private static final long LINGER_NANOS = 40_000_000_000L;

    /** Bytes of all objects that live, by the virtual machine's own count. */
    private static long live() throws JMException {
        Object histogram =
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "gcClassHistogram",
                                new Object[] {new String[0]},
                                new String[] {String[].class.getName()});
        long bytes = 0;
        for (String line : String.valueOf(histogram).split("\n")) {
            String[] fields = line.trim().split("\\s+");
            // A collector that leaves gaps fills them with objects of its own.
            if (fields.length >= 4 && fields[0].endsWith(":") && !fields[3].contains(".Filler")) {
                bytes += Long.parseLong(fields[2]);
            }
        }
        assertThat(bytes).isPositive();
        return bytes;
    }

    /**
     * Bytes that live when nothing more goes: what earlier tests left behind goes by and by. The
     * tables that belong to no call are the same each time.
     */
    static long settled() throws JMException {
        RecentTables.fill();
        long least = live();
        for (int same = 0; same < 2; ) {
            long now = live();
            same = now < least - 10_000 ? 0 : same + 1;
            least = Math.min(least, now);
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

    private static Size measure(SipServlet servlet) throws JMException {
        DirectNode node = new DirectNode(servlet);
        for (int i = 0; i < 200; i++) {
            setUp(node, servlet, i);
        }
        node.pass(LINGER_NANOS);
        long before = settled();
        for (int i = 200; i < 200 + COUNT; i++) {
            setUp(node, servlet, i);
        }
        long lingering = settled();
        node.pass(LINGER_NANOS);
        assertThat(node.shard.transactionCount()).isZero();
        long held = settled();
        assertThat(node.container.callsHeld()).isEqualTo(200 + COUNT);
        return new Size((held - before) / COUNT, (lingering - held) / COUNT);
    }

    @Test
    void callOfBackToBackUserAgent() throws JMException {
        Size size = measure(new Bridge("sip:callee@10.0.0.2:5060"));
        System.out.println("Bytes of a B2BUA call: " + size);
        assertThat(size.held()).isLessThan(2_150);
        assertThat(size.lingering()).isLessThan(2_350);
    }

    @Test
    void callThroughProxy() throws JMException {
        Size size = measure(new Forwarding());
        System.out.println("Bytes of a proxied call: " + size);
        assertThat(size.held()).isLessThan(1_130);
        assertThat(size.lingering()).isLessThan(2_950);
    }
}
