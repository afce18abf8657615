package io.carillon.grid.link;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.ByteArray;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands over the transport. A member that is not heard for a second gets its messages by another
 * one that is heard: the wire may be cut between two members only. It is told so with them, and
 * sends by that way too: the wire may be cut one way, or the transport may refuse connections of
 * one side. What stands above repeats what was lost until then, and sees no cut.
 *
 * <p>What goes round is bounded: {@value #MOST_BYTES} bytes in each tenth of a second. Beyond that
 * it is dropped, counted, and comes again; so are messages that wait to be passed on, beyond
 * {@value #MOST_WAITING} and {@value #MOST_WAITING_BYTES} bytes. Messages for all go straight as
 * well, so a wire that is whole again is found. Who gets a message for another passes it on
 * straight or not at all.
 */
public final class WayRound extends Protocol {
    private static final Logger LOG = LoggerFactory.getLogger(WayRound.class);
    private static final short ID = 2_601;
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(2);
    static final int MOST_BYTES = 1 << 20;
    private static final int MOST_WAITING = 1_000;
    static final int MOST_WAITING_BYTES = 8 << 20;

    static {
        ClassConfigurator.addProtocol(ID, WayRound.class);
        ClassConfigurator.add(WayRoundHeader.MAGIC, WayRoundHeader.class);
    }

    /** Of a member: when a message of it came last, by which way; nanoseconds. */
    private static final class Times {
        volatile long straight;
        volatile long anyhow;

        /** And said that it does not hear us. */
        volatile long deaf;

        /** When it was heard again after it had been silent. */
        volatile long healed;

        Times(long now) {
            straight = now;
            anyhow = now;
            deaf = now - SILENT_NANOS;
            healed = now - STEADY_NANOS;
        }

        void heard(long now) {
            if (unheard(now)) {
                healed = now;
            }
            straight = now;
            anyhow = now;
        }

        boolean steady(long now) {
            return !broken(now) && now - healed >= STEADY_NANOS;
        }

        boolean unheard(long now) {
            return now - straight >= SILENT_NANOS;
        }

        /** Does one of the two not hear the other? */
        boolean broken(long now) {
            return unheard(now) || now - deaf < SILENT_NANOS;
        }
    }

    /** One for each member of the view. */
    private final Map<Address, Times> times = new ConcurrentHashMap<>();

    private final LongSupplier clock;
    private final Executor passing;
    private final AtomicLong lookedAt;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private volatile List<Address> members = List.of();
    private volatile Set<Address> broken = Set.of();

    /**
     * @param clock nanoseconds
     * @param passing sends on; one that is full refuses
     */
    WayRound(LongSupplier clock, Executor passing) {
        setId(ID);
        this.clock = clock;
        this.passing = passing;
        this.lookedAt = new AtomicLong(clock.getAsLong());
    }

    /** Puts one into the stack of a channel that is not connected yet. */
    static void watch(JChannel channel) {
        ProtocolStack stack = channel.getProtocolStack();
        WayRound watch = new WayRound(System::nanoTime, thread());
        watch.setProtocolStack(stack);
        stack.insertProtocolInStack(watch, stack.getTransport(), ProtocolStack.Position.ABOVE);
    }

    /** One that does not take what is passed on holds up nobody who reads. */
    private static ThreadPoolExecutor thread() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        Thread.ofPlatform().daemon().name("cluster-pass-on").factory());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** That of a channel. */
    public static WayRound of(JChannel channel) {
        return channel.getProtocolStack().findProtocol(WayRound.class);
    }

    /** Members of the view of which nothing came for so long, by no way. Any thread. */
    public Set<Address> unheard(long forNanos) {
        long now = clock.getAsLong();
        Set<Address> unheard = new HashSet<>();
        times.forEach((member, last) -> {
            if (now - last.anyhow >= forNanos && !member.equals(local_addr)) {
                unheard.add(member);
            }
        });
        return unheard;
    }

    /** Members to which messages go by another one now. Any thread. */
    public Set<Address> goRound() {
        Set<Address> round = new HashSet<>(broken);
        round.removeIf(each -> relay(each) == null);
        return round;
    }

    /**
     * Do this member and that one hear each other straight, and have for two seconds? Right behind
     * a silence comes what was sent before it, which may be long ago. Any thread.
     */
    boolean isSteady(Address member) {
        Times last = times.get(member);
        return last != null && last.steady(clock.getAsLong());
    }

    /** Messages that were to go round, or to be passed on, and did not. Any thread. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public String getName() {
        return "WAY_ROUND";
    }

    @Override
    public void destroy() {
        if (passing instanceof ExecutorService own) {
            own.shutdownNow();
        }
        super.destroy();
    }

    // ---- what goes down ----

    @Override
    public Object down(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            View view = event.getArg();
            long now = clock.getAsLong();
            members = List.copyOf(view.getMembers());
            times.keySet().retainAll(members);
            members.forEach(each -> times.computeIfAbsent(each, member -> new Times(now)));
            look(now);
        }
        return down_prot.down(event);
    }

    @Override
    public @Nullable Object down(Message message) {
        return goesRound(message) ? null : down_prot.down(message);
    }

    @Override
    public CompletableFuture<Object> down(Message message, boolean async) {
        return goesRound(message)
                ? CompletableFuture.completedFuture(null)
                : down_prot.down(message, async);
    }

    /** True when it need not go straight. */
    private boolean goesRound(Message message) {
        long now = clock.getAsLong();
        long before = lookedAt.get();
        if (now - before >= LOOK_NANOS && lookedAt.compareAndSet(before, now)) {
            bytes.set(0);
            look(now);
        }
        Set<Address> round = broken;
        if (round.isEmpty()) {
            return false;
        }
        Address to = message.getDest();
        if (to == null) {
            round.forEach(each -> sendRound(message, each));
            return false;
        }
        return round.contains(to) && sendRound(message, to);
    }

    private void look(long now) {
        Set<Address> round = new HashSet<>();
        times.forEach((member, last) -> {
            if (last.broken(now) && !member.equals(local_addr)) {
                round.add(member);
            }
        });
        Set<Address> before = broken;
        if (!round.equals(before)) {
            broken = Set.copyOf(round);
            round.stream()
                    .filter(each -> !before.contains(each) && relay(each) != null)
                    .forEach(each ->
                            LOG.warn(
                                    "{} and this member do not hear each other: messages go by another",
                                    each));
            before.stream()
                    .filter(each -> !round.contains(each) && times.containsKey(each))
                    .forEach(each -> LOG.info("{} is heard again: messages go straight", each));
        }
    }

    /** False when nobody is there to pass it on. */
    private boolean sendRound(Message message, Address to) {
        Address by = relay(to);
        if (by == null) {
            return false;
        }
        try {
            if (message.getSrc() == null) {
                message.setSrc(local_addr);
            }
            Times last = times.get(to);
            boolean deaf = last != null && last.unheard(clock.getAsLong());
            WayRoundHeader header = new WayRoundHeader(to, deaf);
            ByteArray whole = Util.messageToByteBuffer(message);
            if (bytes.addAndGet(whole.getLength()) <= MOST_BYTES) {
                down_prot.down(wrapped(by, header, whole.getArray(), 0, whole.getLength()));
            } else {
                dropped.increment();
            }
        } catch (Exception e) {
            dropped.increment();
            LOG.debug("A message for {} did not go round", to, e);
        }
        return true;
    }

    private static Message wrapped(
            Address by, WayRoundHeader header, byte[] whole, int offset, int length) {
        return new BytesMessage(by, whole, offset, length)
                .putHeader(ID, header)
                .setFlag(Message.Flag.OOB, Message.Flag.NO_RELIABILITY);
    }

    private @Nullable Address relay(Address to) {
        Set<Address> round = broken;
        for (Address each : members) {
            if (!each.equals(to) && !each.equals(local_addr) && !round.contains(each)) {
                return each;
            }
        }
        return null;
    }

    // ---- what comes up ----

    @Override
    public @Nullable Object up(Message message) {
        heardStraight(message.getSrc());
        WayRoundHeader header = message.getHeader(ID);
        if (header == null) {
            return up_prot.up(message);
        }
        came(message, header);
        return null;
    }

    @Override
    public void up(MessageBatch batch) {
        heardStraight(batch.getSender());
        batch.removeIf(this::cameRound, true);
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private boolean cameRound(Message message) {
        WayRoundHeader header = message.getHeader(ID);
        if (header != null) {
            came(message, header);
        }
        return header != null;
    }

    private void came(Message message, WayRoundHeader header) {
        Address to = header.to();
        if (!message.hasArray() || to == null) {
            dropped.increment();
        } else if (to.equals(local_addr)) {
            arrived(message, header);
        } else {
            passOn(message, to, header.deaf());
        }
    }

    private void passOn(Message message, Address to, boolean deaf) {
        int length = message.getLength();
        if (!members.contains(to)
                || !members.contains(message.getSrc())
                || waitingBytes.get() + length > MOST_WAITING_BYTES) {
            dropped.increment();
            return;
        }
        int from = message.getOffset();
        byte[] whole = Arrays.copyOfRange(message.getArray(), from, from + length);
        WayRoundHeader header = new WayRoundHeader(to, deaf);
        waitingBytes.addAndGet(length);
        try {
            passing.execute(() -> {
                waitingBytes.addAndGet(-length);
                down_prot.down(wrapped(to, header, whole, 0, length));
            });
        } catch (RejectedExecutionException e) {
            waitingBytes.addAndGet(-length);
            dropped.increment();
        }
    }

    private void arrived(Message message, WayRoundHeader header) {
        Message inner;
        try {
            inner =
                    Util.messageFromByteBuffer(
                            message.getArray(), message.getOffset(), message.getLength());
        } catch (Exception e) {
            dropped.increment();
            LOG.debug("A message that came round cannot be read", e);
            return;
        }
        heardRound(inner.getSrc(), header.deaf());
        up_prot.up(inner);
    }

    private void heardStraight(@Nullable Address by) {
        Times last = by == null ? null : times.get(by);
        if (last != null) {
            last.heard(clock.getAsLong());
        }
    }

    private void heardRound(@Nullable Address by, boolean deaf) {
        Times last = by == null ? null : times.get(by);
        if (last != null) {
            long now = clock.getAsLong();
            last.anyhow = now;
            if (deaf) {
                last.deaf = now;
                last.healed = now + SILENT_NANOS; // then it counts as heard again
            }
        }
    }
}
