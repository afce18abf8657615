package io.carillon.lab.load;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.tls.LoopbackTls;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageIndex;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.NoUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The engine on real sockets: one event loop with a socket for the callers and one for the callees.
 * The loop is woken for each call that is due, to the precision of the kernel's timers.
 *
 * <p>Made, started and closed by one thread; everything else happens on the loop.
 */
final class LoadNetwork implements AutoCloseable, LoadWire {
    private final Network network;
    private @Nullable ShardLoop loop;
    private @Nullable Wire wire;
    private volatile @Nullable LoadEngine engine;
    private final MessageIndex noLines = new MessageIndex(1);
    private @Nullable Future<?> wakeUp;
    private long wakeAtNanos = Arrivals.NEVER;
    private volatile long loopThread = -1;
    private final @Nullable LoopbackTls tls;

    /**
     * Binds; nothing is received before {@link #use}.
     *
     * @throws BindFailure when a port cannot be bound
     */
    LoadNetwork(Transport transport, String host, int callerPort, int calleePort)
            throws BindFailure {
        this(transport, transport, host, callerPort, calleePort);
    }

    /**
     * With a transport for each side.
     *
     * @throws BindFailure when a port cannot be bound
     */
    LoadNetwork(Transport callers, Transport callees, String host, int callerPort, int calleePort)
            throws BindFailure {
        List<ListeningPoint> points =
                List.of(
                        new ListeningPoint(callers, host, callerPort),
                        new ListeningPoint(callees, host, calleePort));
        NetworkConfig config = NetworkConfig.of(points).withShards(1);
        tls = callers.secure() || callees.secure() ? new LoopbackTls(host) : null;
        if (tls != null) {
            config = config.withTls(tls);
        }
        network = Network.bind(config, this::shard);
    }

    /** The shard lends its timers to connections and sees no message. */
    private Shard shard(int index, ShardExecutor executor, Wire wire, long startNanos) {
        this.loop = (ShardLoop) executor;
        this.wire = wire;
        return Stack.shard(
                index,
                StackConfig.DEFAULT,
                executor,
                wire,
                new NoUser(),
                RandomSource.secure(),
                startNanos);
    }

    private ShardLoop loop() {
        if (loop == null) {
            throw new IllegalStateException("the network made no loop");
        }
        return loop;
    }

    InetSocketAddress caller() {
        return address(0);
    }

    InetSocketAddress callee() {
        return address(1);
    }

    private InetSocketAddress address(int index) {
        ListeningPoint point = network.listening().get(index);
        return new InetSocketAddress(point.host(), point.port());
    }

    /** TLS version and cipher suite of the connections so far; empty without TLS. */
    String agreedTls() {
        return tls == null ? "" : String.join(", ", tls.agreed());
    }

    List<String> warnings() {
        return network.warnings();
    }

    /** Gives the loop to an engine, which belongs to it from now on, in place of the last one. */
    void use(LoadEngine next) {
        if (engine == null) {
            loop().intake(this::received);
            network.receive();
        }
        execute(() -> {
            engine = next;
            loopThread = Thread.currentThread().threadId();
            rearm();
        });
    }

    private void received(byte[] message, int length, Hop from, long now) {
        LoadEngine taker = engine;
        if (taker == null) {
            return;
        }
        taker.receive(message, length, from, now);
        if (taker.earliestSetNanos() < wakeAtNanos) {
            arm(taker.earliestSetNanos(), now);
        }
    }

    /** Timers were set from outside; on the loop. */
    void rearm() {
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        wake();
    }

    private void wake() {
        ShardLoop own = loop();
        own.begin();
        wakeUp = null;
        wakeAtNanos = Arrivals.NEVER;
        LoadEngine woken = engine;
        if (woken == null) {
            return;
        }
        long now = System.nanoTime();
        woken.wake(now);
        long next = woken.nextWakeNanos();
        if (next != Arrivals.NEVER) {
            arm(next, now);
        }
    }

    private void arm(long at, long now) {
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        wakeAtNanos = at;
        wakeUp = loop().schedule(this::wake, at - now);
    }

    /** Runs a task on the loop. */
    void execute(Runnable task) {
        loop().execute(task);
    }

    /** The loop's thread, -1 before it has begun. */
    long loopThread() {
        return loopThread;
    }

    /** Datagrams that this process could not hand to the kernel, and faults of its own. */
    long localErrors() {
        return network.counters().get(NetworkCounter.DATAGRAM_SEND_ERRORS)
                + network.counters().get(NetworkCounter.DATAGRAMS_UNSENT)
                + network.counters().get(NetworkCounter.FAULTS);
    }

    @Override
    public void send(Hop to, byte[] bytes, int length, int headersEnd, @Nullable Leg sender) {
        Wire output = wire;
        if (output != null) {
            // The network copies the bytes before it returns, and reads nothing but them.
            output.send(
                    to,
                    noLines.request(bytes, length, headersEnd, 0, 0),
                    sender == null || !to.reliable() ? null : failure(sender));
        }
    }

    private SendFailure failure(Leg sender) {
        int generation = sender.generation();
        return (to, cause) -> {
            if (sender.used() && sender.generation() == generation) {
                sender.sendFailed(System.nanoTime());
            }
        };
    }

    @Override
    public void close() {
        network.close();
    }
}
