package io.carillon.servlet.proxy;

import io.carillon.servlet.ApiObjects;
import io.carillon.servlet.compose.Composition;
import io.carillon.servlet.compose.DialogWay;
import io.carillon.servlet.compose.Onward;
import io.carillon.servlet.identity.SigningPolicy;
import io.carillon.servlet.message.Addresses;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.refresh.SessionTimers;
import io.carillon.servlet.session.ServletSession;
import io.carillon.servlet.session.TurnTask;
import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ProxyUser;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of one request: the API over the core's {@link ResponseContext}, which does what RFC
 * 3261 16 says. One object per transaction. Owner: the turn of the application session.
 */
@SuppressWarnings("InlineMeSuggester") // deprecated members of the API stay callable
public class ServletProxy implements Proxy, ProxyUser, ServletSession.Lingering {
    /**
     * The last policy without addresses of its own: nearly every call of an application has the
     * same. Immutable, so a race costs one object.
     */
    private static @Nullable ProxyPolicy lastPlain;

    /** As {@link #lastPlain}, for requests within a dialog. */
    private static @Nullable ProxyPolicy lastSubsequent;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final ServletRequest request;
    private final UasTransaction server;
    private final ServletSession session;
    private final boolean subsequent;

    /** The first branch of its own; each knows the next. */
    private @Nullable ServletProxyBranch branches;

    private @Nullable ResponseContext context;
    private @Nullable Chosen chosen;
    private @Nullable ServletResponse event;
    private boolean recurse = true;
    private boolean recordRoute;
    private boolean parallel = true;
    private boolean supervised = true;
    private boolean addToPath;
    private boolean noCancel;
    private int timeoutSeconds;
    private int provisionalTimeoutSeconds;
    private boolean completed;

    /** To tag of the first 2xx that passed. */
    private @Nullable String answeredTag;

    /** Those of others, of forks. */
    private @Nullable ArrayList<String> otherTags;

    /** By {@link ApiObjects} only. */
    public ServletProxy(ServletRequest request, UasTransaction server) {
        this.request = request;
        this.server = server;
        this.session = request.getSession();
        this.subsequent = session.proxied() != null;
        this.timeoutSeconds = session.application().description().proxyTimeoutSeconds();
        if (subsequent) {
            recordRoute = true;
            recurse = false;
        }
    }

    private Chosen chosen() {
        Chosen own = chosen;
        if (own == null) {
            own = new Chosen();
            chosen = own;
        }
        return own;
    }

    ServletRequest request() {
        return request;
    }

    public boolean started() {
        return context != null;
    }

    void inTurn(Runnable work) {
        if (session.parent().enter()) {
            try {
                work.run();
            } finally {
                session.parent().exit();
            }
        } else {
            session.parent()
                    .submitLater(
                            new TurnTask() {
                                @Override
                                protected void run() {
                                    work.run();
                                }
                            });
        }
    }

    // ---- targets ----

    @Override
    public void proxyTo(URI uri) {
        Uri target = target(uri);
        inTurn(() -> {
            addBranch(target);
            startInTurn();
        });
    }

    @Override
    public void proxyTo(List<? extends URI> uris) {
        List<Uri> targets = targets(uris);
        inTurn(() -> {
            for (Uri target : targets) {
                addBranch(target);
            }
            startInTurn();
        });
    }

    @Override
    public List<ProxyBranch> createProxyBranches(List<? extends URI> uris) {
        List<Uri> targets = targets(uris);
        List<ProxyBranch> made = new ArrayList<>(targets.size());
        inTurn(() -> {
            server.checkUnanswered();
            for (Uri target : targets) {
                ServletProxyBranch branch = addBranch(target);
                if (branch != null) {
                    made.add(branch);
                }
            }
        });
        return made;
    }

    private static List<Uri> targets(List<? extends URI> uris) {
        List<Uri> targets = new ArrayList<>(Objects.requireNonNull(uris, "uris").size());
        for (URI uri : uris) {
            targets.add(target(uri));
        }
        return targets;
    }

    private static Uri target(URI uri) {
        Uri target = Addresses.toUri(Objects.requireNonNull(uri, "uri"));
        String scheme = target.scheme();
        if (!scheme.equalsIgnoreCase("sip")
                && !scheme.equalsIgnoreCase("sips")
                && !scheme.equalsIgnoreCase("tel")) {
            throw new IllegalArgumentException("cannot proxy to scheme " + scheme);
        }
        return target;
    }

