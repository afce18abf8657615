package io.carillon.sip.shard;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.client.StreamClients;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardEvents;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.ReasonPhrases;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.observe.Tap;
import io.carillon.sip.outbox.Departures;
import io.carillon.sip.outbox.Edge;
import io.carillon.sip.outbox.Outbox;
import io.carillon.sip.outbox.OwnershipGate;
import io.carillon.sip.overload.OverloadControl;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.Tokens;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One writer's share of the server: parser, transactions and timers of the calls that were born
 * here. Input is a message, a command or the time; output goes to a {@link Wire} and a {@code
 * StackUser}. No socket, thread, lock or clock inside.
 *
 * <p>Owner: the thread of its {@link ShardExecutor}. {@link #receive}, {@link #rejected} and {@link
 * #advance} are called on it only; methods for layers above, from any thread.
 */
public final class Shard {
    private final StackConfig config;
    private final ShardCore core;
    private final ShardEvents events;
    private final ClientSide clients;
    private final ResponseIntake responses;
    private final IncomingRequests requests;

    /**
     * Put together by {@code Stack.shard}.
     *
     * @param index 0 to {@code ShardToken.MAX_SHARDS} - 1
     * @param incoming makes who takes requests
     * @param startNanos the time now, of the executor's clock
     */
    public Shard(
            int index,
            StackConfig config,
            ShardExecutor executor,
            Wire wire,
            ShardUser user,
            BiFunction<Shard, ShardCore, IncomingRequests> incoming,
            RandomSource random,
            long startNanos) {
        this.config = config;
        this.core = new ShardCore(index, config, executor, wire, random, new Inside(), startNanos);
        this.events = core.events();
        this.clients =
                new ClientSide(
                        this,
                        core,
                        (response, from) -> user.strayResponse(this, response, from),
                        user::forwarding);
        this.responses = new ResponseIntake(core, clients.transactions());
        this.requests = incoming.apply(this, core);
    }

    public int index() {
        return core.index();
    }

    public StackConfig config() {
        return config;
    }

    public ShardExecutor executor() {
        return events.executor();
    }

    public Wire wire() {
        return core.wire();
    }

    /** The shard's timers, for layers above too; on the shard's thread. */
    public TimerWheel timers() {
        return core.timers();
    }

    /** The time of the event or command at work; on the shard's thread. */
    public long now() {
        return events.now();
    }

    /** May be read by any thread. */
    public StackCounters counters() {
        return core.counters();
    }

    /** Shows every message to that one from now on, or to nobody; any thread. */
    public void tap(@Nullable Tap onlooker) {
        core.trace().tap(onlooker);
    }

    /** Who takes responses. */
    public ResponseIntake responses() {
        return responses;
    }

    /** An INVITE that another node has sent goes on; see {@link ClientSide#resume}. */
    public RequestAttempt resume(OutgoingRequest request, SipRequest sent, Hop to, boolean heard) {
        return clients.resume(request, sent, to, heard);
    }

    /** Who takes requests; INVITEs that another node has received go on there. */
    public IncomingRequests requests() {
        return requests;
    }

    /** What its transactions stand on; for the stack itself. */
    public ShardCore core() {
        return core;
    }

    // Input from the layer below

    /**
     * A datagram.
     *
     * @param owned given away: the message may keep it
     * @param nowNanos the time, never before that of an earlier call
     */
    public void receive(byte[] owned, int length, Hop from, long nowNanos) {
        int partition = config.tokens().partitionOf(owned, length);
        receive(false, owned, length, from, partition, nowNanos);
    }

    /** A message that was framed out of a stream. */
    public void receiveFramed(byte[] owned, int length, Hop from, long nowNanos) {
        receive(true, owned, length, from, config.tokens().partitionOf(owned, length), nowNanos);
    }

    /** A message of that partition, -1 without a cluster, as who has passed it on knows. */
    public void receive(
            boolean framed, byte[] owned, int length, Hop from, int partition, long nowNanos) {
        OwnershipGate gate = core.outbox().gate();
        events.begin(nowNanos);
        try {
            if (gate.arrives(partition) && core.shedding().lets(owned, length, from, nowNanos)) {
                take(owned, length, framed, from);
            }
        } catch (RuntimeException e) {
            events.userError("receive", e);
        } finally {
            gate.over();
            events.end();
        }
    }

    /** A malformed message, for instance from a stream: answered when it can be. */
    public void rejected(ParseResult.Rejected rejected, Hop from, long nowNanos) {
        events.begin(nowNanos);
        try {
            requests.rejected(rejected, from);
        } catch (RuntimeException e) {
            events.userError("rejected", e);
        } finally {
            events.end();
        }
    }

    /**
     * A connection ended: requests that wait on it for their final response fail (RFC 3261 18.4 and
     * 8.1.3.1); they would only learn of it by their time-out. Responses need nothing: the next one
     * finds the connection closed and opens one to the client (18.2.2).
     *
     * @param lost the connection
     * @param lostNanos when, of the executor's clock
     */
    public void connectionLost(Hop lost, long lostNanos) {
        events.event(() ->
                clients.transactions()
                        .streams()
                        .on(lost, lostNanos)
                        .forEach(StreamClients.Waiting::connectionLost));
    }

    /** See {@link ResponseIntake#unreachable}. */
    public void unreachable(String method, String branch, @Nullable InetSocketAddress remote) {
        events.event(() -> responses.unreachable(method, branch, remote));
    }

    /** Time passed: fires what is due. */
    public void advance(long nowNanos) {
        events.begin(nowNanos);
        try {
            core.advance(nowNanos);
        } catch (RuntimeException e) {
            events.userError("timer", e);
        } finally {
            events.end();
        }
    }

    /** What stays in this shard. */
    private final class Inside implements Outbox.Inside {
        /** Printed and parsed as if it had been on the wire, when the event at work is over. */
        @Override
        public void message(Hop hop, SipMessage message, int partition) {
            byte[] copy = Arrays.copyOf(message.bytes(), message.length());
            events.executor().execute(() -> events.event(() -> takeOwn(copy, hop, partition)));
        }

        @Override
        public void answer(SipResponse response, Hop to) {
            responses.receive(response, to);
        }
    }

    private void takeOwn(byte[] copy, Hop hop, int partition) {
        OwnershipGate gate = core.outbox().gate();
        try {
            if (gate.arrives(partition)) {
                take(copy, copy.length, true, hop);
            }
        } finally {
            gate.over();
        }
    }

    private void take(byte[] owned, int length, boolean framed, Hop from) {
        MessageParser fit = core.parser(from);
        SipMessage message = fit.message(owned, length, framed);
        if (message != null) {
            dispatch(message, from);
        } else if (fit.refusal() instanceof ParseResult.Rejected rejected) {
            requests.rejected(rejected, from);
        } else {
            core.counters().add(Counter.DROPPED_NOT_SIP);
            requests.blame(PeerConduct.Failure.MALFORMED, null, from);
        }
    }

    private void acrossBorder(Edge border, SipRequest request, Hop from) {
        SipRequest inner;
        try {
            inner = border.arrived(request, from);
        } catch (RuntimeException e) {
            // What cannot be read must not be lost without a word.
            events.userError("rewriting a request from " + from, e);
            if (!request.is(Methods.ACK)) {
                core.replies().malformed(request, from, 500, ReasonPhrases.of(500));
            }
            return;
        }
        if (inner != null) {
            requests.receive(inner, from, border.aimed());
        } else {
            requests.rejected(border.refusal(), from);
        }
    }

    private void dispatch(SipMessage message, Hop from) {
        core.trace().received(message, from);
        TrustBoundary boundary = config.boundary();
        SipMessage seen =
                boundary == null || from.internal() ? message : boundary.received(message, from);
        Edge edge = core.edge();
        switch (seen) {
            case SipRequest request when edge != null && !from.internal() ->
                    acrossBorder(edge, request, from);
            case SipRequest request -> requests.receive(request, from, false);
            case SipResponse response -> responses.receive(response, from);
        }
    }

    // Commands from the layer above

    /** Sends a request; what comes of it is told to its user, never before this returns. */
    public RequestAttempt send(OutgoingRequest request) {
        return clients.send(request);
    }

    /**
     * Sends an ACK for a 2xx that belongs to no attempt here: forwarded by a proxy, or for a stray
     * 2xx. Goes to its top Route or Request-URI with a Via of ours and a fresh branch.
     */
    public void sendAck(MessageDraft ack) {
        sendAck(ack, null, null, HopDecorator.NONE, Origin.OWN, Sources.NOBODY);
    }

    /** As {@link #sendAck(MessageDraft)}, to that URI or hop if not to its own. */
    public void sendAck(
            MessageDraft ack,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator) {
        sendAck(ack, nextHop, fixedHop, decorator, Origin.OWN, Sources.NOBODY);
    }

    /** As above, on behalf of that origin; the place, of {@link Sources}, pays for it. */
    public void sendAck(
            MessageDraft ack,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator,
            Origin origin,
            int place) {
        RequestPrinter.Leaving leaving = RequestPrinter.Leaving.anyWay(origin, place);
        RequestPrinter printer = clients.printer();
        String branch = core.tokens().branch(printer.partition(ack), 0);
        perform(() ->
                printer.sendStateless(ack, nextHop, fixedHop, leaving, decorator, branch, null));
    }

    /**
     * Forwards a request without a transaction (RFC 3261 section 16.11): repeated requests get the
     * same branch.
     *
     * @param draft the request to send, complete but for our Via
     * @param received the request it was made from
     * @param loopHash as in {@link OutgoingRequest#loopHash}
     * @param origin of the received one
     * @param place where its sender is counted: of {@link Sources}
     */
    public void forwardStateless(
            MessageDraft draft,
            SipRequest received,
            long loopHash,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            Origin origin,
            int place) {
        clients.printer().forward(draft, received, loopHash, nextHop, fixedHop, origin, place);
    }

    /**
     * Refuses new initial requests without a transaction; requests in dialogs go on.
     *
     * @param status 503 as a rule, 0 to accept again
     * @param retryAfterSeconds 0 for no Retry-After
     */
    public void refuseNew(int status, int retryAfterSeconds) {
        perform(() -> requests.refuseNew(status, retryAfterSeconds));
    }

    /** Something happened so many times in a layer above; any thread. */
    public void counted(Counter what, int times) {
        perform(() -> {
            for (int i = 0; i < times; i++) {
                core.counters().add(what);
            }
        });
    }

    /** Makes what carries this shard, or a partition of its cluster; any thread. */
    public Tokens tokens() {
        return core.tokens();
    }

    /** A tag for a call of that partition (-1 for none); any thread. */
    public String newTag(int partition) {
        return core.tokens().tag(partition);
    }

    /**
     * A token for a Record-Route in a dialog of that Call-ID, see {@link #isRoute}; on the shard's
     * thread.
     */
    public String newRoute(int partition, String callId) {
        return core.tokens().route(partition, callId, events.now());
    }

    /**
     * Did we put the route with that token into a request of that Call-ID? Nobody else can make
     * such a token. Any thread.
     */
    public boolean isRoute(String token, String callId) {
        return core.tokens().isRoute(token, callId);
    }

    /**
     * Did we do so 10 to 15 minutes ago at most? After the end of a call nobody waits longer for an
     * ACK. Any thread.
     */
    public boolean isRecentRoute(String token, String callId) {
        return core.tokens().isRecentRoute(token, callId, events.executor().nanoTime());
    }

    /**
     * The number of the INVITE that it answers, which we sent as a user agent 10 to 15 minutes ago
     * at most; 0 when there is none. By the mark in its branch, so no transaction has to be left of
     * it. On the shard's thread.
     */
    public long inviteOf(SipResponse response) {
        return core.inviteOf(response);
    }

    /**
     * Who sent a request that came back to us as it left, while that one waits for its final
     * response; null when it was not one of ours. On the shard's thread.
     */
    public @Nullable AttemptUser senderOf(SipRequest received) {
        return responses.senderOf(received);
    }

    /**
     * As {@link #senderOf}, of a request that we sent to a listening point of ours and that came
     * from ourselves, as it left. Whoever is behind that hop has read its branch too, but sends
     * from elsewhere.
     *
     * @param from where it came from
     */
    public @Nullable AttemptUser ownSenderOf(SipRequest received, Hop from) {
        return responses.ownSenderOf(received, from);
    }

    /** A Call-ID for a call of that partition (-1 for none); any thread. */
    public String newCallId(int partition) {
        return core.tokens().callId(partition);
    }

    /**
     * Transactions now, lingering ones included. Exact on the shard's thread, a moment old
     * elsewhere.
     */
    public int transactionCount() {
        return core.transactionCount();
    }

    /** Transactions that had their final response and only absorb repetitions. */
    public int lingeringCount() {
        return core.counters().lingering();
    }

    /**
     * Bytes of received requests that wait for their final response or for the ACK to their 2xx,
     * and of messages that {@link #waiting wait}. Any thread.
     */
    public long heldBytes() {
        return core.counters().heldBytes() + core.waiting().bytes();
    }

    /** How loaded it is; any thread may ask for its state, and tell what waits. */
    public OverloadControl overload() {
        return core.overload();
    }

    /** What waits outside of the stack for calls that were born here. Any thread. */
    public WaitingMessages waiting() {
        return core.waiting();
    }

    /** Where what came by that hop is counted in the accounts of sources; on the shard's thread. */
    public int place(Hop from) {
        return core.shares().place(from);
    }

    /** A message was not queued, and why is said by the counter; any thread. */
    public void notQueued(Counter why, SipMessage message) {
        core.notQueued(why, message);
    }

    /** Client transactions that wait for a final response over a stream; on the shard's thread. */
    public int waitingOnStreams() {
        return clients.transactions().streams().size();
    }

    /** 2xx responses that wait for their ACK; on the shard's thread. */
    public int waitingForAck() {
        return requests.waitingForAck();
    }

    /** That one may keep back what transactions send, from now on; before the first message. */
    public void departures(Departures keeper) {
        core.outbox().departures(keeper);
    }

    /** Runs a command on the shard's thread: at once when this is it, else as a task. */
    public void perform(Runnable command) {
        events.perform(command);
    }

    /**
     * A message that was kept as bytes, again; null for bytes that are none. Any thread. As a
     * datagram, since it may be one that came and was read with its faults.
     */
    public @Nullable SipMessage parseOwn(byte[] message) {
        return core.parseOwn(message);
    }
}
