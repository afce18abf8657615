package io.carillon.testkit;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A phone on a {@link SimulatedNetwork}: it calls, rings, answers, rejects, cancels, changes and
 * ends calls, on the same stack and dialogs as a server. Everything that the RFCs leave to the core
 * of a user agent it does by itself: ACK, PRACK, 487 to a pending re-INVITE when a BYE comes, a new
 * try after a 491, ACK and BYE for a second fork, BYE when an ACK never comes.
 *
 * <p>Owner: the test's thread.
 */
public final class UserAgent implements StackUser {
    static final String SDP = "application/sdp";

    private final SimulatedNetwork network;
    private final String name;
    private final SplittableRandom random;
    private final List<Call> calls = new ArrayList<>();
    private final Map<DialogKey, Call> dialogs = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable SimulatedNode node;
    private Consumer<Call> incoming = call -> {};
    private Supplier<Duration> changeDelay = () -> Duration.ZERO;
    private Duration longestCall = Duration.ZERO;

    private UserAgent(SimulatedNetwork network, String name) {
        this.network = network;
        this.name = name;
        this.random = network.random().split();
    }

    /** Starts a user agent with the default settings of the stack. */
    public static UserAgent start(SimulatedNetwork network, String name, String host, int port) {
        return start(network, name, host, port, 1, StackConfig.builder());
    }

    /**
     * Starts a user agent.
     *
     * @param host address literal
     * @param config settings; errors of the layers above the stack are counted here as faults
     */
    public static UserAgent start(
            SimulatedNetwork network,
            String name,
            String host,
            int port,
            int shards,
            StackConfig.Builder config) {
        UserAgent agent = new UserAgent(network, name);
        config.errors((during, error) -> agent.faults.add(during + ": " + error));
        agent.node = SimulatedNode.start(network, name, host, port, shards, config.build(), agent);
        return agent;
    }

    /** What happens to incoming calls; without it they ring silently until they are cancelled. */
    public UserAgent onCall(Consumer<Call> behaviour) {
        incoming = behaviour;
        return this;
    }

    /** How long this user agent takes to answer a re-INVITE; at once without it. */
    public UserAgent changeDelay(Supplier<Duration> delay) {
        changeDelay = delay;
        return this;
    }

    /** Ends every call that lasts longer than this, so that none outlives a peer that vanished. */
    public UserAgent longestCall(Duration limit) {
        longestCall = limit;
        return this;
    }

    /** Calls with an offer. */
    public Call call(String target) {
        return invite(target).send();
    }

    /** Calls with an offer, as another user agent's {@link #uri()} says. */
    public Call call(SipUri target) {
        return invite(target).send();
    }

    /** Prepares an INVITE. */
    public Invitation invite(String target) {
        try {
            return prepare(Uri.parse(target));
        } catch (SipParseException e) {
            throw new IllegalArgumentException(target, e);
        }
    }

    /** Prepares an INVITE to another user agent's {@link #uri()}. */
    public Invitation invite(SipUri target) {
        return prepare(target);
    }

    private Invitation prepare(Uri uri) {
        MessageDraft draft = MessageDraft.request(Methods.INVITE, uri);
        Shard home = shard(random.nextInt(node().shards().size()));
        int partition = home.tokens().newPartition();
        draft.setMaxForwards(70);
        draft.setFrom(NameAddress.of(uri()).withTag(shard(0).newTag(partition)));
        draft.setTo(NameAddress.of(uri));
        draft.setCallId(home.newCallId(partition));
        draft.setCSeq(1 + random.nextInt(1 << 20), Methods.INVITE);
        return new Invitation(this, draft);
    }

    Call start(MessageDraft draft, boolean offer) {
        String callId = draft.callId();
        Shard shard =
                node().shards().stream()
                        .filter(s -> callId != null && madeBy(s, callId))
                        .findFirst()
                        .orElse(shard(0));
        Call call = new Call(this, shard, offer);
        calls.add(call);
        node().run(shard, () -> call.startOutgoing(draft));
        return call;
    }

    /** Does this Call-ID lead to that shard? */
    private boolean madeBy(Shard shard, String callId) {
        int shards = node().shards().size();
        return shard.config().tokens().shardOfBranch(callId, shards) == shard.index();
    }

    public String name() {
        return name;
    }

    public SimulatedNode node() {
        SimulatedNode started = node;
        if (started == null) {
            throw new IllegalStateException(name + " has not started");
        }
        return started;
    }

