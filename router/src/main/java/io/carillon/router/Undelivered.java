package io.carillon.router;

import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.PeerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What came by connections and is not done with. Over UDP a phone repeats what is not answered;
 * over TCP it does not, so the router does it: a message until a node has taken it, and a request
 * that was taken by a node that died before its answer once more to the node that goes on. So a
 * killed node costs a client of TCP no more than one of UDP.
 *
 * <p>What one connection sends for one partition goes one after the other: the next message when a
 * node has taken the one before ({@link Way}). So a repeat is not overtaken by what came behind it,
 * and an ACK that was lost on the link not by its BYE. Others do not wait for it.
 *
 * <p>It lives with its connection, which ends with the router: a router that is killed loses
 * nothing with it that the connection would not lose. Bounded in bytes, for each connection and for
 * all: what was taken longest ago is let go, of a connection that holds more than others where all
 * together have too many, and what has no room then is sent once.
 *
 * <p>Owner: the router's loop.
 */
final class Undelivered {
    /** RFC 3261 17.1: a request that is not answered for so long has failed. */
    static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(32);

    /** As long as a node may take to go on for another one. */
    static final long MESSAGE_NANOS = TimeUnit.SECONDS.toNanos(8);

    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** RFC 3261 17.1.2.2: T2. */
    static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(4);

    static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of a connection, of what nodes have taken and not answered. */
    static final int MOST_OF_ONE = 256 << 10;

    /**
     * Of a connection whose messages come faster than nodes take them: a trunk, nodes that stop.
     */
    static final int MOST_WAITING_OF_ONE = 1 << 20;

    static final long MOST_BYTES = 32L << 20;

    private final RouterCounts counts;
    private final Map<Long, Held> byNumber = new LinkedHashMap<>();

    /** Requests by connection and branch. */
    private final Map<Long, Held> byBranch = new HashMap<>();

    /** Bytes held for each connection that has some. */
    private final Map<Long, Integer> ofConnection = new HashMap<>();

    /** What no node has taken, and the same by partition: few, while nodes live. */
    private final Set<Held> untaken = new LinkedHashSet<>();

    private final Map<Integer, Set<Held>> untakenOf = new HashMap<>();

    private final Map<Way.Key, Way> ways = new HashMap<>();

    /** What a node has taken and not answered, by connection, the oldest first. */
    private final Map<Long, Set<Held>> takenOf = new HashMap<>();

    /** When those that were taken were looked at last. */
    private long lookedNanos;

    /** Another one in each process. */
    private long last = ThreadLocalRandom.current().nextLong(1L << 62);

    private long bytes;

    /** Who gets what is sent again. */
    interface Again {
        /** Which node a partition's messages go to; {@link PeerId#NONE} for none. */
        int node(int partition);

        /** When the node's process began. */
        long boot(int node);

        void send(int node, LinkMessage message);
    }

    Undelivered(RouterCounts counts) {
        this.counts = counts;
    }

