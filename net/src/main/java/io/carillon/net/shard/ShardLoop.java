package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.CarriedWork;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.token.OwnTokens;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One event loop with the shard it owns: the shard's thread, its clock and its mailbox.
 *
 * <p>Work enters in three ways: sockets that became readable, tasks of other threads, and the timer
 * tick. Each begins with {@link #begin}, which reads the clock and asks for one call of {@link
 * #endIteration} when the loop has nothing more to do: there the timers advance, messages for other
 * shards leave as one task each, and every socket that was written to is flushed once (a datagram
 * socket that is not crowded has sent before then what each message made). So sockets are read
 * before timers fire (after a pause of the machine the answer that waits in the socket is seen
 * before the retransmission it makes needless), and a batch costs one system call, whoever wrote
 * it.
 *
 * <p>Owner: the loop's own thread, except {@link #execute}, {@link #inShard}, {@link #index}.
 */
public final class ShardLoop implements ShardExecutor, Ticker.Sleeper {

    /** Tasks waiting for a shard over which messages from other shards are dropped. */
    private static final int MAX_BACKLOG = 65_536;

    private final int index;
    private final SingleThreadEventLoop eventLoop;
    private final FaultSink faults;
    private final LoopTasks tasks;

    /** Of messages from other shards that wait among the tasks; any thread. */
    private final AtomicLong hopBytes = new AtomicLong();

    private final AtomicBoolean drainAsked = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final Runnable end = this::endIteration;
    private final HopBatch.Taker taker = new HopTaker();
    private final Ticker ticker;

    private final @Nullable CarriedLoop carrier;
    private @Nullable Shard shard;
    private @Nullable MessageIntake intake;
    private ShardLoop[] siblings = {};
    private @Nullable HopBatch[] hops = {};
    private boolean hopsWaiting;
    private final WrittenSockets written = new WrittenSockets();
    private final LoopDelay delay = new LoopDelay();
    private boolean endAsked;
    private boolean drainUnfinished;

    /** In this iteration, and what they handed over has been done. */
    private boolean ranHandlers;

    private long nowNanos;

    /**
     * @param carrier its thread, with handlers beside it; null where it is a thread by itself
     */
    ShardLoop(
            int index,
            SingleThreadEventLoop eventLoop,
            @Nullable CarriedLoop carrier,
            LoopCounts tally,
            long startNanos) {
        this.index = index;
        this.carrier = carrier;
        this.eventLoop = eventLoop;
        this.faults = new FaultSink(tally);
        this.tasks = new LoopTasks(t -> fault("a task on shard " + index + " failed", t));
        this.nowNanos = startNanos;
        this.ticker = new Ticker(this);
        if (carrier != null) {
            carrier.wakeBy(new LoopWake(eventLoop, this::begin, delay));
        }
    }

    /** Called once for every loop before any work enters. */
    void join(ShardLoop[] all, Shard own) {
        siblings = all;
        hops = new @Nullable HopBatch[all.length];
        shard = own;
        delay.tell(own.overload().delay());
    }

    public int index() {
        return index;
    }

    /** The Netty loop, to register channels with. */
    public SingleThreadEventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public TimerWheel timers() {
        return shard().timers();
    }

    /** Does its shard shed new work? On the loop. */
    public boolean sheds() {
        Shard own = shard;
        return own != null && own.overload().limits();
    }

    /** How long what comes in waits. */
    public LoopDelay delay() {
        return delay;
    }

    /** This loop's counts. */
    public LoopCounts tally() {
        return faults.tally();
    }

    /** The shard that this loop owns. */
    public Shard shard() {
        Shard own = shard;
        if (own == null) {
            throw new IllegalStateException("shard " + index + " has not been made yet");
        }
        return own;
    }

    private @Nullable OwnTokens tokens() {
        Shard own = shard;
        return own == null ? null : own.config().tokens();
    }

    /** Gives all that is received to another taker than the shard; before {@code receive}. */
    public void intake(MessageIntake taker) {
        intake = taker;
    }

    /** The time read at the last {@link #begin} or {@link #beginRead}. */
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public boolean inShard() {
        return eventLoop.inEventLoop();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Runs a task on the shard's thread, after everything given before by the same thread. A task
     * given after the network was closed is dropped.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        askDrain();
    }

    /**
     * Runs a task on the shard's thread after a time, to the precision of the kernel's timers;
     * called there.
     *
     * @return to cancel it with
     */
    @Override
    public java.util.concurrent.Future<?> schedule(Runnable task, long delayNanos) {
        return eventLoop.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public void executeIn(long nanos, Runnable task) {
        var _ = schedule(() -> execute(task), nanos);
    }

    @Override
    public boolean carry(CarriedWork work) {
        CarriedLoop own = carrier;
        return own != null && own.add(work);
    }

    private void askDrain() {
        if (!drainAsked.get() && drainAsked.compareAndSet(false, true)) {
            delay.asked();
            try {
                eventLoop.execute(drain);
            } catch (RejectedExecutionException closed) {
                // The loop has ended, and with it everything that the task could have acted on.
                discardTasks();
            }
        }
    }

    /** One consumer at a time, now that the loop's thread is none. */
    private synchronized void discardTasks() {
        tasks.clear();
        drainAsked.set(false);
    }

    private void drain() {
        if (eventLoop.isShutdown()) {
            discardTasks(); // given as the loop ended: no iteration comes behind this one
            return;
        }
        begin();
        delay.takesUp(nowNanos);
        advance();
        if (!tasks.run()) {
            // endIteration asks for the next round, so that sockets get their turn first.
            drainUnfinished = true;
            return;
        }
        drainAsked.set(false);
        if (!tasks.isEmpty()) {
            askDrain();
        }
    }

    /** Begins a piece of work: the iteration will have an end, and the clock is read for it. */
    @Override
    public void begin() {
        if (!endAsked) {
            beginRead();
        }
    }

    /** Begins a batch of reads: {@link #begin} with a clock read now. */
    public void beginRead() {
        nowNanos = System.nanoTime();
        if (!endAsked && !eventLoop.isShutdown()) {
            endAsked = true;
            delay.begins(nowNanos);
            eventLoop.executeAfterEventLoopIteration(end);
        }
    }

    private void endIteration() {
        endAsked = false;
        advance();
        if (hopsWaiting) {
            sendHops();
        }
        written.flush(this);
        if (shard != null) {
            ticker.arm(nowNanos);
        }
        if (drainUnfinished) {
            drainUnfinished = false;
            eventLoop.execute(drain);
        }
        delay.ends();
        boolean ranBefore = ranHandlers;
        ranHandlers = false;
        CarriedLoop own = carrier;
        if (own != null && own.waits()) {
            if (ranBefore) {
                own.askToYield(); // behind the sockets
            } else {
                letRun(own);
            }
        }
    }

    /**
     * Lets handlers run. What they hand over is done right behind them, once, with an end of its
     * own; then sockets have their turn.
     */
    private void letRun(CarriedLoop own) {
        boolean drainsHere = drainAsked.compareAndSet(false, true);
        if (drainsHere) {
            delay.asked();
        }
        own.letRun();
        if (drainsHere) {
            drain();
            ranHandlers = true;
        } else if (own.waits()) {
            own.askToYield();
        }
    }

    /** Fires the timers that are due. */
    void advance() {
        Shard own = shard;
        if (own == null) {
            return;
        }
        try {
            own.advance(nowNanos);
        } catch (Throwable t) {
            fault("a timer on shard " + index + " failed", t);
        }
    }

    /** Asks for a flush of this socket when the iteration ends; the caller asks once per batch. */
    public void flushLater(BatchedOutput socket) {
        begin();
        written.add(socket);
    }

    /** Flushes the sockets of datagrams that were written to, as one message was dealt with. */
    public void flushDatagrams() {
        written.flushDatagrams(this);
    }

    /**
     * Gives a received message to the shard it belongs to: called here at once, or by one task per
     * shard and batch. Messages from one socket or connection keep their order.
     *
     * @param message the message's bytes, owned by the receiver from now on
     * @param length how many of them count
     * @param from where it came from
     */
    public void deliver(byte[] message, int length, Hop from) {
        OwnTokens own = tokens();
        int partition = own == null ? -1 : own.partitionOf(message, length);
        if (partition >= 0) {
            deliver(message, length, partition, from);
            return;
        }
        begin();
        int home = own == null ? index : own.shardOf(message, length, siblings.length);
        deliver(message, length, -1, from, home);
    }

    /** As {@link #deliver(byte[], int, Hop)}, of the partition that who passed it on names. */
    public void deliver(byte[] message, int length, int partition, Hop from) {
        begin();
        deliver(message, length, partition, from, partition % siblings.length);
    }

    private void deliver(byte[] message, int length, int partition, Hop from, int home) {
        if (home == index) {
            receive(message, length, partition, from);
            return;
        }
        tally().count(NetworkCounter.WRONG_SHARD_HOPS);
        HopBatch batch = hops[home];
        if (batch == null) {
            batch = new HopBatch(siblings[home].taker);
            hops[home] = batch;
            hopsWaiting = true;
        }
        if (batch.add(message, length, partition, from)) {
            hops[home] = null;
            send(siblings[home], batch);
        }
    }

    /** Gives a message to this loop's own shard. */
    private void receive(byte[] message, int length, int partition, Hop from) {
        MessageIntake other = intake;
        try {
            if (other != null) {
                other.received(message, length, from, nowNanos);
            } else {
                boolean framed = from.transport().reliable();
                shard().receive(framed, message, length, from, partition, nowNanos);
            }
        } catch (Throwable t) {
            fault("a message from " + from.remote() + " failed on shard " + index, t);
        }
    }

    /**
     * Lets this loop's shard answer a message that the framing of a stream gave up on.
     *
     * @param head start line and headers as far as they came; empty when it was no SIP, then there
     *     is nobody to answer
     */
    public void rejected(int status, String reason, byte[] head, Hop from) {
        begin();
        if (head.length == 0) {
            // It speaks against nobody: a page of any site has browsers send HTTP to any port.
            return;
        }
        StackConfig config = shard().config();
        SipRequest request =
                switch (new MessageParser(config.compliance(), config.limits())
                        .parseFramed(head, head.length)) {
                    case ParseResult.Parsed parsed ->
                            parsed.message() instanceof SipRequest whole ? whole : null;
                    case ParseResult.Rejected known -> known.request();
                    case ParseResult.Dropped dropped -> null;
                };
        if (request != null) {
            shard().rejected(new ParseResult.Rejected(status, reason, request), from, nowNanos);
        }
    }

    /**
     * An ICMP error quoted a request of ours that had gone to that address, or a router one that it
     * could not send by a connection (null).
     *
     * @return false when its branch is none of ours
     */
    public boolean unreachable(String method, String branch, @Nullable InetSocketAddress remote) {
        MessageIntake other = intake;
        int home = shard().config().tokens().shardOfBranch(branch, siblings.length);
        if (home < 0 || other != null) {
            return other != null && remote != null && other.unreachable(remote, nanoTime());
        }
        ShardLoop owner = siblings[home];
        owner.execute(() -> owner.shard().unreachable(method, branch, remote));
        return true;
    }

    private void sendHops() {
        hopsWaiting = false;
        for (int i = 0; i < hops.length; i++) {
            HopBatch batch = hops[i];
            if (batch != null) {
                hops[i] = null;
                send(siblings[i], batch);
            }
        }
    }

    private void send(ShardLoop target, HopBatch batch) {
        if (!target.hasRoom(batch)) {
            tally().add(NetworkCounter.HOPS_DROPPED, batch.size());
            return;
        }
        target.hopBytes.addAndGet(batch.bytes());
        target.execute(batch);
    }

    /** Whatever its messages are: half of what new work may hold of this shard. */
    private boolean hasRoom(HopBatch batch) {
        long waiting = hopBytes.get();
        long most = shard().config().requestHeapBytes() / 2;
        return tasks.size() < MAX_BACKLOG && (waiting == 0 || waiting + batch.bytes() <= most);
    }

    /** What another loop sent is taken up, on this one. */
    private final class HopTaker implements HopBatch.Taker {
        @Override
        public void begin(int bytes) {
            hopBytes.addAndGet(-bytes);
        }

        @Override
        public void take(byte[] message, int length, int partition, Hop from) {
            receive(message, length, partition, from);
        }
    }

    /** Sees to it that the failure of an operation which nobody waits for reaches the sink. */
    public void watch(String operation, Future<?> result) {
        result.addListener(done -> {
            Throwable cause = done.cause();
            if (cause != null) {
                fault(operation + " failed", cause);
            }
        });
    }

    /** The one sink for exceptions that reach this loop: counted, logged once a second at most. */
    public void fault(String during, Throwable fault) {
        faults.report(during, fault, nowNanos);
    }
}
