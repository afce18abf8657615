package io.carillon.testkit;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.InDialogForwarding;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stateful, forking proxy (RFC 3261 16) on a {@link SimulatedNetwork}. Each request has its turn
 * on a shard chosen at random, as in a server whose sessions live elsewhere than their
 * transactions. Owner: the test's thread.
 */
public final class ProxyNode implements MiddleNode, StackUser {
    private final Targets targets;
    private final SplittableRandom random;
    private final Set<ResponseContext> contexts = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private ProxyPolicy policy = ProxyPolicy.builder().recordRoute(true).build();
    private boolean inline = true;
    private @Nullable SimulatedNode node;
    private @Nullable ProxyUser user;

    private ProxyNode(Targets targets, SplittableRandom random) {
        this.targets = targets;
        this.random = random;
    }

    /** Starts a proxy of so many shards that record-routes. */
    public static ProxyNode start(
            SimulatedNetwork network, String host, int shards, Targets targets) {
        return start(network, host, shards, targets, StackConfig.builder());
    }

    public static ProxyNode start(
            SimulatedNetwork network,
            String host,
            int shards,
            Targets targets,
            StackConfig.Builder config) {
        ProxyNode proxy = new ProxyNode(targets, network.random().split());
        config.errors((during, error) -> proxy.faults.add(during + ": " + error));
        proxy.node =
                SimulatedNode.start(network, "proxy", host, 5060, shards, config.build(), proxy);
        return proxy;
    }

    public ProxyNode policy(ProxyPolicy value) {
        policy = value;
        return this;
    }

    @Override
    public boolean leavesForksRinging() {
        return policy.noCancel();
    }

    /** Runs turns on shards chosen at random instead of inside the stack's calls. */
    public ProxyNode scattered() {
        inline = false;
        return this;
    }

    /** Watches the contexts that are made from now on; they are still counted here. */
    public ProxyNode watch(ProxyUser watcher) {
        user = watcher;
        return this;
    }

    public SimulatedNode node() {
        SimulatedNode started = node;
        if (started == null) {
            throw new IllegalStateException("the proxy has not started");
        }
        return started;
    }

    @Override
    public String uri() {
        return "sip:" + node().address().getAddress().getHostAddress();
    }

    @Override
    public String leftovers() {
        String left = node().leftovers();
        return contexts.isEmpty() ? left : left + contexts.size() + " response contexts; ";
    }

    @Override
    public List<String> faults() {
        return faults;
    }

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        Executor turn =
                inline
                        ? Runnable::run
                        : node().shards().get(random.nextInt(node().shards().size())).executor();
        Watch watch = new Watch(user == null ? ProxyUser.NONE : user);
        ResponseContext context = new ResponseContext(transaction, request, policy, watch, turn);
        watch.context = context;
        contexts.add(context);
        transaction.attach(context);
        turn.execute(() -> forward(context, request));
    }

    private void forward(ResponseContext context, SipRequest request) {
        Uri uri = context.routing().requestUri();
        boolean routed = request.topRoute() != null && context.routing().popped() == null;
        boolean ours =
                uri instanceof SipUri sip
                        && context.server().shard().wire().isLocal(sip.host(), sip.port());
        if (routed || !ours || request.toTag() != null) {
            // RFC 3261 16.5: "If the domain of the Request-URI indicates a domain this element is
            // not responsible for, the Request-URI MUST be placed into the target set as the only
            // target".
            context.addTarget(uri);
        } else {
            String name = ((SipUri) uri).user();
            for (String target : targets.of(name == null ? "" : name)) {
                context.addTarget(parse(target));
            }
        }
        context.start();
    }

    private static Uri parse(String text) {
        try {
            return Uri.parse(text);
        } catch (SipParseException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        InDialogForwarding.forwardAck(shard, ack, from, shard.place(from));
        return true;
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        if (invite.attachment() instanceof ResponseContext context) {
            context.turn().execute(() -> context.cancel(reasons(cancel)));
        }
    }

    private static @Nullable List<String> reasons(SipRequest cancel) {
        return cancel.has(HeaderName.REASON) ? cancel.headers(HeaderName.REASON) : null;
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        // RFC 6026 8.2: "If none is found, the element MUST NOT forward the response."
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        faults.add("a proxy repeats no 2xx");
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        faults.add("a proxy repeats no provisional response");
    }

    /** Counts the contexts, and passes everything on. */
    private final class Watch implements ProxyUser {
        private final ProxyUser next;
        private @Nullable ResponseContext context;

        Watch(ProxyUser next) {
            this.next = next;
        }

        @Override
        public void response(ProxyBranch branch, SipResponse response, boolean willForward) {
            next.response(branch, response, willForward);
        }

        @Override
        public void forwarding(ProxyBranch branch, SipResponse received, MessageDraft outgoing) {
            next.forwarding(branch, received, outgoing);
        }

        @Override
        public boolean best(ProxyBranch branch, SipResponse response) {
            return next.best(branch, response);
        }

        @Override
        public void done() {
            ResponseContext c = context;
            if (c == null || !contexts.remove(c)) {
                faults.add("a context was done twice");
            }
            next.done();
        }
    }
}
