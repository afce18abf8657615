package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.carillon.servlet.harness.Bridge;
import java.lang.management.ManagementFactory;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/**
 * Bytes that a received message makes the stack and the container allocate, network apart. The
 * thread's own count, so nothing else of the machine is in it. And what the code asks for: these
 * tests run without the second compiler ({@code carillon.test.compilers}), which spares some 70 of
 * these bytes when it is through, and how far it comes in a test depends on the machine. So the
 * same code gives the same figure. What the running server allocates: {@code ./carillon bench
 * garbage}.
 */
@Weighs
class AllocationTest {
    private static final int WARM = 1_000;
    private static final int MEASURED = 1_000;
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

    static double perMessage(SipServlet servlet) {
        DirectNode node = new DirectNode(servlet);
        Counting meter = new Counting();
        for (int i = 0; i < WARM + MEASURED; i++) {
            meter.bytes = i == WARM ? 0 : meter.bytes;
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
        return (double) meter.bytes / MESSAGES / MEASURED;
    }

    @Test
    void proxiedMessage() {
        double bytes = perMessage(new Forwarding());
        System.out.printf("Bytes allocated per message: proxy %.0f%n", bytes);
        assertThat(bytes).isLessThan(1_720);
    }

    @Test
    void messageOfBackToBackUserAgent() {
        double bytes = perMessage(new Bridge("sip:callee@10.0.0.2:5060"));
        System.out.printf("Bytes allocated per message: B2BUA %.0f%n", bytes);
        assertThat(bytes).isLessThan(2_350);
    }
}