    /** {@code sip:name@host:port}. */
    public SipUri uri() {
        String hostPort = node().hostPort();
        int colon = hostPort.lastIndexOf(':');
        int port = Integer.parseInt(hostPort.substring(colon + 1));
        return SipUri.of(name, hostPort.substring(0, colon), port == 5060 ? -1 : port);
    }

    public List<Call> calls() {
        return calls;
    }

    /** The call that came or went last. */
    public Call lastCall() {
        return calls.getLast();
    }

    /**
     * What should never happen, such as exceptions in the stack's callbacks; empty when all is
     * well.
     */
    public List<String> faults() {
        return faults;
    }

    void fault(String what) {
        faults.add(what);
    }

    SimulatedNetwork network() {
        return network;
    }

    SplittableRandom random() {
        return random;
    }

    Duration changeDelay() {
        return changeDelay.get();
    }

    Duration longestCall() {
        return longestCall;
    }

    private Shard shard(int index) {
        return node().shards().get(index);
    }

    /** A session description; the bodies of this kit only have to be there. */
    byte[] description() {
        String text = "v=0\r\no=" + name + " 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Sets Contact for the way a request takes. */
    HopDecorator contact() {
        return (draft, hop, sentBy) -> draft.setContact(NameAddress.of(contactUri(sentBy)));
    }

    NameAddress contactFor(Hop hop, Shard shard) {
        HostPort own = shard.wire().sentBy(hop.transport(), hop.local(), hop.remote());
        return NameAddress.of(contactUri(own));
    }

    private Uri contactUri(HostPort own) {
        return SipUri.of(name, own.host(), own.port());
    }

    void remember(DialogKey key, Call call) {
        dialogs.put(key, call);
    }

    void forget(DialogKey key, Call call) {
        dialogs.remove(key, call);
    }

    /** Dialogs that are held now. */
    public int dialogCount() {
        return dialogs.size();
    }

    /** What is left in this user agent: transactions, timers, dialogs, calls without an end. */
    public String leftovers() {
        StringBuilder text = new StringBuilder(node().leftovers());
        if (!dialogs.isEmpty()) {
            text.append(name).append(": ").append(dialogs.size()).append(" dialogs; ");
        }
        for (Call call : calls) {
            if (call.ending() == null) {
                text.append(name).append(": a call ").append(call.state()).append("; ");
            }
        }
        return text.toString();
    }

    // The stack calls

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        if (request.toTag() != null) {
            Call call = dialogs.get(DialogKey.ofIncoming(request));
            if (call == null) {
                // RFC 3261 12.2.2: "If the UAS ... does not wish to recreate the dialog, it MUST
                // respond to the request with a 481".
                respond(transaction, 481);
            } else {
                call.receive(transaction, request);
            }
        } else if (request.is(Methods.INVITE)) {
            if (refusesExtensions(transaction, request)) {
                return;
            }
            transaction.setRole(Role.UAS);
            Call call = new Call(this, shard, true);
            calls.add(call);
            call.startIncoming(transaction, request);
            incoming.accept(call);
        } else {
            transaction.setRole(Role.UAS);
            // RFC 3261 11.2: an OPTIONS is answered as an INVITE would be.
            respond(transaction, request.is(Methods.OPTIONS) ? 200 : 405);
        }
    }

    private static boolean refusesExtensions(ServerTransaction transaction, SipRequest request) {
        for (String tag : request.headers(HeaderName.REQUIRE)) {
            if (!tag.equalsIgnoreCase("100rel")) {
                // RFC 3261 8.2.2.3: "it MUST generate a response with status code 420".
                MessageDraft draft =
                        MessageDraft.responseTo(request, 420, null, transaction.localTag());
                draft.set(HeaderName.UNSUPPORTED, tag);
                transaction.respond(draft.freezeResponse());
                return true;
            }
        }
        return false;
    }

    static void respond(ServerTransaction transaction, int status) {
        SipRequest request = transaction.request();
        String tag = request.toTag() == null ? transaction.localTag() : null;
        MessageDraft draft = MessageDraft.responseTo(request, status, null, tag);
        if (status == 405) {
            draft.set(HeaderName.ALLOW, "INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, INFO, OPTIONS");
        }
        transaction.respond(draft.freezeResponse());
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        Call call = dialogs.get(DialogKey.ofIncoming(ack));
        if (call != null) {
            call.acknowledged(ack);
        }
        return true;
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        if (invite.attachment() instanceof Call call && answered487) {
            call.cancelled(invite);
        }
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        // Later than 64*T1 after the first 2xx: the other end gives up by its own timer.
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        if (invite.attachment() instanceof Call call) {
            call.ackMissing(final2xx.cseq().number());
        }
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        if (invite.attachment() instanceof Call call) {
            call.prackMissing();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
