package io.carillon.sip.stack;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.ErrorSink;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shard in virtual time with a wire that writes down what is sent and a user that writes down
 * what it is told.
 */
final class StackHarness implements Wire, StackUser, ShardExecutor {
    static final long MILLIS = 1_000_000L;
    static final Hop ALICE = udp("192.0.2.1", 5060);
    static final Hop BOB = udp("192.0.2.2", 5060);
    static final String OWN = "192.0.2.100";

    /** What left: when (milliseconds), to where, what. */
    record Sent(long at, Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        SipRequest request() {
            return (SipRequest) message;
        }

        SipResponse response() {
            return (SipResponse) message;
        }

        /** "INVITE" or "200 INVITE". */
        String name() {
            return switch (message) {
                case SipRequest r -> r.method();
                case SipResponse r -> r.status() + " " + r.cseq().method();
            };
        }
    }

    final List<Sent> sent = new ArrayList<>();

    /** What the user was told, "request INVITE". */
    final List<String> told = new ArrayList<>();

    final List<ServerTransaction> transactions = new ArrayList<>();
    final List<SipRequest> acks = new ArrayList<>();
    final List<SipResponse> strays = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();

    /** Requests that no address was found for, "INVITE sip:...". */
    final List<String> unsent = new ArrayList<>();

    final Map<String, List<Hop>> targets = new HashMap<>();
    final List<Consumer<List<Hop>>> openResolutions = new ArrayList<>();
    boolean holdResolutions;
    boolean tcp;
    boolean elsewhere;

    /** Does the layer above take ACKs? */
    boolean roomForAcks = true;

    BiConsumer<ServerTransaction, SipRequest> onRequest = (tx, request) -> {};

    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private long now;
    final Shard shard;

    StackHarness() {
        this(StackConfig.builder());
    }

    StackHarness(StackConfig.Builder config) {
        config.errors(
                new ErrorSink() {
                    @Override
                    public void error(String during, Throwable error) {
                        errors.add(error);
                    }

                    @Override
                    public void unsent(MessageDraft request, String why) {
                        unsent.add(request.method() + " " + request.requestUri() + ": " + why);
                    }
                });
        shard = Stack.shard(3, config.build(), this, this, this, RandomSource.seeded(42), 0);
    }

    static Hop udp(String host, int port) {
        return new Hop(
                Transport.UDP, null, new InetSocketAddress(InetAddress.ofLiteral(host), port), 0);
    }

    static Hop tcp(String host, int port, long connection) {
        return new Hop(
                Transport.TCP,
                null,
                new InetSocketAddress(InetAddress.ofLiteral(host), port),
                connection);
    }

    // Time

    long millis() {
        return now / MILLIS;
    }

    /** To that virtual time, each timer at its very instant. */
    void runTo(long millis) {
        long target = millis * MILLIS;
        for (long next; (next = shard.timers().nextDeadlineNanos()) <= target; ) {
            now = Math.max(now, next);
            shard.advance(now);
            drain();
        }
        now = target;
        shard.advance(now);
        drain();
    }

    void drain() {
        for (Runnable task; (task = queue.poll()) != null; ) {
            task.run();
        }
    }

    /** Time goes on while the shard is not told. */
    void sleepUnnoticed(long millis) {
        now += millis * MILLIS;
    }

    // Input

    void receive(String text, Hop from) {
        byte[] bytes = bytes(text);
        shard.receive(bytes, bytes.length, from, now);
        drain();
    }

    void receive(SipMessage message, Hop from) {
        byte[] copy = java.util.Arrays.copyOf(message.bytes(), message.length());
        shard.receive(copy, copy.length, from, now);
        drain();
    }

    static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    static SipMessage parse(String text) {
        byte[] bytes = bytes(text);
        return ((ParseResult.Parsed)
                        new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                                .parseDatagram(bytes, bytes.length))
                .message();
    }

    /** A request of a peer at 192.0.2.1:5060. */
    static String text(String method, String branch, String more) {
        return text(method, branch, "1", more);
    }

    static String text(String method, String branch, String cseq, String more) {
        return method
                + " sip:bob@192.0.2.100 SIP/2.0\n"
                + "Via: SIP/2.0/UDP 192.0.2.1:5060"
                + (branch.isEmpty() ? "" : ";branch=" + branch)
                + "\nMax-Forwards: 70\nFrom: <sip:alice@example.com>;tag=alice\n"
                + (more.contains("To:") ? "" : "To: <sip:bob@example.com>\n")
                + "Call-ID: call-1\nCSeq: "
                + cseq
                + " "
                + method
                + "\n"
                + more
                + "Content-Length: 0\n\n";
    }

