package io.carillon.grid.link;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FailureDetection.HeartbeatHeader;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.MaxOneThreadPerSender;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages from one store to another past Infinispan, and past all that repeats messages: who
 * sends one hears an answer, or nothing. Stands over {@link WayRound}.
 *
 * <p>A message is a heartbeat with a content. A build from before takes it for a heartbeat; any
 * header that it does not know would cost it all that is behind it on the wire. So a member is
 * asked first, once in a second as long as somebody wants to send to it, and gets nothing else
 * until it has answered.
 *
 * <p>Nothing goes to a member unless both have heard each other straight for two seconds, and what
 * comes from it says so: what lay in a wire that was cut comes out of it when it is whole again.
 *
 * <p>What comes is told on the thread that reads from that member: who hears it must not wait. Any
 * thread.
 */
public final class StoreMessages extends Protocol {
    /** What stores say to each other. */
    public interface Listener {
        /**
         * Something came from that member.
         *
         * @param steady may it be relied on? It may be long over where it is false
         */
        void came(Address from, Unpacker content, boolean steady);

        /** These are here now, and no others. */
        void view(Set<Address> members);
    }

    /** A message is one piece: nothing divides it. */
    public static final int MOST_BYTES = 50_000;

    private static final short HEARTBEAT = ClassConfigurator.getProtocolId(FD_ALL3.class);
    private static final int ASK = 1;
    private static final int ANSWER = 2;
    private static final int CONTENT = 3;
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A member of the view. */
    private static final class Known {
        volatile boolean answers;
        volatile long askedNanos;

        Known(long longAgo) {
            askedNanos = longAgo;
        }
    }

    private final Map<Address, Known> known = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final Predicate<Address> steady;
    private volatile @Nullable Listener listener;

    /**
     * @param clock nanoseconds
     * @param steady has that member been heard for a while?
     */
    StoreMessages(LongSupplier clock, Predicate<Address> steady) {
        this.clock = clock;
        this.steady = steady;
    }

    /**
     * Puts one into the stack of a channel that is not connected yet, and has a {@link WayRound}.
     */
    static void watch(JChannel channel) {
        ProtocolStack stack = channel.getProtocolStack();
        WayRound below = WayRound.of(channel);
        StoreMessages messages = new StoreMessages(System::nanoTime, below::isSteady);
        messages.setProtocolStack(stack);
        stack.insertProtocolInStack(messages, below, ProtocolStack.Position.ABOVE);
        ReadAtOnce policy = new ReadAtOnce();
        policy.init(stack.getTransport());
        stack.getTransport().msgProcessingPolicy(policy);
    }

    /**
     * Messages of stores are taken by who reads the wire: they need no other thread, which costs.
     */
    private static final class ReadAtOnce extends MaxOneThreadPerSender {
        @Override
        public boolean process(Message message, boolean oob) {
            return took(message) || super.process(message, oob);
        }

        @Override
        public boolean process(MessageBatch batch, boolean oob) {
            batch.removeIf(this::took, true);
            return batch.isEmpty() || super.process(batch, oob);
        }

        private boolean took(Message message) {
            boolean ours = isOurs(message);
            if (ours) {
                tp.passMessageUp(message, null, false, false, false);
            }
            return ours;
        }
    }

    /** That of a channel. */
    public static StoreMessages of(JChannel channel) {
        return channel.getProtocolStack().findProtocol(StoreMessages.class);
    }

    /** Who hears from now on, of those who are here at first. */
    public synchronized void listen(Listener hears) {
        hears.view(Set.copyOf(known.keySet()));
        listener = hears;
    }

    /** Does that member take such messages, as far as is known? Asks it where nothing is known. */
    public boolean takes(Address member) {
        Known about = known.get(member);
        if (about == null || !steady.test(member)) {
            return false;
        }
        long now = clock.getAsLong();
        if (!about.answers && now - about.askedNanos >= ASK_NANOS) {
            about.askedNanos = now;
            say(member, new Packer().octet(ASK).toBytes());
        }
        return about.answers;
    }

    /**
     * Sends, and does not wait. What cannot be sent is lost.
     *
     * @param content begins as {@link #content} has begun it; {@value #MOST_BYTES} bytes at most
     */
    public void send(Address to, byte[] content) {
        if (content.length > MOST_BYTES) {
            throw new IllegalArgumentException(content.length + " bytes are no one message");
        }
        say(to, content);
    }

    /** The begin of something to send. */
    public static Packer content(int room) {
        return new Packer(room + 1).octet(CONTENT);
    }

    private void say(Address to, byte[] bytes) {
        Message message = new BytesMessage(to, bytes).putHeader(HEARTBEAT, new HeartbeatHeader());
        message.setFlag(Message.Flag.OOB, Message.Flag.NO_RELIABILITY);
        down_prot.down(message);
    }

    private static boolean isOurs(Message message) {
        return message.getLength() > 0 && message.getHeader(HEARTBEAT) != null;
    }

    @Override
    public String getName() {
        return "STORE_MESSAGES";
    }

    @Override
    public Object down(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            View view = event.getArg();
            seen(view.getMembers());
        }
        return down_prot.down(event);
    }

    private synchronized void seen(List<Address> members) {
        long longAgo = clock.getAsLong() - ASK_NANOS;
        known.keySet().retainAll(members);
        members.forEach(each -> known.computeIfAbsent(each, member -> new Known(longAgo)));
        Listener hears = listener;
        if (hears != null) {
            hears.view(Set.copyOf(members));
        }
    }

    @Override
    public @Nullable Object up(Message message) {
        if (!isOurs(message)) {
            return up_prot.up(message);
        }
        came(message);
        return null;
    }

    @Override
    public void up(MessageBatch batch) {
        batch.removeIf(this::taken, true);
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private boolean taken(Message message) {
        boolean ours = isOurs(message);
        if (ours) {
            came(message);
        }
        return ours;
    }

    private void came(Message message) {
        Address from = message.getSrc();
        Known about = from == null ? null : known.get(from);
        Listener hears = listener;
        if (about == null || hears == null || !message.hasArray()) {
            return; // of one who has left, or before somebody hears it here: he asks again
        }
        Unpacker content =
                new Unpacker(message.getArray(), message.getOffset(), message.getLength());
        int kind = content.octet();
        if (kind == ASK || kind == ANSWER) {
            about.answers = true;
            if (kind == ASK) {
                say(from, new Packer().octet(ANSWER).toBytes());
            }
        } else if (kind == CONTENT) {
            hears.came(from, content, steady.test(from));
        }
    }
}
