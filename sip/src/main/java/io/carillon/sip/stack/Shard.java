package io.carillon.sip.stack;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.ReasonPhrases;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.uri.Uri;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One writer's share of the server: parser, transactions and timers of the calls that were born
 * here. Input is a message, a command or the time; output goes to a {@link Wire} and a {@link
 * StackUser}. No socket, thread, lock or clock inside.
 *
 * <p>Owner: the thread of its {@link ShardExecutor}. {@link #receive}, {@link #rejected} and {@link
 * #advance} are called on it only; methods for layers above, from any thread.
 *
 * <p>It is longer than a class should be, by the many short methods of its face: the work is done
 * by its parts, and what is here is the one event at work and who meets whom.
 */
public final class Shard {
    private final int index;
    private final StackConfig config;
    private final ShardExecutor executor;
    private final Wire wire;

    /** Whom {@link #leadsHere} was asked for last, and what it said. */
    private @Nullable InetSocketAddress askedFor;

    private boolean askedForIsHere;
    private final StackUser user;
    private final Tokens tokens;
    private final TimerWheel timers;
    private final MessageParser parser;
    private final StackCounters counters = new StackCounters();
    private final WaitingMessages waiting;
    private final SourceShares shares;
    private final OpenBytes openBytes;
    private final TransactionTable servers = new TransactionTable();
    private final TransactionTable clients = new TransactionTable();
    private final StreamClients streamClients = new StreamClients();
    private final Witness witness = new Witness(this);
    private final DownHops downHops;
    private final Outbox outbox;
    private final Replies replies;
    private final RequestPrinter printer;
    private final RequestIntake requests;
    private final ResponseIntake responses;
    private final UasReliability reliability;
    private final SendFailure countFailure;
    private final @Nullable Edge edge;

    /** Of the request that is being taken up, see {@link #addressedByToken}. */
    private boolean aimed;

    /** Upcalls that came up inside a call from above, to be made after it. */
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();

    private long nowNanos;
    private int depth;

    /**
     * @param index 0 to {@link ShardToken#MAX_SHARDS} - 1
     * @param startNanos the time now, of the executor's clock
     */
    public Shard(
            int index,
            StackConfig config,
            ShardExecutor executor,
            Wire wire,
            StackUser user,
            RandomSource random,
            long startNanos) {
        this.index = index;
        this.config = config;
        this.executor = executor;
        this.wire = wire;
        this.user = user;
        OwnMarks marks = config.marks();
        this.tokens =
                new Tokens(
                        config.nodeId(),
                        index,
                        executor,
                        random,
                        marks == null ? new OwnMarks(random) : marks);
        this.nowNanos = startNanos;
        this.timers = new TimerWheel(config.tickNanos(), startNanos);
        this.parser = new MessageParser(config.compliance(), config.limits());
        this.waiting = new WaitingMessages(config);
        this.shares = new SourceShares(config);
        this.openBytes = new OpenBytes(config, counters, shares);
        this.downHops = new DownHops(config.failover());
        Edge.Source edges = config.edge();
        this.edge = edges == null ? null : edges.open(wire, config.limits(), counters::add);
        this.outbox = new Outbox(this, parser, this::inside);
        this.replies = new Replies(this);
        this.printer = new RequestPrinter(this);
        this.requests = new RequestIntake(this, servers);
        this.responses = new ResponseIntake(this, clients);
        this.reliability = new UasReliability(this);
        this.countFailure = (to, cause) -> counters.add(Counter.TRANSPORT_FAILURES);
    }

    public int index() {
        return index;
    }

    public StackConfig config() {
        return config;
    }

    public ShardExecutor executor() {
        return executor;
    }

    public Wire wire() {
        return wire;
    }

    /** The shard's timers, for layers above too; on the shard's thread. */
    public TimerWheel timers() {
        return timers;
    }

    /** The time of the event or command at work; on the shard's thread. */
    public long now() {
        return nowNanos;
    }

    /** May be read by any thread. */
    public StackCounters counters() {
        return counters;
    }

    /** Shows every message to that one from now on, or to nobody; any thread. */
    public void tap(@Nullable Tap onlooker) {
        witness.tap(onlooker);
    }

    Witness witness() {
        return witness;
    }

    // Input from the layer below

    /**
     * A datagram.
     *
     * @param owned given away: the message may keep it
     * @param nowNanos the time, never before that of an earlier call
     */
    public void receive(byte[] owned, int length, Hop from, long nowNanos) {
        receive(false, owned, length, from, nowNanos);
    }

    /** A message that was framed out of a stream. */
    public void receiveFramed(byte[] owned, int length, Hop from, long nowNanos) {
        receive(true, owned, length, from, nowNanos);
    }

    private void receive(boolean framed, byte[] owned, int length, Hop from, long nowNanos) {
        begin(nowNanos);
        try {
            take(owned, length, framed, from);
        } catch (RuntimeException e) {
            userError("receive", e);
        } finally {
            end();
        }
    }

    /** A message that was parsed already. */
    public void receive(SipMessage message, Hop from, long nowNanos) {
        begin(nowNanos);
        try {
            dispatch(message, from);
        } catch (RuntimeException e) {
            userError("receive", e);
        } finally {
            end();
        }
    }

    /** A malformed message, for instance from a stream: answered when it can be. */
    public void rejected(ParseResult.Rejected rejected, Hop from, long nowNanos) {
        begin(nowNanos);
        try {
            requests.rejected(rejected, from);
        } catch (RuntimeException e) {
            userError("rejected", e);
        } finally {
            end();
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
        event(() ->
                streamClients.on(lost, lostNanos).forEach(StreamClients.Waiting::connectionLost));
    }

    /** An ICMP error quoted a request with that top branch which we had sent there by UDP. */
    public void unreachable(String method, String branch, InetSocketAddress remote) {
        event(() -> responses.unreachable(method, branch, remote));
    }

    /** Time passed: fires what is due. */
    public void advance(long nowNanos) {
        begin(nowNanos);
        try {
            timers.advance(this.nowNanos);
        } catch (RuntimeException e) {
            userError("timer", e);
        } finally {
            end();
        }
    }

    /**
     * A message from one user of this shard to another: printed and parsed as if it had been on the
     * wire, taken up when the event at work is over.
     */
    private void inside(Hop hop, SipMessage message) {
        byte[] copy = Arrays.copyOf(message.bytes(), message.length());
        executor.execute(() -> event(() -> take(copy, copy.length, true, hop)));
    }

    private void take(byte[] owned, int length, boolean framed, Hop from) {
        MessageParser fit = edge == null ? parser : edge.parser(from.internal() ? null : from);
        SipMessage message = fit.message(owned, length, framed);
        if (message != null) {
            dispatch(message, from);
        } else if (fit.refusal() instanceof ParseResult.Rejected rejected) {
            requests.rejected(rejected, from);
        } else {
            counters.add(Counter.DROPPED_NOT_SIP);
            requests.blame(PeerConduct.Failure.MALFORMED, from);
        }
    }

    private void acrossBorder(Edge border, SipRequest request, Hop from) {
        SipRequest inner;
        try {
            inner = border.arrived(request, from);
        } catch (RuntimeException e) {
            // What cannot be read must not be lost without a word.
            userError("rewriting a request from " + from, e);
            if (!request.is(Methods.ACK)) {
                replies.malformed(request, from, 500, ReasonPhrases.of(500));
            }
            return;
        }
        aimed = border.aimed();
        if (inner != null) {
            requests.receive(inner, from);
        } else {
            requests.rejected(border.refusal(), from);
        }
    }

    private void dispatch(SipMessage message, Hop from) {
        witness.received(message, from);
        TrustBoundary boundary = config.boundary();
        SipMessage seen =
                boundary == null || from.internal() ? message : boundary.received(message, from);
        switch (seen) {
            case SipRequest request when edge != null && !from.internal() ->
                    acrossBorder(edge, request, from);
            case SipRequest request -> {
                aimed = false;
                requests.receive(request, from);
            }
            case SipResponse response -> responses.receive(response, from);
        }
    }

    // Commands from the layer above

    /** Sends a request; what comes of it is told to its user, never before this returns. */
    public RequestAttempt send(OutgoingRequest request) {
        RequestAttempt attempt = new RequestAttempt(this, request);
        attempt.start();
        return attempt;
    }

    /**
     * Sends an ACK for a 2xx that belongs to no attempt here: forwarded by a proxy, or for a stray
     * 2xx. Goes to its top Route or Request-URI with a Via of ours and a fresh branch.
     */
    public void sendAck(MessageDraft ack) {
        sendAck(ack, null, null, HopDecorator.NONE);
    }

    /**
     * As {@link #sendAck(MessageDraft)}.
     *
     * @param nextHop where to send it, if not to the top Route or Request-URI
     * @param fixedHop the hop to use without resolution, or null
     */
    public void sendAck(
            MessageDraft ack,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator) {
        sendAck(ack, nextHop, fixedHop, decorator, Origin.OWN, Sources.NOBODY);
    }

    /**
     * As {@link #sendAck(MessageDraft, Uri, Hop, HopDecorator)}.
     *
     * @param origin on whose behalf
     * @param place where whoever made us send it is counted: of {@link Sources}
     */
    public void sendAck(
            MessageDraft ack,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator,
            Origin origin,
            int place) {
        RequestPrinter.Leaving leaving = RequestPrinter.Leaving.anyWay(origin, place);
        perform(() ->
                printer.sendStateless(
                        ack, nextHop, fixedHop, leaving, decorator, newBranch(), null));
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
        printer.forward(draft, received, loopHash, nextHop, fixedHop, origin, place);
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

    /** A response or NOTIFY of a fork beyond the limit came; any thread. */
    public void forkRefused() {
        perform(() -> counters.add(Counter.FORKS_REFUSED));
    }

    /** A proxy left so many contacts of a redirect untried; any thread. */
    public void redirectsRefused(int contacts) {
        perform(() -> {
            for (int i = 0; i < contacts; i++) {
                counters.add(Counter.REDIRECTS_REFUSED);
            }
        });
    }

    /** A proxy did not pass an ACK on; any thread. */
    public void ackLooped() {
        perform(() -> counters.add(Counter.ACKS_LOOPED));
    }

    /** A tag that carries this shard; any thread. */
    public String newTag() {
        return tokens.tag();
    }

    /**
     * A token for a Record-Route in a dialog of that Call-ID, see {@link #isRoute}; on the shard's
     * thread.
     */
    public String newRoute(String callId) {
        return tokens.route(callId, nowNanos);
    }

    /**
     * Did we put the route with that token into a request of that Call-ID? Nobody else can make
     * such a token. Any thread.
     */
    public boolean isRoute(String token, String callId) {
        return tokens.isRoute(token, callId);
    }

    /**
     * Did we do so 10 to 15 minutes ago at most? After the end of a call nobody waits longer for an
     * ACK. Any thread.
     */
    public boolean isRecentRoute(String token, String callId) {
        return tokens.isRecentRoute(token, callId, executor.nanoTime());
    }

    /**
     * The number of the INVITE that it answers, which we sent as a user agent 10 to 15 minutes ago
     * at most; 0 when there is none. By the mark in its branch, so no transaction has to be left of
     * it. On the shard's thread.
     */
    public long inviteOf(SipResponse response) {
        String branch = response.topVia().branch();
        String fromTag = response.fromTag();
        return branch == null
                ? 0
                : tokens.inviteOf(
                        branch,
                        response.callId(),
                        fromTag == null ? "" : fromTag,
                        response.cseqNumber(),
                        nowNanos);
    }

    /**
     * Who sent a request that came back to us as it left, while that one waits for its final
     * response; null when it was not one of ours. On the shard's thread.
     */
    public @Nullable AttemptUser senderOf(SipRequest received) {
        RequestAttempt attempt = attemptOf(received);
        return attempt == null ? null : attempt.user();
    }

    /**
     * As {@link #senderOf}, of a request that we sent to a listening point of ours and that came
     * from ourselves, as it left. Whoever is behind that hop has read its branch too, but sends
     * from elsewhere.
     *
     * @param from where it came from
     */
    public @Nullable AttemptUser ownSenderOf(SipRequest received, Hop from) {
        if (!(from.beside() instanceof CameBack)) {
            return null;
        }
        RequestAttempt attempt = attemptOf(received);
        Hop to = attempt == null ? null : attempt.hop();
        SipRequest sent = attempt == null ? null : attempt.request();
        boolean same =
                sent != null
                        && sent.callId().equals(received.callId())
                        && sent.cseqNumber() == received.cseqNumber()
                        && sent.requestUri().equals(received.requestUri())
                        && Objects.equals(sent.fromTag(), received.fromTag());
        return attempt != null && to != null && same && leadsHere(to) ? attempt.user() : null;
    }

    /** Does that hop lead to a listening point of ours, by the wire? On the shard's thread. */
    boolean leadsHere(Hop hop) {
        InetSocketAddress remote = hop.remote();
        InetAddress address = remote.getAddress();
        if (hop.internal() || address == null) {
            return false;
        }
        if (!remote.equals(askedFor)) {
            String digits = address.getHostAddress();
            askedFor = remote;
            askedForIsHere =
                    wire.isLocal(
                            address instanceof Inet6Address ? '[' + digits + ']' : digits,
                            remote.getPort());
        }
        return askedForIsHere;
    }

    @Nullable RequestAttempt attemptOf(SipRequest received) {
        String branch = received.topVia().branch();
        if (branch == null || ShardToken.decode(config.nodeId(), branch) < 0) {
            return null;
        }
        long hash = TransactionTable.hash(branch, "", -1, received.method());
        HopUser sender =
                switch (clients.find(hash, branch)) {
                    case ClientInvite invite -> invite.attempt();
                    case ClientNonInvite other -> other.attempt();
                    case null, default -> null;
                };
        return sender instanceof RequestAttempt attempt ? attempt : null;
    }

    /** A branch that carries this shard; any thread. */
    public String newBranch() {
        return tokens.branch(0);
    }

    /** A Call-ID that carries this shard; any thread. */
    public String newCallId() {
        return tokens.callId();
    }

    /**
     * Transactions now, lingering ones included. Exact on the shard's thread, a moment old
     * elsewhere.
     */
    public int transactionCount() {
        return servers.size() + clients.size();
    }

    /** Transactions that had their final response and only absorb repetitions. */
    public int lingeringCount() {
        return counters.lingering();
    }

    /**
     * Bytes of received requests that wait for their final response or for the ACK to their 2xx,
     * and of messages that {@link #waiting wait}. Any thread.
     */
    public long heldBytes() {
        return counters.heldBytes() + waiting.bytes();
    }

    /** What waits outside of the stack for calls that were born here. Any thread. */
    public WaitingMessages waiting() {
        return waiting;
    }

    /** Where what came by that hop is counted in the accounts of sources; on the shard's thread. */
    public int place(Hop from) {
        return shares.place(from);
    }

    /** A message was not queued, and why is said by the counter; any thread. */
    public void notQueued(Counter why, SipMessage message) {
        perform(() -> {
            counters.add(why);
            witness.tell(why, message, null);
        });
    }

    /** 2xx responses that wait for their ACK; on the shard's thread. */
    public int waitingForAck() {
        return reliability.waitingForAck();
    }

    /**
     * Is there no room for a request from above? As for those from the network: an initial one may
     * be sent up to {@link StackConfig#maxTransactions}, one in a dialog up to a quarter more, so
     * that calls can still be ended. On the shard's thread.
     */
    boolean fullFor(MessageDraft request) {
        int count = transactionCount();
        int most = config.maxTransactions();
        return count >= most && (count >= most + most / 4 || request.to().param("tag") == null);
    }

    /** Runs a command on the shard's thread: at once when this is it, else as a task. */
    public void perform(Runnable command) {
        if (enter()) {
            try {
                command.run();
            } finally {
                leave();
            }
        } else {
            executor.execute(() -> event(command));
        }
    }

    /**
     * For what comes with every message: begins a command without an object for it, when this is
     * the shard's thread; then {@link #leave} ends it. False elsewhere.
     */
    boolean enter() {
        if (!executor.inShard()) {
            return false;
        }
        if (depth == 0) {
            nowNanos = Math.max(nowNanos, executor.nanoTime());
        }
        depth++;
        return true;
    }

    void leave() {
        depth--;
        if (depth == 0 && !later.isEmpty()) {
            // The caller must not be called back before its call returns.
            executor.execute(() -> event(() -> {}));
        }
    }

    /** Is an event or a command at work? Then what comes up is a part of it. */
    boolean atWork() {
        return depth > 0;
    }

    // For the parts

    /**
     * Something came in by the executor: a result or a command. Inside another event it runs as a
     * part of that.
     */
    void event(Runnable what) {
        if (depth > 0) {
            what.run();
            return;
        }
        begin(executor.nanoTime());
        try {
            what.run();
        } catch (RuntimeException e) {
            userError("command", e);
        } finally {
            end();
        }
    }

    private void begin(long now) {
        nowNanos = Math.max(nowNanos, now);
        depth++;
    }

    private void end() {
        try {
            Runnable next;
            while ((next = later.poll()) != null) {
                next.run();
            }
        } finally {
            depth--;
        }
    }

    /** Makes an upcall when the event or command at work is done. */
    void later(Runnable upcall) {
        later.add(upcall);
    }

    void userError(String during, RuntimeException error) {
        counters.add(Counter.USER_ERRORS);
        config.errors().error(during, error);
    }

    void clientStarted(Transaction transaction, int place) {
        counters.add(Counter.TRANSACTIONS_STARTED);
        clients.add(transaction);
        shares.begins(place);
    }

    void clientEnded(Transaction transaction, int place, boolean lingered) {
        clients.remove(transaction);
        shares.ended(place);
        if (lingered) {
            lingers(-1);
        }
    }

    void serverEnded(Transaction transaction, long mergeKey, int place, boolean lingered) {
        servers.remove(transaction);
        shares.ended(place);
        requests.forgetForMerge(mergeKey);
        if (lingered) {
            lingers(-1);
        }
    }

    void lingers(int change) {
        counters.lingers(change);
    }

    /**
     * What is kept of one thing for an open request changes.
     *
     * @param place of the source that it counts for
     * @param before bytes that it was counted with
     * @param now bytes from now on
     */
    void holds(int place, int before, int now) {
        openBytes.changed(place, before, now);
    }

    /** What is kept of open requests. */
    OpenBytes openBytes() {
        return openBytes;
    }

    /** What the requests of each source hold. */
    SourceShares shares() {
        return shares;
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

    /** Null where messages leave and come as they are. */
    @Nullable Edge edge() {
        return edge;
    }

    /**
     * Was the request that is being taken up addressed to somebody inside by a token of the {@link
     * Edge}? On the shard's thread, while its user is told of it.
     */
    public boolean addressedByToken() {
        return aimed;
    }

    /** That way from the address of ours that its peer is to see, else from the wanted one. */
    Hop way(Hop hop, @Nullable InetSocketAddress wanted) {
        InetSocketAddress seen = edge == null ? null : edge.local(hop);
        return hop.from(seen == null ? wanted : seen);
    }

    Tokens tokens() {
        return tokens;
    }

    DownHops downHops() {
        return downHops;
    }

    StreamClients streamClients() {
        return streamClients;
    }

    StackUser user() {
        return user;
    }

    Outbox outbox() {
        return outbox;
    }

    Replies replies() {
        return replies;
    }

    RequestPrinter printer() {
        return printer;
    }

    RequestIntake requests() {
        return requests;
    }

    ResponseIntake responses() {
        return responses;
    }

    UasReliability reliability() {
        return reliability;
    }

    SendFailure countFailure() {
        return countFailure;
    }
}
