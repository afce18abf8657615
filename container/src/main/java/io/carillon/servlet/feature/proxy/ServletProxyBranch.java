package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ResponseBranch;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/** One target of a proxy as an application sees it. Owner: the turn of the application session. */
public class ServletProxyBranch extends RouteChoices implements ResponseBranch {
    private final ServletProxy proxy;
    private final Uri target;

    /** The next one of the proxy's own. */
    private @Nullable ServletProxyBranch next;

    private io.carillon.sip.proxy.@Nullable ProxyBranch core;
    private @Nullable ServletRequest request;

    /**
     * Its last response: as a ServletResponse; as the SipResponse that came, where nobody was told
     * of it; or that one's bytes.
     */
    private @Nullable Object response;

    private @Nullable ServletSession answeredIn;

    /** 0: what the proxy says. */
    private int timeoutSeconds;

    private boolean cancelled;

    /** By {@link ProxyHost} only. */
    public ServletProxyBranch(ServletProxy proxy, Uri target) {
        this.proxy = proxy;
        this.target = target;
        this.recordRoute = proxy.getRecordRoute();
        this.addToPath = proxy.getAddToPath();
        this.recurse = proxy.getRecurse();
        this.provisionalTimeoutSeconds = proxy.provisionalTimeout();
    }

    @Nullable ServletProxyBranch next() {
        return next;
    }

    /** Behind the last of those that begin with this one. */
    void append(ServletProxyBranch branch) {
        ServletProxyBranch last = this;
        for (ServletProxyBranch own = next; own != null; own = own.next) {
            last = own;
        }
        last.next = branch;
    }

    Uri target() {
        return target;
    }

    boolean cancelledBeforeStart() {
        return cancelled && core == null;
    }

    /** RFC 5626 7: did it end with one of the two responses after which another flow is tried? */
    boolean flowFailed() {
        io.carillon.sip.proxy.ProxyBranch started = core;
        SipResponse last = started == null ? null : started.candidate();
        return last != null && (last.status() == 430 || last.status() == 408);
    }

    /**
     * Where a response of it came from.
     *
     * @param evenUnanswered whether one that never came has the address that was tried
     */
    @Override
    public @Nullable Hop answeredBy(int status, boolean evenUnanswered) {
        io.carillon.sip.proxy.ProxyBranch started = core;
        if (started == null || !(evenUnanswered || status < 300 || started.answered())) {
            return null;
        }
        RequestAttempt sent = started.attempt();
        return sent == null ? null : sent.hop();
    }

    io.carillon.sip.proxy.@Nullable ProxyBranch core() {
        return core;
    }

    void core(io.carillon.sip.proxy.ProxyBranch started) {
        core = started;
        started.attachment(this);
    }

    /** The branch's own settings, where they differ from the proxy's. */
    ProxyPolicy policy(ProxyPolicy common) {
        if (like(common)) {
            return common;
        }
        ProxyPolicy.Builder own = common.toBuilder();
        own.recordRoute(recordRoute).addToPath(addToPath).recurse(recurse);
        own.timeoutNanos(getProxyBranchTimeout() * NANOS_PER_SECOND);
        own.provisionalTimeoutNanos(provisionalTimeoutSeconds * NANOS_PER_SECOND);
        OwnRoute route = ChosenParameters.recordRoute(chosen);
        if (route != null) {
            own.recordRouteParams(proxy.placed(route));
        }
        OwnRoute path = ChosenParameters.path(chosen);
        if (path != null) {
            own.pathParams(path.value());
        }
        InetSocketAddress from = ChosenParameters.outbound(chosen);
        if (from != null) {
            Transport transport = ChosenParameters.transport(chosen);
            own.outbound(from, transport != null ? transport : proxy.transportOf(from));
        }
        return own.build();
    }

    private boolean like(ProxyPolicy common) {
        return ChosenParameters.recordRoute(chosen) == null
                && ChosenParameters.path(chosen) == null
                && ChosenParameters.outbound(chosen) == null
                && recordRoute == common.recordRoute()
                && addToPath == common.addToPath()
                && recurse == common.recurse()
                && getProxyBranchTimeout() * NANOS_PER_SECOND == common.timeoutNanos()
                && provisionalTimeoutSeconds * NANOS_PER_SECOND == common.provisionalTimeoutNanos();
    }

    /** The request as it will leave, for the application router. */
    ServletRequest routerView() {
        ServletRequest own = request;
        if (own == null || own.incoming()) {
            return ServletRequest.toForward(proxy.request(), target);
        }
        own.putRequestUri(target);
        return own;
    }

