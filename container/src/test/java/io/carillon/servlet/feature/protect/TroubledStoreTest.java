package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * For two seconds of 1,000 calls/s the store is in trouble: calls go on, no piece of work of the
 * event loop grows by it, and the alarm is raised and lowered.
 */
class TroubledStoreTest {
    private static final int CALLS = 4_000;
    private static final long GAP_NANOS = 1_000_000;
    private static final long INFO_MILLIS = 150;
    private static final long BYE_MILLIS = 400;
    private static final InetSocketAddress SERVER = SimulatedNetwork.address("10.0.0.1", 5060);
    private static final InetSocketAddress PHONES = SimulatedNetwork.address("10.0.0.9", 5060);

    /** What befalls it. */
    enum Trouble {
        /** It answers after half a second. */
        SLOW(Duration.ofMillis(500), null),
        /** No node has it. */
        FAILING(Duration.ofMillis(5), "no member has it"),
        /** What the grid's writer says at once when its memory for what waits is used up. */
        FULL(Duration.ZERO, "more waits for the grid than 134217728 bytes");

        private final Duration answersAfter;
        private final @Nullable String failure;

        Trouble(Duration answersAfter, @Nullable String failure) {
            this.answersAfter = answersAfter;
            this.failure = failure;
        }
    }

    /** Answers everything. */
    private static final class Phone extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            if (!request.getMethod().equals("ACK")) {
                request.getApplicationSession().setAttribute("last", request.getMethod());
                request.createResponse(200).send();
            }
        }
    }

    private final Protected node = new Protected().deploy(new Phone(), ExecutionMode.NON_BLOCKING);
    private final VirtualTime time = node.network.time();
    private final String[] to = new String[CALLS];
    private final long[] sentAt = new long[CALLS];
    private long latestNanos;
    private int answered;
    private int sent;
    private int given;

    // ---- the phones ----

    private void send(String method, int call) {
        int cseq = method.equals("BYE") ? 3 : method.equals("INFO") ? 2 : 1;
        String text =
                method
                        + " sip:uas@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.9:5060;branch=z9hG4bK"
                        + method
                        + call
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@x>;tag=a"
                        + call
                        + "\r\n"
                        + (method.equals("INVITE") ? "To: <sip:uas@y>" : to[call])
                        + "\r\nCall-ID: "
                        + call
                        + "\r\nCSeq: "
                        + cseq
                        + " "
                        + method
                        + "\r\nContact: <sip:10.0.0.9:5060>\r\nContent-Length: 0\r\n\r\n";
        sentAt[call] = time.nanoTime();
        node.network.send(
                Transport.UDP, PHONES, SERVER, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void came(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("SIP/2.0 200");
        int call = Integer.parseInt(header(text, "Call-ID: ").substring("Call-ID: ".length()));
        answered++;
        latestNanos = Math.max(latestNanos, time.nanoTime() - sentAt[call]);
        if (text.contains(" INVITE\r\n")) {
            to[call] = header(text, "To: ");
            send("ACK", call);
            time.after(Duration.ofMillis(INFO_MILLIS), () -> send("INFO", call));
            time.after(Duration.ofMillis(BYE_MILLIS), () -> send("BYE", call));
        }
    }

    private static String header(String text, String start) {
        int at = text.indexOf("\r\n" + start) + 2;
        return text.substring(at, text.indexOf("\r\n", at));
    }

    // ---- pieces of work ----

    private int mostSent;
    private int mostGiven;
    private long mostBytes;
    private long longestNanos;

    private void pass(long millis) {
        com.sun.management.ThreadMXBean here =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long end = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (time.nextNanos() <= end) {
            sent = 0;
            given = node.store.written.size();
            long bytes = here.getCurrentThreadAllocatedBytes();
            long cpu = here.getCurrentThreadCpuTime();
            time.step();
            longestNanos = Math.max(longestNanos, here.getCurrentThreadCpuTime() - cpu);
            mostBytes = Math.max(mostBytes, here.getCurrentThreadAllocatedBytes() - bytes);
            mostSent = Math.max(mostSent, sent);
            mostGiven = Math.max(mostGiven, node.store.written.size() - given);
        }
        time.runFor(Duration.ofNanos(end - time.nanoTime()));
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void callsGoOnAndTheAlarmIsRaisedAndLowered(Trouble trouble) {
        node.network.bind(PHONES, (bytes, by, from, whereTo) -> came(bytes));
        node.network.tap((at, fate, by, from, whereTo, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(SERVER)) {
                sent++;
            }
        });
        for (int call = 0; call < CALLS; call++) {
            int number = call;
            time.after(call * GAP_NANOS, () -> send("INVITE", number));
        }
        pass(900);
        assertThat(node.status().alarm()).as("before").isFalse();
        assertThat(latestNanos).isLessThan(20_000_000L);

        node.store.answersAfter = trouble.answersAfter;
        node.store.failure = trouble.failure;
        pass(200);
        assertThat(node.status().alarm()).as("raised").isTrue();
        assertThat(node.status().unprotectedCalls()).isPositive();
        pass(1_800);
        assertThat(node.status().alarm()).isTrue();
        assertThat(latestNanos)
                .as("a message that waits leaves after 50 ms all the same")
                .isLessThan(65_000_000L);

        node.store.answersAfter = Duration.ofMillis(1);
        node.store.failure = null;
        pass(1_000);
        assertThat(node.status().alarm()).as("lowered while calls go on").isFalse();
        assertThat(node.status().calls()).isPositive();
        pass(70_000);
        assertThat(answered).as("each request of each call").isEqualTo(3 * CALLS);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().unprotectedCalls()).isZero();
        assertThat(node.status().removalsLost()).isZero();
        assertThat(node.store.records()).as("nothing is left in the store").isZero();
        assertThat(node.store.twoAtOnce).isFalse();
        node.server.assertEmpty();

        System.out.printf(
                "Store %s: in one piece of work at most %d states given to it, %d messages sent,"
                        + " %d bytes allocated, %.1f ms of CPU%n",
                trouble, mostGiven, mostSent, mostBytes, longestNanos / 1e6);
        assertThat(mostGiven).as("states made in one piece of work").isLessThanOrEqualTo(65);
        assertThat(mostSent).as("messages sent in one piece of work").isLessThanOrEqualTo(130);
        assertThat(mostBytes).isLessThan(4L << 20);
    }
}