    /**
     * What stands for a request on a connection: its branch, and whether it is a CANCEL, which has
     * the branch of what it cancels (RFC 3261 9.1).
     */
    static long key(long connection, boolean cancel, byte[] b, int from, int to) {
        long hash = connection * 0x9E3779B97F4A7C15L + (cancel ? 1 : 0);
        for (int i = from; i < to; i++) {
            hash = (hash ^ b[i]) * 0x100000001B3L;
        }
        return hash == 0 ? 1 : hash;
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** Bytes of all that is held. */
    long bytes() {
        return bytes;
    }

    /**
     * Numbers a message that is about to be sent, and keeps a copy.
     *
     * @param branch {@link #key} of a request that will be answered; 0 for all else
     * @return false where it goes later, as one of its connection and partition goes first
     */
    boolean keep(LinkMessage message, long branch, int node, long boot, long nowNanos) {
        int more = Held.bytes(message);
        replaces(branch);
        makeRoom(message.connection(), more);
        makeRoomForAll(more);
        int before = ofConnection.getOrDefault(message.connection(), 0);
        if (bytes + more > MOST_BYTES || (before > 0 && before + more > MOST_WAITING_OF_ONE)) {
            counts.count(RouterCounter.UNKEPT);
            message.numbered(0);
            return true;
        }
        if (byNumber.isEmpty()) {
            lookedNanos = nowNanos;
        }
        message.numbered(++last);
        Held held = new Held(message.kept(), way(message), branch, last, nowNanos);
        held.sent(node, boot, nowNanos);
        byNumber.put(last, held);
        if (branch != 0) {
            byBranch.put(branch, held);
        }
        held.way.add(held);
        waits(held);
        if (node != PeerId.NONE && held.isFirst()) {
            putBack(held, node, boot);
        }
        bytes += more;
        counts.kept(bytes);
        ofConnection.put(message.connection(), before + more);
        held.gone = held.isFirst();
        return held.gone;
    }

    /**
     * The oldest requests of a connection that nodes have taken are let go first: they would be
     * repeated only where a node dies. What is not kept may overtake what waits.
     */
    private void makeRoom(long connection, int more) {
        Set<Held> oldest = takenOf.get(connection);
        while (oldest != null
                && !oldest.isEmpty()
                && ofConnection.getOrDefault(connection, 0) + more > MOST_OF_ONE) {
            counts.count(RouterCounter.UNKEPT);
            var _ = remove(oldest.iterator().next());
        }
    }

    /** Who sends a request again that a node has taken has it held once. */
    private void replaces(long branch) {
        Held before = branch == 0 ? null : byBranch.get(branch);
        if (before != null && before.taken) {
            var _ = remove(before);
        }
    }

    /** Likewise where all together have too many: of a connection that holds more than others. */
    private void makeRoomForAll(int more) {
        while (bytes + more > MOST_BYTES && !takenOf.isEmpty()) {
            long mean = bytes / ofConnection.size();
            Set<Held> of = takenOf.values().iterator().next();
            for (Map.Entry<Long, Set<Held>> each : takenOf.entrySet()) {
                if (ofConnection.getOrDefault(each.getKey(), 0) >= mean) {
                    of = each.getValue();
                    break;
                }
            }
            counts.count(RouterCounter.UNKEPT);
            var _ = remove(of.iterator().next());
        }
    }

    /** A node has taken it. */
    void taken(long number, int node, long nowNanos, Again again) {
        Held held = byNumber.get(number);
        if (held == null || held.taken) {
            return;
        }
        if (held.node != node) {
            // Who got it was not the owner any more, and has passed it on.
            held.node = node;
            held.boot = again.boot(node);
        }
        follow(nowTaken(held), nowNanos, again);
    }

    /** What goes next on its way, or null. */
    private @Nullable Held nowTaken(Held held) {
        if (held.branch == 0) {
            return remove(held);
        }
        boolean first = held.isFirst();
        waitsNoMore(held);
        held.taken = true;
        held.putBack = false;
        takenOf.computeIfAbsent(held.message.connection(), of -> new LinkedHashSet<>()).add(held);
        held.way.look();
        return first ? held.way.head() : null;
    }

    /** A node does not listen to its sender. */
    void refused(long number, long nowNanos, Again again) {
        Held held = byNumber.get(number);
        if (held != null) {
            follow(remove(held), nowNanos, again);
        }
    }

    /**
     * Who has taken a request has given it to the owner of another partition, who answers it: when
     * that one is no more, or gives its partition away, it goes to the next owner.
     *
     * @param by who says so
     * @param to who has taken it
     */
    void handedOn(long branch, int by, HandedOn to, long nowNanos, Again again) {
        Held held = byBranch.get(branch);
        if (held == null || held.node != by || !(held.taken || held.putBack || held.isFirst())) {
            return;
        }
        Held next = held.taken ? null : nowTaken(held);
        leavesItsWay(held);
        held.message.of(to.partition());
        held.way = way(held.message);
        held.way.add(held);
        held.node = to.node() == PeerId.NONE ? again.node(to.partition()) : to.node();
        held.boot = again.boot(held.node);
        follow(next, nowNanos, again);
    }

    /** A request is answered. */
    void answered(long branch, long nowNanos, Again again) {
        Held held = byBranch.get(branch);
        if (held != null) {
            follow(remove(held), nowNanos, again);
        }
    }

    /** A connection has ended: nobody waits for answers. What no node has taken yet goes on. */
    void ended(long connection, long nowNanos, Again again) {
        if (!ofConnection.containsKey(connection)) {
            return;
        }
        List<Held> over = new ArrayList<>(takenOf.getOrDefault(connection, Set.of()));
        for (Held held : untaken) {
            if (held.putBack && held.message.connection() == connection) {
                over.add(held);
            }
        }
        List<Held> next = new ArrayList<>();
        for (Held held : over) {
            Held first = remove(held);
            if (first != null) {
                next.add(first);
            }
        }
        for (Held held : next) {
            if (byNumber.containsKey(held.number) && held.isFirst()) {
                follow(held, nowNanos, again);
            }
        }
    }

    /** What goes next on its way, or null. */
    private @Nullable Held remove(Held held) {
        byNumber.remove(held.number);
        if (held.branch != 0) {
            byBranch.remove(held.branch, held);
        }
        boolean first = held.isFirst();
        if (held.taken) {
            takenNoMore(held);
        } else {
            waitsNoMore(held);
        }
        leavesItsWay(held);
        int less = Held.bytes(held.message);
        bytes -= less;
        counts.kept(bytes);
        long connection = held.message.connection();
        int left = ofConnection.getOrDefault(connection, 0) - less;
        if (left > 0) {
            ofConnection.put(connection, left);
        } else {
            ofConnection.remove(connection);
        }
        return first ? held.way.head() : null;
    }

    private Way way(LinkMessage message) {
        return ways.computeIfAbsent(Way.Key.of(message), Way::new);
    }

    private void leavesItsWay(Held held) {
        held.way.remove(held);
        if (held.way.isEmpty()) {
            ways.remove(held.way.key);
        }
    }

    /** The turn of that one has come. */
    private void follow(@Nullable Held next, long nowNanos, Again again) {
        if (next == null) {
            return;
        }
        int node = again.node(next.message.partition());
        if (node != PeerId.NONE) {
            goes(next, node, nowNanos, again);
        }
    }

    /** The first of its way goes to that node, or one that has to go before it. */
    private void goes(Held head, int node, long nowNanos, Again again) {
        long boot = again.boot(node);
        putBack(head, node, boot);
        Held first = head.way.head();
        while (first != null && first.putBack && first.isAt(node, boot)) {
            // Who has taken it has its partition again.
            Held next = nowTaken(first);
            if (next != null) {
                putBack(next, node, boot);
            }
            first = head.way.head();
        }
        if (first != null && !first.mayBeAnswered(nowNanos)) {
            send(first, node, nowNanos, again);
        }
    }

    /**
     * The first of its way is about to go to a node: requests before it that others have taken wait
     * again, and are the first now.
     */
    private void putBack(Held head, int node, long boot) {
        if (head.branch == 0) {
            // An ACK or a response: it comes when what it belongs to is answered.
            return;
        }
        for (Held before : head.way.takenElsewhere(node, boot)) {
            waitsAgain(before);
            before.putBack = true;
        }
    }

    /** It is a new message to the link. */
    private void waitsAgain(Held held) {
        byNumber.remove(held.number);
        held.number = ++last;
        held.taken = false;
        held.afterNanos = FIRST_NANOS;
        takenNoMore(held);
        waits(held);
        byNumber.put(held.number, held);
        held.way.look();
    }

    /**
     * A message of a partition is about to go to a node: those before it that went to another one
     * go first, so that they are not overtaken.
     */
    void before(int partition, int node, long nowNanos, Again again) {
        Set<Held> of = untaken.isEmpty() ? null : untakenOf.get(partition);
        if (of == null) {
            return;
        }
        List<Held> elsewhere = List.of();
        for (Held held : of) {
            if (held.node != node && held.isFirst() && !held.mayBeAnswered(nowNanos)) {
                elsewhere = elsewhere.isEmpty() ? new ArrayList<>() : elsewhere;
                elsewhere.add(held);
            }
        }
        for (Held held : elsewhere) {
            goes(held, node, nowNanos, again);
        }
    }

    private void takenNoMore(Held held) {
        takenOf.computeIfPresent(
                held.message.connection(),
                (connection, of) -> of.remove(held) && of.isEmpty() ? null : of);
    }

    private void waits(Held held) {
        untaken.add(held);
        untakenOf
                .computeIfAbsent(held.message.partition(), partition -> new LinkedHashSet<>())
                .add(held);
    }

    private void waitsNoMore(Held held) {
        untaken.remove(held);
        untakenOf.computeIfPresent(
                held.message.partition(),
                (partition, of) -> of.remove(held) && of.isEmpty() ? null : of);
    }

    /** Sends those again whose time has come. */
    void advance(long nowNanos, Again again) {
        List<Held> due = new ArrayList<>();
        for (Held held : untaken) {
            if (isDue(held, nowNanos, again)) {
                due.add(held);
            }
        }
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            // Thousands may wait for their answers.
            lookedNanos = nowNanos;
            for (Held held : byNumber.values()) {
                if (held.taken && isDue(held, nowNanos, again)) {
                    due.add(held);
                }
            }
        }
        for (Held held : due) {
            // One before it may have taken it along.
            if (isDue(held, nowNanos, again)) {
                advance(held, nowNanos, again);
            }
        }
    }

