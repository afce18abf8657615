package io.carillon.bench.micro;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import io.carillon.telemetry.Onlookers;
import io.carillon.telemetry.spans.CallTraces;
import io.carillon.telemetry.spans.FinishedCall;
import io.carillon.telemetry.spans.SpanConfig;
import io.carillon.telemetry.spans.SpanSink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench call}: what one call costs above the sockets, in one thread and virtual
 * time: shard, container and application, with the transactions that linger for 32 s and the timers
 * that fire. Peers are text and are not measured. The least of many batches is the figure: what
 * else runs on the machine only adds to it.
 */
@Command(
        name = "call",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Nanoseconds and bytes allocated per call above the sockets: shard, container, application.")
public final class CallCost implements Callable<Integer> {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int BATCH = 1000;
    private static final int FEWEST_BATCHES = 3;
    private static final int MOST_SPANS = 200_000;

    /** In virtual time each 200 ms. */
    private static final int CALLS_OF_A_TURN = 200;

    /** Larger than any cache near a core, and within the heap of the command. */
    private static final int MOST_COLD_KB = 131_072;

    private static final InetSocketAddress CALLER = address(5081);
    private static final InetSocketAddress CALLEE = address(5071);
    private static final InetSocketAddress SERVER = address(5060);

    @Option(
            names = "--application",
            defaultValue = "proxy",
            description = "proxy or b2bua (${DEFAULT-VALUE})")
    private String application = "proxy";

    @Option(
            names = "--batches",
            defaultValue = "300",
            description = "of 1,000 calls; the first third warms up (${DEFAULT-VALUE})")
    private int batches;

    @Option(
            names = "--cold",
            paramLabel = "KB",
            defaultValue = "0",
            description =
                    "read so much memory before each message, so that the caches near the core are as cold as in a server"
                            + " that sleeps between two messages: twice the size of the second cache does (${DEFAULT-VALUE})")
    private int cold;

    @Option(
            names = "--traces",
            paramLabel = "PERCENT",
            defaultValue = "-1",
            description =
                    "follow each call for a trace, of which so many per cent are kept and go nowhere; -1: off"
                            + " (${DEFAULT-VALUE})")
    private int traces;

    private byte[] other = {};
    private @Nullable CallTraces followed;

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<SipMessage> sent = new ArrayDeque<>();
    private long now = 1;
    private long spent;
    private long allocated;
    private long received;

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public Integer call() throws IOException, DeploymentException {
        if (!application.equals("proxy") && !application.equals("b2bua")) {
            System.err.println("carillon bench call: --application takes proxy or b2bua");
            return 2;
        }
        if (batches < FEWEST_BATCHES) {
            System.err.println("carillon bench call: --batches takes 3 and more");
            return 2;
        }
        if (cold < 0 || cold > MOST_COLD_KB) {
            System.err.println("carillon bench call: --cold takes 0 to " + MOST_COLD_KB + " KB");
            return 2;
        }
        if (traces < -1 || traces > 100) {
            System.err.println("carillon bench call: --traces takes 0 to 100 per cent, or -1");
            return 2;
        }
        Path work = Files.createTempDirectory("carillon-call");
        try (ApplicationThreads threads = ApplicationThreads.virtual()) {
            SipContainer container =
                    new SipContainer(
                            ContainerConfig.defaults().withWorkFolder(work),
                            threads,
                            SessionStores.inMemory());
            Shard shard =
                    Stack.shard(
                            0,
                            StackConfig.DEFAULT,
                            new Executor(),
                            new TextWire(),
                            container,
                            RandomSource.secure(),
                            now);
            container.start(List.of(shard));
            container.deploy(
                    ApplicationDescription.builder(application)
                            .servlet(application, CallCostServlet::new)
                            .execution(ExecutionMode.NON_BLOCKING)
                            .build());
            follow(shard, container);
            measure(shard);
            return 0;
        } finally {
            Files.delete(work);
        }
    }

    private void follow(Shard shard, SipContainer container) {
        if (traces < 0) {
            return;
        }
        CallTraces made =
                new CallTraces(
                        new SpanConfig(traces * 100, true, MOST_SPANS),
                        new CallTraces.Place(
                                this::read,
                                this::read,
                                () -> ThreadLocalRandom.current().nextLong(),
                                hop -> false),
                        new NoSink());
        new Onlookers(List.of(shard), container)
                .add(Onlookers.Who.SPANS, made.tap(), made.turnTap());
        followed = made;
    }

    /** Virtual time, for the price of the real clock. */
    private long read() {
        return System.nanoTime() == 0 ? 0 : now;
    }

    /** Nobody takes them: what a collector costs is not of a call. */
    private static final class NoSink implements SpanSink {
        @Override
        public void take(List<FinishedCall> calls) {}

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    private void advance(Shard shard, int call) {
        shard.advance(now);
        CallTraces all = followed;
        if (all != null && call % CALLS_OF_A_TURN == 0) {
            all.turn();
        }
    }

    private void measure(Shard shard) {
        other = new byte[cold * 1024];
        double[] nanos = new double[batches];
        double[] bytes = new double[batches];
        for (int batch = 0; batch < batches; batch++) {
            spent = 0;
            allocated = 0;
            received = 0;
            for (int i = 0; i < BATCH; i++) {
                oneCall(shard, batch * BATCH + i);
                now += NANOS_PER_MILLI;
                if (i % 10 == 0) {
                    int call = i;
                    timed(() -> advance(shard, call));
                }
            }
            nanos[batch] = (double) spent / BATCH;
            bytes[batch] = (double) allocated / BATCH;
        }
        double[] steady = Arrays.copyOfRange(nanos, batches / 3, batches);
        double[] steadyBytes = Arrays.copyOfRange(bytes, batches / 3, batches);
        Arrays.sort(steady);
        Arrays.sort(steadyBytes);
        System.out.printf(
                "%s%s: %.1f us per call (least; median %.1f), %.0f bytes allocated per call, %d messages received%n",
                application,
                traces < 0 ? "" : ", traces of " + traces + " %",
                steady[0] / 1e3,
                steady[steady.length / 2] / 1e3,
                steadyBytes[steadyBytes.length / 2],
                received / BATCH);
    }

    private void timed(Runnable work) {
        empty();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        work.run();
        Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
        }
        spent += System.nanoTime() - begin;
        allocated += threads.getCurrentThreadAllocatedBytes() - bytes;
    }

    /**
     * Fills the caches with something else: one byte of each line is read, and looked at, so that
     * the compiler keeps the reading.
     */
    private void empty() {
        int sum = 0;
        for (int i = 0; i < other.length; i += 64) {
            sum += other[i];
        }
        if (sum != 0) {
            throw new IllegalStateException("memory changed that nobody writes");
        }
    }

    private void give(Shard shard, String text, Hop hop) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        received++;
        timed(() -> shard.receive(bytes, bytes.length, hop, now));
    }

    private final Hop fromCaller = new Hop(Transport.UDP, SERVER, CALLER, 0);
    private final Hop fromCallee = new Hop(Transport.UDP, SERVER, CALLEE, 0);

    private void oneCall(Shard shard, int number) {
        give(shard, CallTexts.invite(number), fromCaller);
        String invite = take("INVITE");
        give(shard, CallTexts.response("180 Ringing", invite), fromCallee);
        take("SIP/2.0 180");
        give(shard, CallTexts.response("200 OK", invite), fromCallee);
        String ok = take("SIP/2.0 200");
        give(shard, CallTexts.inDialog("ACK", 1, number, ok), fromCaller);
        take("ACK");
        give(shard, CallTexts.inDialog("BYE", 2, number, ok), fromCaller);
        String bye = take("BYE");
        give(shard, CallTexts.response("200 OK", bye), fromCallee);
        take("SIP/2.0 200");
    }

    private String take(String start) {
        while (true) {
            SipMessage next = sent.poll();
            if (next == null) {
                throw new IllegalStateException("the server sent no " + start);
            }
            String text = new String(next.bytes(), 0, next.length(), StandardCharsets.ISO_8859_1);
            if (text.startsWith(start)) {
                return text;
            }
        }
    }

    /** One thread, so whatever is given waits for the end of what runs. */
    private final class Executor implements ShardExecutor {
        @Override
        public boolean inShard() {
            return true;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }
    }

    /** Keeps what is sent; knows literals only. */
    private final class TextWire implements Wire {
        private final HostPort own = new HostPort("127.0.0.1", SERVER.getPort());
        private final List<Hop> caller = List.of(Hop.to(Transport.UDP, CALLER));
        private final List<Hop> callee = List.of(Hop.to(Transport.UDP, CALLEE));

        @Override
        public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
            sent.add(message);
        }

        @Override
        public HostPort sentBy(
                Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
            return own;
        }

        @Override
        public void resolve(
                Uri target,
                @Nullable Transport preferred,
                LookupBudget budget,
                Consumer<List<Hop>> result) {
            boolean toCaller = target instanceof SipUri sip && sip.port() == CALLER.getPort();
            result.accept(toCaller ? caller : callee);
        }

        @Override
        public boolean isLocal(String host, int port) {
            return port == SERVER.getPort();
        }
    }
}
