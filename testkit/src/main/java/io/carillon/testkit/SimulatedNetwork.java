package io.carillon.testkit;

import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory under a seed: datagrams that get lost, doubled, late or overtaken; streams
 * that keep order. What is sent is delivered as an event of {@link VirtualTime}, never inside the
 * sender's call. Owner: the test's thread.
 */
public final class SimulatedNetwork {
    /** Where messages arrive. */
    public interface Receiver {
        /**
         * @param bytes the receiver's own copy
         */
        void receive(
                byte[] bytes, Transport transport, InetSocketAddress from, InetSocketAddress to);
    }

    /** Sees every message; for traces and statistics. */
    public interface Tap {
        void message(
                long atNanos,
                Fate fate,
                Transport transport,
                InetSocketAddress from,
                InetSocketAddress to,
                byte[] bytes);
    }

    /** Looks up names. */
    public interface Names {
        /**
         * @param budget pays for each question to the DNS
         * @return in the order to try them; empty for a name that does not resolve
         */
        List<InetSocketAddress> lookup(String host, LookupBudget budget);
    }

    /** What became of a message. */
    public enum Fate {
        SENT,
        DELIVERED,
        LOST,
        /** Nobody listens there. */
        UNREACHABLE
    }

    private record Way(InetSocketAddress from, InetSocketAddress to) {}

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Map<InetSocketAddress, Receiver> receivers = new HashMap<>();
    private final Map<String, List<InetSocketAddress>> domains = new HashMap<>();
    private final Map<Way, LinkConditions> ways = new HashMap<>();
    private final Map<Way, Long> streams = new HashMap<>();
    private final List<Tap> taps = new ArrayList<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private LinkConditions conditions = LinkConditions.PERFECT;
    private List<InetSocketAddress> otherDomains = List.of();
    private @Nullable Names names;
    private @Nullable Receiver elsewhere;
    private @Nullable Predicate<byte[]> loseIf;
    private long sent;
    private long lost;

    public SimulatedNetwork(VirtualTime time, long seed) {
        this.time = time;
        this.random = new SplittableRandom(seed);
    }

    public VirtualTime time() {
        return time;
    }

    /**
     * The source of all chance in this network; further parts of a simulation take a {@link
     * SplittableRandom#split()} of it.
     */
    public SplittableRandom random() {
        return random;
    }

    /** The share of datagrams that vanishes on ways without conditions of their own. */
    double loss() {
        return conditions.loss();
    }

    /** Sets how every way without conditions of its own behaves. */
    public SimulatedNetwork conditions(LinkConditions all) {
        conditions = all;
        return this;
    }

    /** Sets how one direction behaves. */
    public SimulatedNetwork conditions(
            InetSocketAddress from, InetSocketAddress to, LinkConditions one) {
        ways.put(new Way(from, to), one);
        return this;
    }

    /** Loses every datagram that the test picks, whatever the conditions; null ends it. */
    public void loseIf(@Nullable Predicate<byte[]> pick) {
        loseIf = pick;
    }

    public void tap(Tap tap) {
        taps.add(tap);
    }

    /** Makes a domain name resolve to these addresses, in this order. */
    public void domain(String name, InetSocketAddress... addresses) {
        domains.put(name, List.of(addresses));
    }

    /** Makes every name that no {@link #domain} is set for resolve to these addresses. */
    public void otherDomains(InetSocketAddress... addresses) {
        otherDomains = List.of(addresses);
    }

    /** Looks up every name, instead of {@link #domain}. */
    public void names(Names all) {
        names = all;
    }

    List<InetSocketAddress> lookup(String host, LookupBudget budget) {
        Names all = names;
        return all == null ? domains.getOrDefault(host, otherDomains) : all.lookup(host, budget);
    }

    public void bind(InetSocketAddress address, Receiver receiver) {
        if (receivers.putIfAbsent(address, receiver) != null) {
            throw new IllegalStateException(address + " is taken");
        }
    }

    /** Gets what is sent to addresses that nobody has bound. */
    public void elsewhere(Receiver receiver) {
        elsewhere = receiver;
    }

    private @Nullable Receiver receiver(InetSocketAddress address) {
        Receiver bound = receivers.get(address);
        return bound != null ? bound : elsewhere;
    }

    /** What is sent there from now on vanishes: the peer is dead. */
    public void unbind(InetSocketAddress address) {
        receivers.remove(address);
    }

    public boolean bound(InetSocketAddress address) {
        return receivers.containsKey(address);
    }

    void added(SimulatedNode node) {
        nodes.add(node);
    }

    public List<SimulatedNode> nodes() {
        return nodes;
    }

    /** Datagrams and stream messages sent so far. */
    public long sent() {
        return sent;
    }

    /** Datagrams lost so far. */
    public long lost() {
        return lost;
    }

    /** An address from literals; no DNS. */
    public static InetSocketAddress address(String literal, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(literal), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address literal: " + literal, e);
        }
    }

    /**
     * Sends bytes from one address to another. False when the transport knows at once that nobody
     * listens (streams only).
     */
    public boolean send(
            Transport transport, InetSocketAddress from, InetSocketAddress to, byte[] bytes) {
        sent++;
        tell(Fate.SENT, transport, from, to, bytes);
        LinkConditions way =
                ways.isEmpty() ? conditions : ways.getOrDefault(new Way(from, to), conditions);
        if (transport.reliable()) {
            return stream(transport, from, to, bytes, way);
        }
        Predicate<byte[]> picked = loseIf;
        if ((picked != null && picked.test(bytes)) || random.nextDouble() < way.loss()) {
            lost++;
            tell(Fate.LOST, transport, from, to, bytes);
            return true;
        }
        int copies = random.nextDouble() < way.duplication() ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            long delay = between(way.minDelayNanos(), way.maxDelayNanos());
            if (random.nextDouble() < way.reordering()) {
                delay += between(0, way.holdNanos());
            }
            time.after(delay, () -> deliver(transport, from, to, bytes));
        }
        return true;
    }

    private boolean stream(
            Transport transport,
            InetSocketAddress from,
            InetSocketAddress to,
            byte[] bytes,
            LinkConditions way) {
        if (receiver(to) == null) {
            tell(Fate.UNREACHABLE, transport, from, to, bytes);
            return false;
        }
        Way key = new Way(from, to);
        long at = time.nanoTime() + between(way.minDelayNanos(), way.maxDelayNanos());
        at = Math.max(at, streams.getOrDefault(key, 0L));
        streams.put(key, at);
        time.at(at, () -> deliver(transport, from, to, bytes));
        return true;
    }

    private long between(long low, long high) {
        return high > low ? random.nextLong(low, high + 1) : low;
    }

    private void deliver(
            Transport transport, InetSocketAddress from, InetSocketAddress to, byte[] bytes) {
        Receiver receiver = receiver(to);
        tell(receiver == null ? Fate.UNREACHABLE : Fate.DELIVERED, transport, from, to, bytes);
        if (receiver != null) {
            receiver.receive(bytes.clone(), transport, from, to);
        }
    }

    private void tell(
            Fate fate,
            Transport transport,
            InetSocketAddress from,
            InetSocketAddress to,
            byte[] bytes) {
        for (int i = 0; i < taps.size(); i++) {
            taps.get(i).message(time.nanoTime(), fate, transport, from, to, bytes);
        }
    }
}