    private static boolean isDue(Held held, long nowNanos, Again again) {
        if (held.old(nowNanos)) {
            return true;
        }
        int node = again.node(held.message.partition());
        long sinceSent = nowNanos - held.sentNanos;
        if (held.taken) {
            return sinceSent >= REPEAT_NANOS
                    && node != PeerId.NONE
                    && !held.isAt(node, again.boot(node));
        }
        return held.isFirst()
                && !held.mayBeAnswered(nowNanos)
                && (sinceSent >= held.afterNanos || node != held.node);
    }

    private void advance(Held held, long nowNanos, Again again) {
        if (held.old(nowNanos)) {
            counts.count(RouterCounter.UNDELIVERED);
            follow(remove(held), nowNanos, again);
            return;
        }
        int node = again.node(held.message.partition());
        if (node == PeerId.NONE) {
            return;
        }
        if (!held.taken) {
            if (!held.putBack) {
                held.afterNanos = Math.min(2 * held.afterNanos, SELDOM_NANOS);
            }
            goes(held, node, nowNanos, again);
        } else {
            // Who has taken it is dead, or has given the call to another one: as a phone of UDP
            // repeats it.
            waitsAgain(held);
            held.putBack = true;
            if (held.isFirst()) {
                goes(held, node, nowNanos, again);
            }
        }
    }

    private void send(Held held, int node, long nowNanos, Again again) {
        if (held.gone) {
            counts.count(RouterCounter.SENT_AGAIN);
        }
        held.gone = true;
        held.sent(node, again.boot(node), nowNanos);
        again.send(node, held.message.numbered(held.number));
    }
}
