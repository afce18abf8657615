package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.carillon.servlet.harness.Bridge;
import java.lang.management.ManagementFactory;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/**
 * Bytes that a received message makes the stack and the container allocate, network apart. The
 * thread's own count, so nothing else of the machine is in it; how far the compiler has come is. So
 * there are rounds, and the least of them counts. What the running server allocates: {@code
 * ./carillon bench garbage}.
 */
@Weighs
class AllocationTest {
    private static final int WARM = 4_000;
    private static final int MEASURED = 2_000;
    private static final int ROUNDS = 4;
    private static final int MESSAGES = 6;

    /** Counts what the thread allocates while the server has a message. */
    static final class Counting implements DirectCall.Meter {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes;

        @Override
        public void receive(DirectNode node, byte[] datagram) {
            long before = threads.getCurrentThreadAllocatedBytes();
            node.receive(datagram);
            bytes += threads.getCurrentThreadAllocatedBytes() - before;
        }
    }

    static double perMessage(SipServlet servlet, int warm, int measured) {
        DirectNode node = new DirectNode(servlet);
        Counting meter = new Counting();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < warm + ROUNDS * measured; i++) {
            if (i >= warm && (i - warm) % measured == 0) {
                least = i == warm ? least : Math.min(least, meter.bytes);
                meter.bytes = 0;
            }
            DirectCall call = new DirectCall(node, meter, i);
            call.setUp();
            call.release();
            if (servlet instanceof Bridge bridge) {
                bridge.events.clear();
            }
            if (i % 100 == 0) {
                node.pass(40_000_000_000L);
            }
        }
        assertThat(node.container.errors().ofApplications()).isZero();
        assertThat(node.container.errors().lastOfContainer()).isNull();
        return (double) Math.min(least, meter.bytes) / MESSAGES / measured;
    }

    @Test
    void proxiedMessage() {
        double bytes = perMessage(new Forwarding(), WARM, MEASURED);
        System.out.printf("Bytes allocated per message: proxy %.0f%n", bytes);
        assertThat(bytes).isLessThan(1_700);
    }

    @Test
    void messageOfBackToBackUserAgent() {
        double bytes = perMessage(new Bridge("sip:callee@10.0.0.2:5060"), WARM, MEASURED);
        System.out.printf("Bytes allocated per message: B2BUA %.0f%n", bytes);
        assertThat(bytes).isLessThan(2_350);
    }
}
