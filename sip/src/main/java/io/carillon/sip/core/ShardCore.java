package io.carillon.sip.core;

import io.carillon.sip.admission.Capacity;
import io.carillon.sip.admission.OpenBytes;
import io.carillon.sip.admission.SourceShares;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.event.ShardEvents;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.hop.DownHops;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.observe.Tap;
import io.carillon.sip.observe.Trace;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.outbox.Outbox;
import io.carillon.sip.outbox.OwnMessages;
import io.carillon.sip.outbox.OwnershipGate;
import io.carillon.sip.outbox.Replies;
import io.carillon.sip.overload.KnownRequests;
import io.carillon.sip.overload.OverloadControl;
import io.carillon.sip.overload.Shedding;
import io.carillon.sip.overload.Vouchers;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.Tokens;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the client and the server transactions of a shard stand on alike: its events, timers,
 * accounts, tokens and the outbox. It knows nothing of what stands on it.
 *
 * <p>Owner: the shard's thread, where a method does not say otherwise.
 */
public final class ShardCore implements Tap.Place {
    private final int index;
    private final StackConfig config;
    private final Wire wire;
    private final ShardEvents events;
    private final TimerWheel timers;
    private final MessageParser parser;
    private final StackCounters counters = new StackCounters();
    private final WaitingMessages waiting;
    private final SourceShares shares;
    private final Shedding shedding;
    private final OpenBytes openBytes;
    private final TransactionTable servers = new TransactionTable();
    private final TransactionTable clients = new TransactionTable();
    private final Tokens tokens;
    private final OwnMessages ownMessages;
    private final Trace trace;
    private final DownHops downHops;
    private final @Nullable Edge edge;
    private final Outbox outbox;
    private final Replies replies;
    private final SendFailure countFailure;
    private final OwnPorts ownPorts;

    /**
     * @param inside takes what does not leave by the wire
     * @param startNanos the time now, of the executor's clock
     */
    public ShardCore(
            int index,
            StackConfig config,
            ShardExecutor executor,
            Wire wire,
            RandomSource random,
            Outbox.Inside inside,
            long startNanos) {
        this.index = index;
        this.config = config;
        this.wire = wire;
        this.ownPorts = new OwnPorts(wire);
        OwnMarks marks = config.marks();
        this.tokens =
                new Tokens(
                        config.tokens(),
                        index,
                        executor::inShard,
                        random,
                        marks == null ? new OwnMarks(random) : marks);
        this.events = new ShardEvents(executor, config.errors(), counters, startNanos);
        OwnershipGate gate = new OwnershipGate(tokens, counters);
        this.timers = new TimerWheel(config.tickNanos(), startNanos, gate.ofTimers());
        gate.waitsBy(timers, events::now);
        this.parser = new MessageParser(config.compliance(), config.limits());
        Capacity capacity = config.capacity();
        this.waiting = new WaitingMessages(capacity);
        this.shares = new SourceShares(capacity);
        this.openBytes = new OpenBytes(capacity, counters, shares);
        this.downHops = new DownHops(config.failover());
        Edge.Source edges = config.edge();
        this.edge = edges == null ? null : edges.open(wire, config.limits(), counters::add);
        this.ownMessages = new OwnMessages(edge == null ? parser : edge.parser(null), counters);
        this.trace = new Trace(this, ownMessages::parse);
        OverloadControl overload =
                new OverloadControl(
                        config.overload(),
                        new KnownRequests(servers, clients, config.tokens(), startNanos),
                        new Vouchers(config.conduct(), config.boundary()),
                        config.tokens(),
                        index,
                        config.overload().on() ? random.nextLong() : 0,
                        startNanos);
        this.shedding = new Shedding(overload, wire, counters, trace, feedback());
        this.outbox =
                new Outbox(
                        events,
                        trace,
                        counters,
                        gate,
                        wire,
                        config.boundary(),
                        edge,
                        ownMessages,
                        inside);
        this.replies = new Replies(config.serverHeader(), config.tokens(), index, outbox);
        this.countFailure = (to, cause) -> counters.add(Counter.TRANSPORT_FAILURES);
    }

    @Override
    public int index() {
        return index;
    }

    public StackConfig config() {
        return config;
    }

    @Override
    public Wire wire() {
        return wire;
    }

    public ShardEvents events() {
        return events;
    }

    /** The time of the event or command at work. */
    @Override
    public long now() {
        return events.now();
    }

    public TimerWheel timers() {
        return timers;
    }

