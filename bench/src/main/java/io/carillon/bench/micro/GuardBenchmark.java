package io.carillon.bench.micro;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the guard's question costs each datagram; {@code ./carillon bench jmh Guard}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class GuardBenchmark {
    private static final long MESSAGE_NANOS = 50_000;
    private static final int FAILURES = 100;

    private final LoopCounts tally = new LoopCounts();
    private final Random seeds = new Random(1);
    private final Guard quiet = new Guard(GuardConfig.standard(), seeds::nextLong, 0);
    private final Guard banning = new Guard(GuardConfig.standard(), seeds::nextLong, 0);
    private final long trunk = SourceKey.ofInet4(0xC0000201);
    private long now;
    private int next;

    public GuardBenchmark() {
        Hop stranger =
                new Hop(
                        Transport.TCP,
                        null,
                        new InetSocketAddress(InetAddress.ofLiteral("203.0.113.9"), 5060),
                        0);
        for (int i = 0; i < FAILURES; i++) {
            banning.failed(PeerConduct.Failure.MALFORMED, stranger, true, 0);
        }
    }

    private long time() {
        now += MESSAGE_NANOS;
        return now;
    }

    /** One source below its rate, nobody banned: the usual case. */
    @Benchmark
    public boolean oneSource() {
        return quiet.admitsDatagram(trunk, time(), tally);
    }

    /** The same while somebody is banned. */
    @Benchmark
    public boolean oneSourceWhileSomebodyIsBanned() {
        return banning.admitsDatagram(trunk, time(), tally);
    }

    /** Each datagram from another address. */
    @Benchmark
    public boolean manySources() {
        next += 0x9E3779B1;
        return quiet.admitsDatagram(SourceKey.ofInet4(next), time(), tally);
    }
}