    static String invite(String branch) {
        return text("INVITE", branch, "Contact: <sip:alice@192.0.2.1>\n");
    }

    SipResponse response(ServerTransaction tx, int status) {
        MessageDraft draft =
                MessageDraft.responseTo(
                        tx.request(), status, null, status == 100 ? null : tx.localTag());
        return draft.freezeResponse();
    }

    /** The answer of a peer to a request of ours. */
    static SipResponse answer(SipRequest request, int status, String tag) {
        return MessageDraft.responseTo(request, status, null, tag).freezeResponse();
    }

    /** The ACK of a peer for a 2xx of ours. */
    static String ackFor(SipResponse response, String branch) {
        return text("ACK", branch, "To: " + response.header(HeaderName.TO) + "\n");
    }

    // Output

    List<String> sentNames() {
        return sent.stream().map(Sent::name).toList();
    }

    List<String> sentTimes() {
        return sent.stream().map(s -> s.name() + " @" + s.at()).toList();
    }

    Sent last() {
        return sent.getLast();
    }

    long count(Counter counter) {
        return shard.counters().get(counter);
    }

    @Override
    public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
        sent.add(new Sent(millis(), to, message, onFailure));
    }

    @Override
    public void sendBytes(Hop to, byte[] message, int length) {
        byte[] copy = java.util.Arrays.copyOf(message, length);
        SipMessage parsed =
                ((ParseResult.Parsed)
                                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                                        .parseFramed(copy, length))
                        .message();
        sent.add(new Sent(millis(), to, parsed, null));
    }

    /** The transport fails for what was sent last. */
    void failLast() {
        Sent last = last();
        if (last.onFailure() != null) {
            last.onFailure().sendFailed(last.to(), "refused");
        }
        drain();
    }

    @Override
    public HostPort sentBy(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        return new HostPort(OWN, 5060);
    }

    @Override
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            Consumer<List<Hop>> result) {
        if (holdResolutions) {
            openResolutions.add(result);
            return;
        }
        String host = ((SipUri) target).host();
        result.accept(targets.getOrDefault(host, List.of(BOB)));
    }

    @Override
    public boolean isLocal(String host, int port) {
        return host.equals(OWN) && port == 5060;
    }

    @Override
    public boolean sends(Transport transport) {
        return transport == Transport.UDP || tcp;
    }

    // User

    @Override
    public void request(Shard which, ServerTransaction transaction, SipRequest request) {
        told.add("request " + request.method());
        transactions.add(transaction);
        onRequest.accept(transaction, request);
    }

    @Override
    public boolean ack(Shard which, SipRequest ack, Hop from, boolean byToken) {
        told.add("ack");
        acks.add(ack);
        return roomForAcks;
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        told.add("cancelled " + answered487);
    }

    @Override
    public void strayResponse(Shard which, SipResponse response, Hop from) {
        told.add("stray " + response.status());
        strays.add(response);
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        told.add("ackMissing @" + millis());
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        told.add("prackMissing @" + millis());
    }

    /** Writes down what becomes of attempts. */
    final AttemptUser attemptUser =
            new AttemptUser() {
                @Override
                public void response(RequestAttempt attempt, SipResponse response) {
                    told.add("response " + response.status());
                }

                @Override
                public void failed(RequestAttempt attempt, Failure failure) {
                    told.add("failed " + failure);
                }

                @Override
                public void finished(RequestAttempt attempt) {
                    told.add("finished @" + millis());
                }
            };

    /** A request of our own, complete but for the Via. */
    OutgoingRequest outgoing(String method, String host) {
        MessageDraft draft = MessageDraft.request(method, SipUri.of("bob", host, -1));
        draft.set(HeaderName.MAX_FORWARDS, "70");
        draft.set(HeaderName.FROM, "<sip:us@example.com>;tag=" + shard.newTag(-1));
        draft.set(HeaderName.TO, "<sip:bob@example.com>");
        draft.set(HeaderName.CALL_ID, shard.newCallId(-1));
        draft.set(HeaderName.CSEQ, "1 " + method);
        draft.set(HeaderName.CONTACT, "<sip:us@192.0.2.100>");
        return new OutgoingRequest(draft, attemptUser);
    }

    // Executor

    @Override
    public boolean inShard() {
        return !elsewhere;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        queue.add(task);
    }
}