    /** May be read by any thread. */
    public StackCounters counters() {
        return counters;
    }

    public Trace trace() {
        return trace;
    }

    public Tokens tokens() {
        return tokens;
    }

    /** Servers that failed lately. */
    public DownHops downHops() {
        return downHops;
    }

    /** Null where messages leave and come as they are. */
    public @Nullable Edge edge() {
        return edge;
    }

    /** Overload control with peers; null where none takes part. */
    public @Nullable Feedback feedback() {
        return edge == null ? null : edge.feedback();
    }

    public Outbox outbox() {
        return outbox;
    }

    public OwnMessages ownMessages() {
        return ownMessages;
    }

    public Replies replies() {
        return replies;
    }

    /** For whom nobody waits: a failure is counted, and nobody is told. */
    public SendFailure countFailure() {
        return countFailure;
    }

    /** The parser for what comes from there. */
    public MessageParser parser(Hop from) {
        return edge == null ? parser : edge.parser(from.internal() ? null : from);
    }

    /**
     * A message that was kept as bytes, again; null for bytes that are none. Any thread. As a
     * datagram, since it may be one that came and was read with its faults.
     */
    public @Nullable SipMessage parseOwn(byte[] message) {
        Compliance compliance = edge == null ? config.compliance() : Compliance.LENIENT;
        return new MessageParser(compliance, config.limits()).parseDatagram(message, message.length)
                        instanceof ParseResult.Parsed parsed
                ? parsed.message()
                : null;
    }

    /**
     * The number of the INVITE of ours that it answers, by the mark in its branch; 0 for none. On
     * the shard's thread.
     */
    public long inviteOf(SipResponse response) {
        String branch = response.topVia().branch();
        if (branch == null) {
            return 0;
        }
        String tag = response.fromTag();
        String from = tag == null ? "" : tag;
        return tokens.inviteOf(
                branch, response.callId(), from, response.cseqNumber(), events.now());
    }

    // The table of transactions, and the accounts

    /** Of the server transactions. */
    public TransactionTable servers() {
        return servers;
    }

    /** Time passed: looks what waits, and fires what is due. */
    public void advance(long nowNanos) {
        shedding.advance(nowNanos);
        timers.advance(events.now());
    }

    /** Of the client transactions. */
    public TransactionTable clients() {
        return clients;
    }

    /**
     * Transactions now, lingering ones included. Exact on the shard's thread, a moment old
     * elsewhere.
     */
    public int transactionCount() {
        return servers.size() + clients.size();
    }

    /**
     * Is there no room for a request from above? As for those from the network: an initial one may
     * be sent up to {@link Capacity#maxTransactions}, one in a dialog up to a quarter more, so that
     * calls can still be ended.
     */
    public boolean fullFor(MessageDraft request) {
        int count = transactionCount();
        Capacity capacity = config.capacity();
        return count >= capacity.maxTransactions()
                && (count >= capacity.hardLimit() || request.to().param("tag") == null);
    }

    /** What waits outside of the stack. Any thread. */
    public WaitingMessages waiting() {
        return waiting;
    }

    /** What is kept of open requests. */
    public OpenBytes openBytes() {
        return openBytes;
    }

    /** How loaded the shard is, and what it lets in. */
    public OverloadControl overload() {
        return shedding.control();
    }

    /** Refuses what is not let in. */
    public Shedding shedding() {
        return shedding;
    }

    /** What the requests of each source hold. */
    public SourceShares shares() {
        return shares;
    }

    /**
     * What is kept of one thing for an open request changes.
     *
     * @param place of the source that it counts for
     * @param before bytes that it was counted with
     * @param now bytes from now on
     */
    public void holds(int place, int before, int now) {
        openBytes.changed(place, before, now);
    }

    /** A message was not queued, and why is said by the counter; any thread. */
    public void notQueued(Counter why, SipMessage message) {
        events.perform(() -> {
            counters.add(why);
            trace.tell(why, message, null);
        });
    }

    // Ways

    /** Does that hop lead to a listening point of ours, by the wire? */
    public boolean leadsHere(Hop hop) {
        return ownPorts.leadsHere(hop);
    }

    /** That way from the address of ours that its peer is to see, else from the wanted one. */
    public Hop way(Hop hop, @Nullable InetSocketAddress wanted) {
        InetSocketAddress seen = edge == null ? null : edge.local(hop);
        return hop.from(seen == null ? wanted : seen);
    }
}