    /**
     * Null when the target is in the set already (RFC 3261 16.5); one that was not reached by its
     * flow may be tried by another (RFC 5626 7).
     */
    private @Nullable ServletProxyBranch addBranch(Uri target) {
        ServletProxyBranch known = find(target);
        if (known != null && !known.flowFailed()) {
            return null;
        }
        return newBranch(target);
    }

    private ServletProxyBranch newBranch(Uri target) {
        ServletProxyBranch branch = session.container().objects().branch(this, target);
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
        inTurn(this::startInTurn);
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
                session.become(ServletSession.Role.PROXY);
                if (recordRoute && UasTransaction.makesDialog(request.getMethod())) {
                    session.begin(new ProxiedDialog(session, server.received(), supervised));
                }
            }
        } else {
            core.policy(policy());
        }
        ProxyPolicy common = core.policy();
        for (ServletProxyBranch branch = branches; branch != null; branch = branch.next()) {
            if (branch.core() == null && !branch.cancelledBeforeStart()) {
                hand(core, branch, common);
            }
        }
        core.start();
    }

    private void hand(ResponseContext core, ServletProxyBranch branch, ProxyPolicy common) {
        ServletRequest own = branch.preparedRequest();
        io.carillon.sip.proxy.ProxyBranch started;
        if (own != null || request.changed()) {
            MessageDraft prepared = own != null ? own.copyDraft() : request.copyDraft();
            prepared.setRequestUri(RouteSet.requestUri(branch.target()));
            started = core.addBranch(prepared);
        } else {
            started = core.addTarget(branch.target());
        }
        if (started == null) {
            throw new IllegalStateException("no branch can be added any more");
        }
        branch.core(started);
        started.policy(branch.policy(common));
        SessionTimers timers = session.application().sessionTimers();
        if (timers != null && timers.inserts()) {
            timers.forwarding(server.received(), started.draft());
        }
        SigningPolicy signing = session.container().signing();
        if (signing != null
                && signing.proxied()
                && !subsequent
                && SigningPolicy.concerns(request.getMethod())) {
            signing.sign(started.draft(), session.container().millis());
        }
        if (!subsequent) {
            compose(branch, started);
        }
    }

    /** JSR 289, 15.4: the router is asked for each branch who is next. */
    private void compose(ServletProxyBranch branch, io.carillon.sip.proxy.ProxyBranch started) {
        Composition composition = session.container().composition();
        if (composition.atEnd(request.getMethod(), session)) {
            return;
        }
        Onward onward = composition.proxied(request, session, branch.routerView());
        if (onward.refusal() != 0) {
            started.refuse(onward.refusal());
            return;
        }
        onward.applyTo(started.draft());
        started.hop(onward.hop());
        if (onward.hop() != null) {
            session.compose(session.depth());
        }
    }

    private ResponseContext newContext() {
        return new ResponseContext(
                server.transaction(), server.routing(), policy(), this, session.parent());
    }

    private ProxyPolicy policy() {
        InetSocketAddress from = outbound();
        boolean plain =
                from == null
                        && Chosen.recordRoute(chosen) == null
                        && Chosen.path(chosen) == null
                        && session.depth() == 0;
        ProxyPolicy known = subsequent ? lastSubsequent : lastPlain;
        if (plain && known != null && like(known)) {
            return known;
        }
        ProxyPolicy made = newPolicy(from);
        if (plain && subsequent) {
            lastSubsequent = made;
        } else if (plain) {
            lastPlain = made;
        }
        return made;
    }

    private boolean like(ProxyPolicy known) {
        return known.parallel() == parallel
                && known.recurse() == recurse
                && known.recordRoute() == recordRoute
                && known.addToPath() == addToPath
                && known.noCancel() == noCancel
                && known.timeoutNanos() == timeoutSeconds * NANOS_PER_SECOND
                && known.provisionalTimeoutNanos() == provisionalTimeoutSeconds * NANOS_PER_SECOND;
    }

    private ProxyPolicy newPolicy(@Nullable InetSocketAddress from) {
        OwnRoute path = Chosen.path(chosen);
        return ProxyPolicy.builder()
                .parallel(parallel)
                .recurse(recurse)
                .recordRoute(recordRoute)
                .addToPath(addToPath)
                .noCancel(noCancel)
                .timeoutNanos(timeoutSeconds * NANOS_PER_SECOND)
                .provisionalTimeoutNanos(provisionalTimeoutSeconds * NANOS_PER_SECOND)
                .recordRouteParams(placed(Chosen.recordRoute(chosen)))
                .pathParams(path == null ? null : path.value())
                .outbound(from, transport(from))
                .build();
    }

    /** Those behind the first on a chain say in their Record-Route values where they are. */
    @Nullable SipUri placed(@Nullable OwnRoute chosen) {
        SipUri uri = chosen == null ? null : chosen.value();
        int place = session.depth();
        if (place == 0) {
            return uri;
        }
        return (uri == null ? ServletProxyBranch.bare() : uri)
                .withParam(DialogWay.PLACE, Integer.toString(place));
    }

    /**
     * A request within the dialog goes on its way: prepared by {@link ProxiedRequests}.
     *
     * @param hop to the next application of ours; null for the wire
     */
    void forward(MessageDraft prepared, Uri target, @Nullable Hop hop) {
        ResponseContext core = newContext();
        context = core;
        server.forwardedBy();
        SessionTimers timers = session.application().sessionTimers();
        if (timers != null && timers.inserts()) {
            timers.forwarding(server.received(), prepared);
        }
        io.carillon.sip.proxy.ProxyBranch started = core.addBranch(prepared);
        ServletProxyBranch branch = newBranch(target);
        if (started != null) {
            branch.core(started);
            started.hop(hop);
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
        List<String> reasons = reasons(protocol, cause, text);
        inTurn(() -> {
            ResponseContext core = context;
            if (core == null || server.finalSent()) {
                throw new IllegalStateException("nothing is being proxied");
            }
            core.cancel(reasons);
        });
    }

    /** A CANCEL came from the caller's side (RFC 3261 16.10). */
    public void cancelledByCaller(SipRequest cancel) {
        ResponseContext core = context;
        if (core != null) {
            List<String> reasons = cancel.headers(HeaderName.REASON);
            core.cancel(reasons.isEmpty() ? null : reasons);
        }
    }

    /** RFC 3326: the Reason header fields of a CANCEL. */
    static @Nullable List<String> reasons(
            String @Nullable [] protocol, int @Nullable [] cause, String @Nullable [] text) {
        if (protocol == null || cause == null) {
            return null;
        }
        List<String> reasons = new ArrayList<>(protocol.length);
        for (int i = 0; i < Math.min(protocol.length, cause.length); i++) {
            String reason = protocol[i] + ";cause=" + cause[i];
            if (text != null && i < text.length && text[i] != null) {
                reason += ";text=\"" + text[i].replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            }
            reasons.add(reason);
        }
        return reasons;
    }

    // ---- what the core tells; in the turn ----

    ServletProxyBranch branchOf(io.carillon.sip.proxy.ProxyBranch core) {
        if (core.attachment() instanceof ServletProxyBranch known) {
            return known;
        }
        // RFC 3261 16.7 step 4: the core recursed on a redirect. Such a branch is its parent's, not
        // one of the proxy's own (ProxyBranch.getRecursedProxyBranches).
        ServletProxyBranch made = session.container().objects().branch(this, core.target());
        made.core(core);
        return made;
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
        int status = response.status();
        if (status >= 200 && status < 300 && seen(response)) {
            return; // repeated, as its ACK is late: forwarded, but no news
        }
        ServletSession own = status < 300 ? follow(core, response) : session;
        if (status >= 200 && status < 300 && SessionTimers.refreshes(request.getMethod())) {
            keepTime(own, core, response);
        }
        boolean first = status >= 200 && status < 300 && willForward && !completed;
        if (supervised) {
            tell(own, branch, response);
        } else {
            branch.answered(own, response);
        }
        if (first) {
            complete(status);
        }
    }

    /** A call that nobody refreshes is forgotten one day, where we stay on its way. */
    private void keepTime(
            ServletSession own, io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        SessionTimers timers = own.application().sessionTimers();
        if (timers != null && own.proxied() != null) {
            timers.passed(own, response, addedExpires(core, response));
        }
    }

    /** A response of a branch goes to the application. */
    private void tell(ServletSession own, ServletProxyBranch branch, SipResponse response) {
        ServletResponse made = ServletResponse.proxied(request, own, response, branch);
        branch.answered(made);
        if (response.status() < 300) {
            event = made;
            session.container().deliver(own, made);
            made.commit();
        } else if (session.handler().branchResponses()) {
            made.markBranchResponse();
            session.container().deliver(session, made);
        }
    }

    @Override
    public boolean passesUntouched(io.carillon.sip.proxy.ProxyBranch core, SipResponse received) {
        ServletResponse delivered = event;
        return (delivered == null || !delivered.changed()) && addedExpires(core, received) == null;
    }

    /** RFC 4028 8.2: the Session-Expires that a 2xx gets from us on its way; null: none. */
    private @Nullable SessionExpires addedExpires(
            io.carillon.sip.proxy.ProxyBranch core, SipResponse received) {
        SessionTimers timers = session.application().sessionTimers();
        SipRequest sent = timers == null || !timers.inserts() ? null : core.request();
        return timers == null || sent == null
                ? null
                : timers.forwarded(server.received(), sent, received);
    }

    @Override
    public void forwarding(
            io.carillon.sip.proxy.ProxyBranch core, SipResponse received, MessageDraft outgoing) {
        ServletResponse delivered = event;
        event = null;
        if (delivered != null && delivered.changed()) {
            delivered.copyInto(outgoing);
        }
        SessionExpires added = addedExpires(core, received);
        if (added != null) {
            SessionTimers.write(added, outgoing);
        }
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
            session.container().deliver(session, made);
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
        session.lingered(this);
    }

    @Override
    public void release() {
        ResponseContext core = context;
        if (core != null) {
            core.release();
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
        boolean success = status >= 200 && status < 300;
        String method = request.getMethod();
        if (method.equals(Methods.BYE) && status != 401 && status != 407) {
            session.enter(SipSession.State.TERMINATED);
        } else if (!subsequent) {
            if (!success && UasTransaction.makesDialog(method)) {
                session.enter(SipSession.State.TERMINATED);
            } else if (session.proxied() == null) {
                session.enter(SipSession.State.TERMINATED);
            }
        }
        if (success && method.equals(Methods.INVITE)) {
            session.lingers(this);
        }
        session.closed(request);
    }

    /** State and routes follow what passes. */
    private ServletSession follow(io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        ProxiedDialog dialog = session.proxied();
        String method = request.getMethod();
        int status = response.status();
        if (subsequent) {
            if (dialog != null && status >= 200 && refreshes(method)) {
                boolean byCaller = dialog.fromCaller(server.received());
                dialog.refreshed(byCaller, server.received().contact());
                dialog.refreshed(!byCaller, response.contact());
            }
            return session;
        }
        String tag = response.toTag();
        if (!UasTransaction.makesDialog(method) || tag == null) {
            return session;
        }
        ServletSession own = session;
        if (dialog != null) {
            if (dialog.belongsToOther(tag)) {
                if (status < 200) {
                    return session;
                }
                // A second 2xx: another dialog, another session (SIP Servlet 1.1, 6.2.3.2).
                own = session.derive(tag);
                dialog = new ProxiedDialog(own, server.received(), supervised);
                own.begin(dialog);
            }
            dialog.answered(response, core);
        }
        own.enter(status < 200 ? SipSession.State.EARLY : SipSession.State.CONFIRMED);
        return own;
    }

    private boolean seen(SipResponse response) {
        String tag = response.toTag();
        String name = tag == null ? "" : tag;
        if (answeredTag == null) {
            answeredTag = name;
            return false;
        }
        if (name.equals(answeredTag)) {
            return true;
        }
        ArrayList<String> tags = otherTags;
        if (tags == null) {
            tags = new ArrayList<>(1);
            otherTags = tags;
        }
        return tags.contains(name) || !tags.add(name);
    }

    private static boolean refreshes(String method) {
        return method.equals(Methods.INVITE) || method.equals(Methods.UPDATE);
    }

    // ---- settings ----

    @Override
    public SipServletRequest getOriginalRequest() {
        return request;
    }

    @Override
    public @Nullable ProxyBranch getProxyBranch(URI uri) {
        return find(Addresses.toUri(Objects.requireNonNull(uri, "uri")));
    }

    @Override
    public List<ProxyBranch> getProxyBranches() {
        List<ProxyBranch> all = new ArrayList<>(1);
        for (ServletProxyBranch own = branches; own != null; own = own.next()) {
            all.add(own);
        }
        return List.copyOf(all);
    }

    @Override
    public boolean getRecurse() {
        return recurse;
    }

    @Override
    public void setRecurse(boolean value) {
        recurse = value;
    }

    @Override
    public boolean getRecordRoute() {
        return recordRoute;
    }

    @Override
    public void setRecordRoute(boolean value) {
        if (context != null) {
            throw new IllegalStateException("the proxy has been started");
        }
        recordRoute = value;
    }

    @Override
    public boolean getParallel() {
        return parallel;
    }

    @Override
    public void setParallel(boolean value) {
        parallel = value;
    }

    @Override
    public boolean getSupervised() {
        return supervised;
    }

    @Override
    public void setSupervised(boolean value) {
        supervised = value;
    }

    @Override
    @Deprecated
    public boolean getStateful() {
        return true;
    }

    /** SIP Servlet 1.1: deprecated, proxies are stateful. */
    @Override
    @Deprecated
    public void setStateful(boolean value) {
        // no effect, as specified
    }

    @Override
    public boolean getAddToPath() {
        return addToPath;
    }

    @Override
    public void setAddToPath(boolean value) {
        addToPath = value;
    }

    @Override
    public boolean getNoCancel() {
        return noCancel;
    }

    @Override
    public void setNoCancel(boolean value) {
        noCancel = value;
    }

    @Override
    public int getProxyTimeout() {
        return timeoutSeconds;
    }

    @Override
    public void setProxyTimeout(int seconds) {
        if (seconds <= 0) {
            throw new IllegalArgumentException("the time-out must be positive: " + seconds);
        }
        timeoutSeconds = seconds;
    }

    @Override
    @Deprecated
    public int getSequentialSearchTimeout() {
        return timeoutSeconds;
    }

    @Override
    @Deprecated
    public void setSequentialSearchTimeout(int seconds) {
        setProxyTimeout(seconds);
    }

    SipUri recordRouteValue() {
        OwnRoute route = Chosen.recordRoute(chosen);
        return route == null ? ServletProxyBranch.bare() : route.value();
    }

    SipUri pathValue() {
        OwnRoute path = Chosen.path(chosen);
        return path == null ? ServletProxyBranch.bare() : path.value();
    }

    private void checkNotStarted() {
        if (context != null) {
            throw new IllegalStateException("the proxy has been started");
        }
    }

    @Override
    public SipURI getRecordRouteURI() {
        if (!recordRoute) {
            throw new IllegalStateException("record-routing is not enabled");
        }
        OwnRoute route = Chosen.recordRoute(chosen);
        if (route == null) {
            route = new OwnRoute(ServletProxyBranch.bare(), this::checkNotStarted);
            chosen().recordRoute = route;
        }
        return route.view();
    }

    @Override
    public SipURI getPathURI() {
        if (!addToPath) {
            throw new IllegalStateException("adding to Path is not enabled");
        }
        OwnRoute path = Chosen.path(chosen);
        if (path == null) {
            path = new OwnRoute(ServletProxyBranch.bare(), this::checkNotStarted);
            chosen().path = path;
        }
        return path.view();
    }

    /** Until a branch that rings nowhere is given up; 0: never. */
    protected int provisionalTimeout() {
        return provisionalTimeoutSeconds;
    }

    /** Of branches that are made from now on. */
    protected void provisionalTimeout(int seconds) {
        provisionalTimeoutSeconds = seconds;
    }

    @Override
    public void setOutboundInterface(InetAddress address) {
        chosen().outbound(checked(address), null);
    }

    @Override
    public void setOutboundInterface(InetSocketAddress address) {
        chosen().outbound(checked(address), null);
    }

    /** The same, and over this transport where a target leaves it open. */
    public void setOutboundInterface(InetSocketAddress address, Transport transport) {
        chosen().outbound(checked(address), transport);
    }

    /** The session that the request came in. */
    protected ServletSession session() {
        return session;
    }

    InetSocketAddress checked(InetAddress address) {
        checkSession();
        return session.container().outboundOf(address);
    }

    InetSocketAddress checked(InetSocketAddress address) {
        checkSession();
        session.container().checkOutbound(address);
        return address;
    }

    private void checkSession() {
        if (!session.isValid()) {
            throw new IllegalStateException("the session of the proxy is invalid");
        }
    }

    /** What the branches that are started from now on leave by, if the application chose. */
    private @Nullable InetSocketAddress outbound() {
        InetSocketAddress own = Chosen.outbound(chosen);
        return own != null || subsequent ? own : session.outbound();
    }

    private @Nullable Transport transport(@Nullable InetSocketAddress from) {
        Transport own =
                Chosen.outbound(chosen) != null
                        ? Chosen.transport(chosen)
                        : session.outboundTransport();
        return from != null && own != null ? own : transportOf(from);
    }

    @Nullable Transport transportOf(@Nullable InetSocketAddress chosen) {
        return chosen == null ? null : session.container().transportOf(chosen);
    }
}
