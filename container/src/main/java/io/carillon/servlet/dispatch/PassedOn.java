package io.carillon.servlet.dispatch;

import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.proxy.NextHop;
import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.NextApplication;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.ProxyBranch;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import java.util.Set;

/**
 * An initial request that the router sends on without an application: proxied by the container
 * itself, without Record-Route (JSR 289, 15.4.1). On the shard.
 */
public final class PassedOn {
    private static final Set<String> KEEPS_OR_ENDS =
            Set.of(
                    Methods.BYE,
                    Methods.PRACK,
                    Methods.UPDATE,
                    Methods.INFO,
                    Methods.NOTIFY,
                    Methods.OPTIONS);

    private final ContainerConfig config;
    private final ContainerCounters counters;

    public PassedOn(ContainerConfig config, ContainerCounters counters) {
        this.config = config;
        this.counters = counters;
    }

    void forward(ServerTransaction transaction, SipRequest received, NextApplication onward) {
        ResponseContext context =
                new ResponseContext(
                        transaction,
                        received,
                        ProxyPolicy.defaults(),
                        ProxyUser.NONE,
                        Runnable::run);
        transaction.attach(context);
        MessageDraft draft = context.newDraft(context.routing().requestUri());
        onward.applyTo(draft);
        if (!draft.has(HeaderName.ROUTE)
                && draft.requestUri() instanceof SipUri uri
                && transaction.shard().wire().isLocal(uri.host(), uri.port())) {
            // It leads to ourselves, and nobody here wants it.
            counters.noApplication.increment();
            InitialRequests.refuse(transaction, received, config.refusalStatus(), null);
            return;
        }
        ProxyBranch branch = context.addBranch(draft);
        boolean bySender =
                NextHop.bySender(
                        transaction.shard(),
                        received,
                        context.routing(),
                        draft,
                        transaction.source());
        if (branch != null && bySender) {
            branch.repeatedAt(OutgoingRequest.NOWHERE);
        }
        context.start();
    }

    /**
     * Sends a request within a dialog on that no application of ours is part of: the peer addressed
     * it to somebody inside whose Contact it saw as a token of ours, in that dialog. What can begin
     * something is not sent past the applications: the dialog may have ended, and then it is a new
     * call for some (RFC 3261 12.2.2).
     */
    boolean forwardAimed(ServerTransaction transaction, SipRequest received) {
        if (!transaction.addressedByToken() || !KEEPS_OR_ENDS.contains(received.method())) {
            return false;
        }
        forward(transaction, received, NextApplication.OUT);
        return true;
    }

    /** Sends one on that {@link #onlyPasses}; false when it does not. */
    boolean forwardPassing(
            ServerTransaction transaction, SipRequest received, RoutePreprocessing routing) {
        if (!onlyPasses(transaction.shard(), received, routing)) {
            return false;
        }
        forward(transaction, received, NextApplication.OUT);
        return true;
    }

    /**
     * Is it addressed elsewhere, with no Route of ours, where requests that no application wants
     * are sent on? RFC 3261 16.4, 16.6: its dialog is no matter of a proxy that did not
     * record-route; the 481 of 12.2.2 is for a UAS to say.
     */
    boolean onlyPasses(Shard shard, SipRequest received, RoutePreprocessing routing) {
        NameAddress top = received.topRoute();
        return config.noApplicationStatus() == 0
                && routing.popped() == null
                && (top == null || !isOurs(shard, top.uri()))
                && !isOurs(shard, received.requestUri());
    }

    private static boolean isOurs(Shard shard, Uri uri) {
        return uri instanceof SipUri sip && shard.wire().isLocal(sip.host(), sip.port());
    }

    /** A CANCEL for one of them came. */
    static void cancel(ResponseContext context, SipRequest cancel) {
        List<String> reasons = cancel.headers(HeaderName.REASON);
        context.cancel(reasons.isEmpty() ? null : reasons);
    }
}
