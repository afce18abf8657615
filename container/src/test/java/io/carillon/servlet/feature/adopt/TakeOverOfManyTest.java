package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.api.Test;

/**
 * A node that had many calls is gone. The next one takes them over one by one, when somebody asks:
 * its event loops do little at a time, and whoever asks first is answered within a second. {@code
 * -Dcarillon.adopt.calls=100000} makes as many.
 */
class TakeOverOfManyTest {
    private static final int CALLS = Integer.getInteger("carillon.adopt.calls", 20_000);

    /** Each third call has a timer, all at the same moment. */
    private static final int TIMER_EACH = 3;

    private static final int LOOPS = 2;
    private static final int HELD_AT_ONCE = 4_000;
    private static final int TOGETHER = 100;
    private static final int ASKED = 1_000;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String HOST = "10.0.0.1";
    private static final InetSocketAddress SERVER = SimulatedNetwork.address(HOST, 5060);
    private static final InetSocketAddress PHONES = SimulatedNetwork.address("10.0.0.2", 5060);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedNetwork network = new SimulatedNetwork(time, 1);
    private final ReadByFour store = new ReadByFour(time);
    private final Phone phone = new Phone(this::millis);
    private final String[] to = new String[CALLS];
    private final String[] target = new String[CALLS];
    private final long[] sentAt = new long[CALLS];
    private final long[] answeredAt = new long[CALLS];
    private long lives;
    private Server server = node();
    private Adoption adoption = server.container.takeOver(store);

    /** Answers everything, and sets timers for one moment. */
    private static final class Phone extends SipServlet implements TimerListener {
        private static final long serialVersionUID = 1L;
        private final transient LongSupplier millis;
        private long dueAtMillis;
        private int fired;