    /**
     * The request as the application prepared it for this branch; null when it did not touch it.
     */
    @Nullable ServletRequest preparedRequest() {
        return core == null ? request : null;
    }

    /** Nobody is expected to look at its response any more. */
    void pack() {
        Object last = response;
        if (last instanceof ServletResponse made) {
            made.pack();
        } else if (last instanceof SipResponse received) {
            response = received.keptBytes();
        }
    }

    /** A response of which the application is not told: it is made when it asks. */
    void answered(ServletSession session, SipResponse received) {
        answeredIn = session;
        response = received;
    }

    private @Nullable ServletResponse response() {
        Object last = response;
        ServletSession session = answeredIn;
        if (session == null || last == null) {
            return (ServletResponse) last;
        }
        SipMessage received =
                last instanceof byte[] bytes
                        ? session.parent().home().parseOwn(bytes)
                        : (SipResponse) last;
        if (!(received instanceof SipResponse whole)) {
            throw new IllegalStateException("a response that was parsed cannot be parsed again");
        }
        ServletResponse made = ServletResponse.proxied(proxy.request(), session, whole, this);
        made.commit();
        answered(made);
        return made;
    }

    void answered(ServletResponse got) {
        response = got;
        answeredIn = null;
    }

    @Override
    public SipServletRequest getRequest() {
        ServletRequest own = request;
        if (own == null || (own.incoming() && core != null)) {
            io.carillon.sip.proxy.ProxyBranch started = core;
            SipRequest sent = started == null ? null : started.request();
            own =
                    sent != null
                            ? ServletRequest.forwarded(proxy.request(), sent)
                            : ServletRequest.toForward(proxy.request(), target);
            request = own;
        }
        return own;
    }

    @Override
    public @Nullable SipServletResponse getResponse() {
        return response();
    }

    @Override
    public boolean isStarted() {
        return core != null;
    }

    @Override
    public Proxy getProxy() {
        return proxy;
    }

    @Override
    public void cancel() {
        cancel(null, null, null);
    }

    @Override
    public void cancel(
            String @Nullable [] protocol, int @Nullable [] cause, String @Nullable [] text) {
        List<String> reasons = Reasons.of(protocol, cause, text);
        proxy.session
                .parent()
                .inTurn(() -> {
                    io.carillon.sip.proxy.ProxyBranch started = core;
                    if (started == null) {
                        cancelled = true;
                    } else if (started.ended() && getRecursedProxyBranches().isEmpty()) {
                        throw new IllegalStateException("the branch has its final response");
                    } else {
                        started.context().cancel(started, reasons);
                    }
                });
    }

    @Override
    final void checkNotStarted() {
        if (core != null) {
            throw new IllegalStateException("the branch has been started");
        }
    }

    @Override
    public void setAddToPath(boolean value) {
        checkNotStarted();
        addToPath = value;
    }

    @Override
    public void setRecurse(boolean value) {
        checkNotStarted();
        recurse = value;
    }

    @Override
    public int getProxyBranchTimeout() {
        return timeoutSeconds == 0 ? proxy.getProxyTimeout() : timeoutSeconds;
    }

    @Override
    public void setProxyBranchTimeout(int seconds) {
        if (seconds <= 0) {
            throw new IllegalArgumentException("the time-out must be positive: " + seconds);
        }
        checkNotStarted();
        timeoutSeconds = seconds;
    }

    @Override
    public List<ProxyBranch> getRecursedProxyBranches() {
        io.carillon.sip.proxy.ProxyBranch own = core;
        if (own == null) {
            return List.of();
        }
        List<ProxyBranch> recursed = new ArrayList<>();
        for (io.carillon.sip.proxy.ProxyBranch other : own.context().branches()) {
            if (other.parent() == own) {
                recursed.add(proxy.branchOf(other));
            }
        }
        return recursed;
    }

    /**
     * @throws IllegalStateException when the branch has been started
     */
    protected void provisionalTimeout(int seconds) {
        checkNotStarted();
        provisionalTimeoutSeconds = seconds;
    }

    @Override
    SipUri usualRecordRoute() {
        return proxy.recordRouteValue();
    }

    @Override
    SipUri usualPath() {
        return proxy.pathValue();
    }

    @Override
    InetSocketAddress checked(InetAddress address) {
        return proxy.checked(address);
    }

    @Override
    InetSocketAddress checked(InetSocketAddress address) {
        return proxy.checked(address);
    }
}
