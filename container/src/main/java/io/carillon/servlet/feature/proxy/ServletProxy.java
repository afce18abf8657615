package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.kernel.OpenMessages;
import io.carillon.servlet.kernel.RequestProxy;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionDialog;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.kernel.Usages;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of one request: the API over the core's {@link ResponseContext}, which does what RFC
 * 3261 16 says. One object per transaction. Owner: the turn of the application session.
 */
public class ServletProxy extends ProxySettings
        implements RequestProxy, ProxyUser, OpenMessages.Lingering {
    private final ServletRequest request;
    private final UasTransaction server;

    /** The first branch of its own; each knows the next. */
    @Nullable ServletProxyBranch branches;

    @Nullable ResponseContext context;
    private @Nullable ServletResponse event;
    private boolean completed;

    /** {@link AnsweredTags} of the 2xx that passed: one for each fork that answered. */
    private @Nullable Object answered;

    /** By {@link ProxyHost} only. */
    public ServletProxy(ServletRequest request, UasTransaction server) {
        super(request.getSession(), request.isInitial());
        this.request = request;
        this.server = server;
    }

    ServletRequest request() {
        return request;
    }

    UasTransaction server() {
        return server;
    }

    @Override
    public boolean started() {
        return context != null;
    }

    // ---- targets ----

    @Override
    public void proxyTo(URI uri) {
        Uri target = ProxyTargets.target(uri);
        session.parent()
                .inTurn(() -> {
                    addBranch(target);
                    startInTurn();
                });
    }

    @Override
    public void proxyTo(List<? extends URI> uris) {
        List<Uri> targets = ProxyTargets.all(uris);
        session.parent()
                .inTurn(() -> {
                    for (Uri target : targets) {
                        addBranch(target);
                    }
                    startInTurn();
                });
    }

    @Override
    public List<ProxyBranch> createProxyBranches(List<? extends URI> uris) {
        List<Uri> targets = ProxyTargets.all(uris);
        List<ProxyBranch> made = new ArrayList<>(targets.size());
        session.parent().enterNow();
        try {
            server.checkUnanswered();
            for (Uri target : targets) {
                ServletProxyBranch branch = addBranch(target);
                if (branch != null) {
                    made.add(branch);
                }
            }
        } finally {
            session.parent().exit();
        }
        return made;
    }

    /**
     * Null when the target is in the set already (RFC 3261 16.5); one that was not reached by its
     * flow may be tried by another (RFC 5626 7).
     */
    private @Nullable ServletProxyBranch addBranch(Uri target) {
        ServletProxyBranch known = find(target);
        return known != null && !known.flowFailed() ? null : newBranch(target);
    }

    ServletProxyBranch newBranch(Uri target) {
        ServletProxyBranch branch = ProxyHost.of(session.host()).branch(this, target);
        ServletProxyBranch last = branches;
        if (last == null) {
            branches = branch;
        } else {
            last.append(branch);
        }
        return branch;
    }

    /** A branch to that target, one of a redirect included. */
    private @Nullable ServletProxyBranch find(Uri target) {
        for (ServletProxyBranch own = branches; own != null; own = own.next()) {
            if (own.target().matches(target)) {
                return own;
            }
        }
        ResponseContext core = context;
        if (core != null) {
            for (io.carillon.sip.proxy.ProxyBranch started : core.branches()) {
                if (started.parent() != null && started.target().matches(target)) {
                    return branchOf(started);
                }
            }
        }
        return null;
    }

    @Override
    public void startProxy() {
        session.parent().inTurn(this::startInTurn);
    }

    /** Forwards on the branches that were not started yet. */
    private void startInTurn() {
        server.checkUnanswered();
        ResponseContext core = context;
        if (core == null) {
            if (server.transaction().finalClaimed()) {
                throw new IllegalStateException("a CANCEL came first and was answered with 487");
            }
            core = newContext();
            context = core;
            server.forwardedBy();
            if (!subsequent) {
                session.dialog().become(SessionDialog.Role.PROXY);
                if (getRecordRoute() && UasTransaction.makesDialog(request.getMethod())) {
                    session.dialog().begin(new ProxiedDialog(session, this));
                    if (request.getMethod().equals(Methods.SUBSCRIBE)) {
                        Notifiers.await(session, server.received());
                    }
                }
            }
        } else {
            core.policy(policy());
        }
        ProxyPolicy common = core.policy();
        for (ServletProxyBranch branch = branches; branch != null; branch = branch.next()) {
            if (branch.core() == null && !branch.cancelledBeforeStart()) {
                RequestForwarding.begin(this, core, branch, common);
            }
        }
        core.start();
    }

    ResponseContext newContext() {
        return new ResponseContext(
                server.transaction(), server.routing(), policy(), this, session.parent());
    }

    /**
     * A request within the dialog goes on its way: prepared by {@link ProxiedRequests}.
     *
     * @param hop to the next application of ours; null for the wire
     * @param origin on whose behalf
     * @param repeatedAt where our timers repeat it
     */
    void forward(
            MessageDraft prepared, Uri target, @Nullable Hop hop, Origin origin, long repeatedAt) {
        ResponseContext core = newContext();
        core.origin(origin);
        context = core;
        server.forwardedBy();
        ProxyHost.of(session.host()).leaving(request, prepared, true);
        io.carillon.sip.proxy.ProxyBranch started = core.addBranch(prepared);
        ServletProxyBranch branch = newBranch(target);
        if (started != null) {
            branch.core(started);
            started.hop(hop);
            started.repeatedAt(repeatedAt);
        }
        core.start();
    }

    // ---- CANCEL ----

    @Override
    public void cancel() {
        cancel(null, null, null);
    }

    @Override
    public void cancel(
            String @Nullable [] protocol, int @Nullable [] cause, String @Nullable [] text) {
        List<String> reasons = Reasons.of(protocol, cause, text);
        session.parent()
                .inTurn(() -> {
                    ResponseContext core = context;
                    if (core == null || server.finalSent()) {
                        throw new IllegalStateException("nothing is being proxied");
                    }
                    core.cancel(reasons);
                });
    }

    /** A CANCEL came from the caller's side (RFC 3261 16.10). */
    public void cancelledByCaller(SipRequest cancel) {
        if (context != null) {
            context.cancel(Reasons.of(cancel));
        }
    }

    @Override
    public boolean isUrgent() {
        return context != null && (context.cancelled() || ProxyBytes.isUnheard(context));
    }

    @Override
    public void answeredByApplication(boolean success) {
        Objects.requireNonNull(context, "not started").answeredByUser(success);
    }

    // ---- what the core tells; in the turn ----

    ServletProxyBranch branchOf(io.carillon.sip.proxy.ProxyBranch core) {
        if (core.attachment() instanceof ServletProxyBranch known) {
            return known;
        }
        // RFC 3261 16.7 step 4: the core recursed on a redirect. Such a branch is its parent's, not
        // one of the proxy's own (ProxyBranch.getRecursedProxyBranches).
        ServletProxyBranch made = ProxyHost.of(session.host()).branch(this, core.target());
        made.core(core);
        return made;
    }

    @Override
    public boolean waits(io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        ProxiedDialog dialog = subsequent ? null : ProxiedDialog.of(session);
        return dialog != null && dialog.expect(response);
    }

    @Override
    public void mayNotWait(io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        ProxiedDialog dialog = subsequent ? null : ProxiedDialog.of(session);
        if (dialog != null) {
            dialog.expectNoMore(response);
        }
    }

    @Override
    public void waited(io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        ProxiedDialog dialog = subsequent ? null : ProxiedDialog.of(session);
        if (dialog != null) {
            dialog.expected(response);
        }
    }

    @Override
    public void response(
            io.carillon.sip.proxy.ProxyBranch core, SipResponse response, boolean willForward) {
        event = null;
        if (!session.isValid()) {
            return;
        }
        ServletProxyBranch branch = branchOf(core);
        session.touch();
        ProxiedDialog dialog = subsequent ? ProxiedDialog.of(session) : null;
        if (dialog != null) {
            DialogEnds.answered(dialog, !dialog.fromCaller(server.received()), core);
        }
        int status = response.status();
        boolean success = status >= 200 && status < 300;
        if (success && AnsweredTags.has(answered, response.toTag())) {
            return; // repeated, as its ACK is late: forwarded, but no news
        }
        ServletSession own = status < 300 ? ProxiedResponses.follow(this, core, response) : session;
        if (success) {
            answered = AnsweredTags.with(answered, response.toTag());
            WayBack.begin(subsequent ? null : ProxiedDialog.of(own), server);
            keepTime(own, core, response);
        }
        if (status >= 200 && (subsequent || status < 300)) {
            Usages.answered(own, server.received(), response, true);
        }
        boolean first = success && willForward && !completed;
        if (supervised) {
            tell(own, branch, response);
        } else {
            branch.answered(own, response);
        }
        if (first) {
            complete(status);
        }
    }

    @Override
    public void shortened(io.carillon.sip.proxy.ProxyBranch core, SipResponse kept) {
        if (core.attachment() instanceof ServletProxyBranch branch) {
            branch.answered(session, kept);
        }
    }

    /** A call that nobody refreshes is forgotten one day, where we stay on its way. */
    private void keepTime(
            ServletSession own, io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        if (own.dialog().proxied() != null) {
            ProxyHost.of(own.host())
                    .passed(own, request.getMethod(), response, addedExpires(core, response));
        }
    }

    /** A response of a branch goes to the application. */
    private void tell(ServletSession own, ServletProxyBranch branch, SipResponse response) {
        ServletResponse made = ServletResponse.proxied(request, own, response, branch);
        branch.answered(made);
        if (response.status() < 300) {
            event = made;
            session.host().hooks().deliver(own, made);
            made.commit();
        } else if (session.handler().branchResponses()) {
            made.markBranchResponse();
            made.commit(); // it goes nowhere: what somebody writes into it would be lost
            session.host().hooks().deliver(session, made);
        }
    }

    @Override
    public boolean passesUntouched(io.carillon.sip.proxy.ProxyBranch core, SipResponse received) {
        ServletResponse delivered = event;
        return (delivered == null || !delivered.changed())
                && addedExpires(core, received) == null
                && !request.renamed();
    }

    /** RFC 4028 8.2: the Session-Expires that a 2xx gets from us on its way; null: none. */
    private @Nullable SessionExpires addedExpires(
            io.carillon.sip.proxy.ProxyBranch core, SipResponse received) {
        ProxyHost host = ProxyHost.of(session.host());
        SipRequest sent = host.times(session) ? core.request() : null;
        return sent == null ? null : host.expires(session, server.received(), sent, received);
    }

    @Override
    public void forwarding(
            io.carillon.sip.proxy.ProxyBranch core, SipResponse received, MessageDraft outgoing) {
        if (!subsequent && !passesUntouched(core, received)) {
            WayBack.end(session.parent());
        }
        ServletResponse delivered = event;
        event = null;
        if (delivered != null && delivered.changed()) {
            delivered.copyInto(outgoing);
        }
        SessionExpires added = addedExpires(core, received);
        if (added != null) {
            ProxyHost.of(session.host()).write(added, outgoing);
        }
        RequestForwarding.restoreParties(request, server.received(), outgoing);
    }

    @Override
    public boolean best(io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        event = null;
        if (!session.isValid()) {
            return true;
        }
        if (supervised) {
            int before = core.context().branches().size();
            ServletProxyBranch branch = branchOf(core);
            ServletResponse made = ServletResponse.proxied(request, session, response, branch);
            branch.answered(made);
            event = made;
            session.host().hooks().deliver(session, made);
            // SIP Servlet 1.1, 10.2.3: branches that are added in the callback are tried, and this
            // response is not forwarded.
            if (core.context().branches().size() > before || server.finalSent()) {
                event = null;
                return false;
            }
            made.commit();
        }
        complete(response.status());
        return true;
    }

    @Override
    public void accepted(io.carillon.sip.proxy.ProxyBranch core) {
        if (core.attachment() instanceof ServletProxyBranch branch) {
            branch.pack();
        }
        request.pack();
    }

    @Override
    public final void timedOut(io.carillon.sip.proxy.ProxyBranch core, boolean beforeProvisional) {
        if (session.isValid()) {
            timedOut(branchOf(core), beforeProvisional);
        }
    }

    /** For a subclass whose applications hear of it. The turn is held. */
    protected void timedOut(ServletProxyBranch branch, boolean beforeProvisional) {}

    @Override
    public void done() {
        complete(0);
        session.underWay().lingered(this);
        if (!subsequent && request.getMethod().equals(Methods.INVITE)) {
            Unacknowledged.await(session);
        }
    }

    @Override
    public void release() {
        if (context != null) {
            context.release();
        }
    }

    /** The final response leaves. What is left of the session follows from it. */
    private void complete(int status) {
        if (completed) {
            return;
        }
        completed = true;
        server.answeredByProxy();
        if (!session.isValid()) {
            return;
        }
        ProxiedEnd.follow(session, request.getMethod(), status, subsequent);
        if (status >= 200 && status < 300 && request.getMethod().equals(Methods.INVITE)) {
            session.lingers(this);
        }
        session.closed(request);
    }

    // ---- what there is ----

    @Override
    public SipServletRequest getOriginalRequest() {
        return request;
    }

    @Override
    public @Nullable ProxyBranch getProxyBranch(URI uri) {
        Uri target = Addresses.toUri(Objects.requireNonNull(uri, "uri"));
        session.parent().enterNow();
        try {
            return find(target);
        } finally {
            session.parent().exit();
        }
    }

    @Override
    public List<ProxyBranch> getProxyBranches() {
        List<ProxyBranch> all = new ArrayList<>(1);
        session.parent().enterNow();
        try {
            for (ServletProxyBranch own = branches; own != null; own = own.next()) {
                all.add(own);
            }
        } finally {
            session.parent().exit();
        }
        return List.copyOf(all);
    }
}
