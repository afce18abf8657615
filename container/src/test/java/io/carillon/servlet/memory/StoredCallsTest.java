package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.token.Ownership;
import java.util.List;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What it costs the owner of a call that its state goes to a store: bytes allocated for a message,
 * and bytes of a held call beside those of {@link HeldCallSizeTest}. What the store itself keeps is
 * not in it.
 */
@Weighs
class StoredCallsTest {
    private static final int WARM = 1_000;
    private static final int MEASURED = 1_000;
    private static final int MESSAGES = 6;
    private static final int HELD = 3_000;
    private static final long PASS_NANOS = 40_000_000_000L;

    /** Takes everything, keeps nothing, and answers when the message at work is done. */
    private static final class Sink implements CallStore {
        private @Nullable DirectNode node;
        private long states;
        private long bytes;

        @Override
        public void write(List<State> batch, Consumer<Outcome> done) {
            for (State state : batch) {
                byte[] own = state.bytes();
                states++;
                bytes += own == null ? 0 : own.length;
            }
            if (node != null) {
                node.later(() -> done.accept(new Outcome(2, null)));
            }
        }

        @Override
        public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
            end.accept(null);
        }

        @Override
        public void read(int partition, String id, Consumer<Found> found) {
            found.accept(Found.of(null));
        }

        @Override
        public int holders(int partition) {
            return 2;
        }

        @Override
        public void close() {}
    }

    private final Sink sink = new Sink();

    private DirectNode node(SipServlet servlet) {
        CallProtection protection =
                new CallProtection(
                        sink,
                        Ownership.ALONE,
                        session -> session.getId().hashCode() & 1023,
                        new CallRecordWriter(1),
                        ProtectionSettings.DEFAULT);
        DirectNode node = new DirectNode(servlet, as -> {}, protection);
        sink.node = node;
        return node;
    }

    private double perMessage(SipServlet servlet) {
        DirectNode node = node(servlet);
        AllocationTest.Counting meter = new AllocationTest.Counting();
        for (int i = 0; i < WARM + MEASURED; i++) {
            if (i == WARM) {
                meter.bytes = 0;
                sink.states = 0;
                sink.bytes = 0;
            }
            DirectCall call = new DirectCall(node, meter, i);
            call.setUp();
            call.release();
            if (servlet instanceof Bridge bridge) {
                bridge.events.clear();
            }
            if (i % 100 == 0) {
                node.pass(PASS_NANOS);
            }
        }
        assertThat(node.container.errors().lastOfContainer()).isNull();
        System.out.printf(
                "States of a call %.1f, %d bytes each%n",
                (double) sink.states / MEASURED, sink.bytes / Math.max(1, sink.states));
        return (double) meter.bytes / MESSAGES / MEASURED;
    }

    @Test
    void proxiedMessage() {
        double bytes = perMessage(new Forwarding());
        System.out.printf("Bytes allocated per message that is stored: proxy %.0f%n", bytes);
        assertThat(bytes).isLessThan(4_200);
    }

    @Test
    void messageOfBackToBackUserAgent() {
        double bytes = perMessage(new Bridge("sip:callee@10.0.0.2:5060"));
        System.out.printf("Bytes allocated per message that is stored: B2BUA %.0f%n", bytes);
        assertThat(bytes).isLessThan(6_900);
    }

    /** What stands beside a held call of a back-to-back user agent: it is no record. */
    @Test
    void heldCall() throws JMException {
        Bridge bridge = new Bridge("sip:callee@10.0.0.2:5060");
        DirectNode node = node(bridge);
        for (int i = 0; i < 200; i++) {
            setUp(node, bridge, i);
        }
        node.pass(PASS_NANOS);
        long before = HeldCallSizeTest.settled();
        for (int i = 200; i < 200 + HELD; i++) {
            setUp(node, bridge, i);
        }
        node.pass(PASS_NANOS);
        long held = (HeldCallSizeTest.settled() - before) / HELD;
        System.out.println("Bytes of a B2BUA call that is stored: " + held);
        assertThat(node.container.callsHeld()).isEqualTo(200 + HELD);
        assertThat(held).isLessThan(2_150 + 250);
    }

    private static void setUp(DirectNode node, Bridge bridge, int number) {
        new DirectCall(node, DirectNode::receive, number).setUp();
        node.sent.clear();
        bridge.events.clear();
    }
}