        Phone(LongSupplier millis) {
            this.millis = millis;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.getApplicationSession().setExpires(600);
            if (request.getRequestURI().toString().contains("timer")) {
                TimerService timers =
                        (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
                timers.createTimer(
                        request.getApplicationSession(),
                        dueAtMillis - millis.getAsLong(),
                        true,
                        "due");
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doInfo(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }

        @Override
        public void timeout(ServletTimer timer) {
            fired++;
        }
    }

    private long millis() {
        return server.container.millis();
    }

    private Server node() {
        lives++;
        long own = lives;
        Ownership ownership =
                new Ownership() {
                    @Override
                    public boolean owns(int partition) {
                        return own == lives;
                    }

                    @Override
                    public long term(int partition) {
                        return own;
                    }
                };
        StackConfig stack =
                StackConfig.builder()
                        .marks(new OwnMarks(1, 2))
                        .cluster(
                                new ClusterPlace(
                                        5, ClusterKeys.of(1, 2), ownership, LOOPS, () -> 0))
                        .build();
        CallProtection protection =
                new CallProtection(
                        store,
                        ownership,
                        CallPartition::of,
                        new CallRecordWriter((int) own),
                        ProtectionSettings.DEFAULT);
        return new Server(network, HOST, LOOPS, own, protection, stack, ContainerConfig.defaults())
                .deploy(phone, ExecutionMode.NON_BLOCKING, phone);
    }

    // ---- the phones ----

    private static boolean hasTimer(int call) {
        return call % TIMER_EACH == 0;
    }

    private void send(String method, int call) {
        boolean first = method.equals("INVITE");
        String uri =
                first ? "sip:" + (hasTimer(call) ? "timer" : "phone") + "@" + HOST : target[call];
        String text =
                method
                        + " "
                        + uri
                        + " SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK"
                        + method
                        + call
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@x>;tag=a"
                        + call
                        + "\r\n"
                        + (first ? "To: <sip:phone@y>" : to[call])
                        + "\r\nCall-ID: "
                        + call
                        + "\r\nCSeq: "
                        + (method.equals("INFO") ? 2 : 1)
                        + " "
                        + method
                        + "\r\nContact: <sip:10.0.0.2:5060>\r\nContent-Length: 0\r\n\r\n";
        sentAt[call] = time.nanoTime();
        network.send(Transport.UDP, PHONES, SERVER, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void came(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("SIP/2.0 200");
        int call = Integer.parseInt(header(text, "Call-ID: ").substring("Call-ID: ".length()));
        if (text.contains(" INVITE\r\n")) {
            String contact = header(text, "Contact: ");
            to[call] = header(text, "To: ");
            target[call] = contact.substring(contact.indexOf('<') + 1, contact.indexOf('>'));
            send("ACK", call);
        } else {
            answeredAt[call] = time.nanoTime();
        }
    }

    private static String header(String text, String start) {
        int at = text.indexOf("\r\n" + start) + 2;
        return text.substring(at, text.indexOf("\r\n", at));
    }

    // ---- the node before ----

    /** The calls are there for a moment, as are those of a node that has gone: as records. */
    private void setUp() {
        network.bind(PHONES, (bytes, by, from, whereTo) -> came(bytes));
        BitSet all = new BitSet();
        all.set(0, Ownership.PARTITIONS);
        phone.dueAtMillis = millis() + TimeUnit.MINUTES.toMillis(2);
        for (int call = 0; call < CALLS; call++) {
            send("INVITE", call);
            if ((call + 1) % TOGETHER == 0) {
                time.runFor(PAUSE);
            }
            if ((call + 1) % HELD_AT_ONCE == 0 || call + 1 == CALLS) {
                time.runFor(Duration.ofMillis(200));
                adoption.lost(all);
                time.runFor(Duration.ofMillis(50));
            }
        }
        assertThat(store.size()).isEqualTo(CALLS);
        assertThat(store.all()).allMatch(state -> state.bytes() != null);
        server.assertEmpty();
        server.node.crash();
    }

    // ---- the next one ----

    /** What the event loops have done in one piece of work at most. */
    private int mostArmed;

    private int mostAsked;
    private long mostAdopted;
    private long mostBytes;
    private long longestNanos;

    private int timers() {
        return server.node.shards().stream().map(Shard::timers).mapToInt(all -> all.size()).sum();
    }

    /** Lets time pass, and looks at each piece of work that is not the store's own. */
    private void pass(Duration span) {
        com.sun.management.ThreadMXBean here =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long end = time.nanoTime() + span.toNanos();
        while (time.nextNanos() <= end) {
            int armed = timers();
            int asked = store.asked;
            int ownWork = store.ownWork;
            long adopted = adoption.adopted();
            long bytes = here.getCurrentThreadAllocatedBytes();
            long cpu = here.getCurrentThreadCpuTime();
            time.step();
            long nanos = here.getCurrentThreadCpuTime() - cpu;
            bytes = here.getCurrentThreadAllocatedBytes() - bytes;
            if (ownWork == store.ownWork) {
                mostArmed = Math.max(mostArmed, timers() - armed);
                mostAsked = Math.max(mostAsked, store.asked - asked);
                mostAdopted = Math.max(mostAdopted, adoption.adopted() - adopted);
                mostBytes = Math.max(mostBytes, bytes);
                longestNanos = Math.max(longestNanos, nanos);
            }
        }
        time.runFor(Duration.ofNanos(end - time.nanoTime()));
    }

    /** These calls say something, each at a moment of its own within that time. */
    private int[] say(long seed, Duration within) {
        int[] calls =
                new Random(seed)
                        .ints(0, CALLS)
                        .filter(call -> answeredAt[call] == 0 && !hasTimer(call))
                        .distinct()
                        .limit(ASKED)
                        .toArray();
        for (int call : calls) {
            long at = new Random(seed + call).nextLong(within.toNanos());
            time.after(at, () -> send("INFO", call));
        }
        return calls;
    }

    private void rise() {
        server = node();
        adoption = server.container.takeOver(store);
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            adoption.promoted(partition, lives);
        }
    }

    @Test
    void onlyWhoAsksIsTakenOverAndNoPieceOfWorkIsLong() {
        setUp();
        rise();
        long promotedAt = time.nanoTime();
        int[] first = say(1, Duration.ofMillis(900));
        pass(Duration.ofSeconds(2));

        assertThat(adoption.loading()).isZero();
        assertThat(Arrays.stream(first)).allMatch(call -> answeredAt[call] > 0);
        long latest =
                Arrays.stream(first)
                        .mapToLong(call ->
                                answeredAt[call]
                                        - Math.max(
                                                sentAt[call],
                                                promotedAt + TimeUnit.MILLISECONDS.toNanos(800)))
                        .max()
                        .orElseThrow();
        assertThat(latest)
                .as("answered within 1 s of the promotion, or 200 ms after it was sent")
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(adoption.adopted()).as("taken over, and no more").isEqualTo(ASKED);
        assertThat(adoption.known()).isEqualTo(CALLS - ASKED);
        assertThat(mostArmed).as("records on a wheel").isLessThanOrEqualTo(300);

        // One moment comes that each third call has waited for.
        time.runFor(Duration.ofMillis(phone.dueAtMillis - millis()).minus(Duration.ofMillis(1)));
        int[] second = say(2, Duration.ofSeconds(1));
        pass(Duration.ofSeconds(8));
        int due = (CALLS + TIMER_EACH - 1) / TIMER_EACH;
        assertThat(phone.fired).as("timers, each once").isEqualTo(due);
        assertThat(store.refused).as("readings that the store had no room for").isZero();
        assertThat(adoption.lost()).isZero();
        assertThat(adoption.adopted()).isEqualTo(2L * ASKED + due);
        assertThat(Arrays.stream(second))
                .as("whoever asks meanwhile does not wait behind what is due")
                .allMatch(call -> answeredAt[call] - sentAt[call] < 100_000_000L);
        assertThat(mostAsked)
                .as("records asked for in one piece of work")
                .isLessThanOrEqualTo(DueRecords.AT_ONCE + 1);
        assertThat(mostAdopted).as("calls made in one piece of work").isLessThanOrEqualTo(2);
        System.out.printf(
                "%d calls: in one piece of work of an event loop at most %d deadlines armed,"
                        + " %d records asked for, %d calls made, %d bytes allocated, %.1f ms of CPU%n",
                CALLS, mostArmed, mostAsked, mostAdopted, mostBytes, longestNanos / 1e6);

        BitSet all = new BitSet();
        all.set(0, Ownership.PARTITIONS);
        adoption.lost(all);
        pass(Duration.ofSeconds(2));
        assertThat(adoption.known()).isZero();
        server.assertEmpty();
        time.runFor(Duration.ofMinutes(11));
        assertThat(timers()).as("nothing is left of them").isZero();
    }
}
