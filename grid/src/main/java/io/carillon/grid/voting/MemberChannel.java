package io.carillon.grid.voting;

import io.carillon.cluster.voting.MemberLink;
import io.carillon.grid.link.ClosedConnections;
import io.carillon.grid.link.LinkStack;
import io.carillon.grid.link.Suspicions;
import io.carillon.grid.link.WayRound;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages between members over the channel that they vote by. The number of a member goes with its
 * address. Everything is told on one thread, from a queue with a bound: a message that does not fit
 * is dropped and counted, as one that was lost.
 */
final class MemberChannel implements MemberLink, Receiver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChannel.class);

    private static final byte MESSAGE = 1;
    private static final byte PROPOSAL = 2;

    /** To the oldest member, which holds elections: who leads wants one. */
    private static final byte HAND_ON = 3;

    /** To the oldest member: its sender, of that term, sees a majority and nobody who leads. */
    private static final byte LEADERLESS = 4;

    /** To the oldest member: whom its sender does not hear. */
    private static final byte SILENT = 5;

    /** Does the receiver live? */
    private static final byte ASKS = 6;

    private static final byte LIVES = 7;

    /** Some beats, and JGroups' own; before its detection, which would leave one out as well. */
    private static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final int MOST_WAITING = 10_000;

    /** Each may wait for a connection to a host that is not there, half a second. */
    private static final int MOST_UNSEEN = 64;

    private final int self;
    private final String cluster;
    private final JChannel channel;
    private final ThreadPoolExecutor events;
    private final ThreadPoolExecutor unseen;
    private final LongAdder dropped = new LongAdder();
    private final BrokenPairs pairs;
    private @Nullable Listener listener;
    private @Nullable Consumer<byte[]> proposals;
    private @Nullable Consumer<Address> elections;
    private @Nullable LongConsumer leaderless;
    private volatile Map<Integer, Address> members = Map.of();

    /** Where each number was seen last: 255 at most. */
    private final Map<Integer, Address> known = new ConcurrentHashMap<>();

    /** Of the members that are seen, those that have ended: the view without them is on its way. */
    private final Set<Address> ended = ConcurrentHashMap.newKeySet();

    /**
     * @param witness the number of the member that keeps no calls; -1 for none
     */
    MemberChannel(JChannel channel, String cluster, int self, int witness) {
        this.channel = channel;
        this.cluster = cluster;
        this.self = self;
        events = thread("cluster-events", MOST_WAITING);
        unseen = thread("cluster-unseen", MOST_UNSEEN);
        unseen.setKeepAliveTime(10, TimeUnit.SECONDS);
        unseen.allowCoreThreadTimeOut(true);
        channel.setReceiver(this);
        ClosedConnections.onDeath(channel, this::ended);
        pairs = new BrokenPairs(new PairLink(), witness, System::nanoTime);
    }

    private ThreadPoolExecutor thread(String name, int most) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(most),
                Thread.ofPlatform().daemon().name(name).factory(),
                (task, pool) -> dropped.increment());
    }

    /** What members that do not lead want to be decided. Set before {@link #connect}. */
    void onProposal(Consumer<byte[]> proposed) {
        proposals = proposed;
    }

    /**
     * That a member wants an election, where this one is the oldest. Set before {@link #connect}.
     */
    void onHandOn(Consumer<Address> asked) {
        elections = asked;
    }

    /** That a member of that term knows nobody who leads. Set before {@link #connect}. */
    void onLeaderless(LongConsumer asked) {
        leaderless = asked;
    }

    /** Asks the oldest member, which may be this one, for an election: this one leads. */
    void handOn() {
        Consumer<Address> here = elections;
        if (here != null) {
            askOldest(HAND_ON, new byte[0], () -> here.accept(channel.getAddress()));
        }
    }

    /** Asks the oldest member, which may be this one, for an election: nobody leads. */
    void leaderless(long term) {
        LongConsumer here = leaderless;
        if (here != null) {
            byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(term).array();
            askOldest(LEADERLESS, bytes, () -> here.accept(term));
        }
    }

    private void askOldest(byte kind, byte[] bytes, Runnable here) {
        View view = channel.getView();
        if (view == null) {
            return;
        }
        if (view.getCoord().equals(channel.getAddress())) {
            here.run();
        } else {
            send(view.getCoord(), kind, bytes);
        }
    }

    /** Tells the oldest member whom this one does not hear. Four times a second. */
    void namePairs() {
        pairs.name();
    }

    private final class PairLink implements BrokenPairs.Link {
        @Override
        public @Nullable View view() {
            return channel.getView();
        }

        @Override
        public Address self() {
            return channel.getAddress();
        }

        @Override
        public Set<Address> silent() {
            return WayRound.of(channel).unheard(SILENT_NANOS);
        }

        @Override
        public void name(Address oldest, Set<Integer> silent) {
            byte[] numbers = new byte[silent.size()];
            int at = 0;
            for (int number : silent) {
                numbers[at++] = (byte) number;
            }
            send(oldest, SILENT, numbers);
        }

        @Override
        public void ask(Address member) {
            send(member, ASKS, new byte[0], Message.Flag.NO_RELIABILITY);
        }

        @Override
        public void leaveOut(Address member) {
            Suspicions.suspect(channel, member);
        }
    }

    /** Joins the others, or is the first. Waits for some seconds. */
    void connect() throws Exception {
        channel.connect(cluster);
        LinkStack.check(channel);
    }

    JChannel channel() {
        return channel;
    }

    @Override
    public long dropped() {
        return dropped.sum() + WayRound.of(channel).dropped();
    }

    @Override
    public int byAnother() {
        return WayRound.of(channel).goRound().size();
    }

    @Override
    public int self() {
        return self;
    }

    @Override
    public Set<Integer> seen() {
        return members.keySet();
    }

    @Override
    public void send(int member, byte[] bytes) {
        if (member == self) {
            events.execute(() -> tell(self, bytes));
            return;
        }
        Address to = members.get(member);
        if (to != null) {
            send(to, MESSAGE, bytes);
        }
    }

    @Override
    public void sendUnseen(int member, byte[] bytes) {
        Address to = known.get(member);
        if (to != null && !ended.contains(to)) {
            // Without the protocol that sends again: there is none with a member that is not seen.
            unseen.execute(() -> send(to, MESSAGE, bytes, Message.Flag.NO_RELIABILITY));
        }
    }

    @Override
    public void listen(Listener told) {
        listener = told;
    }

    /** Is a process of this address seen now, and not known to have ended? */
    boolean sees(Address address) {
        return members.containsValue(address) && !ended.contains(address);
    }

    void sendProposal(Address leader, byte[] proposal) {
        send(leader, PROPOSAL, proposal);
    }

    private void send(Address to, byte kind, byte[] bytes, Message.Flag... flags) {
        byte[] framed = new byte[bytes.length + 1];
        framed[0] = kind;
        System.arraycopy(bytes, 0, framed, 1, bytes.length);
        try {
            channel.send(new BytesMessage(to, framed).setFlag(flags));
        } catch (Exception e) {
            // As one that was lost; the channel is closed.
            LOG.debug("A message to {} was not sent", to, e);
        }
    }

    @Override
    public void receive(Message message) {
        byte[] all = message.getArray();
        int length = message.getLength();
        int from = number(message.getSrc());
        if (all == null || length == 0 || from < 0) {
            return;
        }
        int at = message.getOffset();
        byte[] bytes = Arrays.copyOfRange(all, at + 1, at + length);
        if (all[at] == MESSAGE) {
            events.execute(() -> tell(from, bytes));
        } else if (all[at] == PROPOSAL && proposals != null) {
            proposals.accept(bytes);
        } else if (all[at] == HAND_ON && elections != null) {
            elections.accept(message.getSrc());
        } else if (all[at] == LEADERLESS && bytes.length == Long.BYTES && leaderless != null) {
            leaderless.accept(ByteBuffer.wrap(bytes).getLong());
        } else {
            receiveOfPairs(message.getSrc(), all[at], bytes);
        }
    }

    private void receiveOfPairs(Address from, byte kind, byte[] bytes) {
        switch (kind) {
            case SILENT -> {
                Set<Integer> numbers = new HashSet<>();
                for (byte each : bytes) {
                    numbers.add(each & 0xFF);
                }
                pairs.named(from, numbers);
            }
            case ASKS -> send(from, LIVES, new byte[0], Message.Flag.NO_RELIABILITY);
            case LIVES -> pairs.lives(from);
            default -> {} // of a later build
        }
    }

    private void tell(int from, byte[] bytes) {
        Listener told = listener;
        if (told != null) {
            safely(() -> told.received(from, bytes));
        }
    }

    @Override
    public void viewAccepted(View view) {
        Map<Integer, Address> now = new TreeMap<>();
        view.getMembers().forEach(address -> now.put(number(address), address));
        now.remove(-1);
        Map<Integer, Address> before = members;
        members = Map.copyOf(now);
        known.putAll(now);
        ended.retainAll(known.values());
        Listener told = listener;
        if (told == null) {
            return;
        }
        Set<Integer> left = new HashSet<>(before.keySet());
        // The same number at another address is another process.
        left.removeIf(number -> Objects.equals(before.get(number), now.get(number)));
        left.forEach(number -> events.execute(() -> safely(() -> told.left(number))));
        now.forEach((number, address) -> {
            if (!address.equals(before.get(number))) {
                events.execute(() -> safely(() -> told.joined(number)));
            }
        });
    }

    private void ended(Address address) {
        int member = number(address);
        // First of all: what is proposed because of that must not go to it, should it lead.
        if (members.containsValue(address)) {
            ended.add(address);
        }
        Listener told = listener;
        if (member >= 0 && told != null) {
            events.execute(() -> safely(() -> told.died(member)));
        }
    }

    private static void safely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("Who listens to the members of the cluster failed", e);
        }
    }

    /** The number of a member; -1 when the address has none. */
    static int number(@Nullable Address address) {
        if (address instanceof ExtendedUUID uuid) {
            byte[] number = uuid.get(RAFT.raft_id_key);
            if (number != null) {
                return Integer.parseInt(Util.bytesToString(number));
            }
        }
        return -1;
    }

    @Override
    public void close() {
        channel.close();
        events.shutdown();
        unseen.shutdown();
    }
}
