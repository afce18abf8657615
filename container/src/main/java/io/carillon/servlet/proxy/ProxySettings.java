package io.carillon.servlet.proxy;

import io.carillon.servlet.compose.DialogWay;
import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * What an application has asked of a proxy: the settings of the API, and the {@link ProxyPolicy}
 * that they come to. Owner: the turn of the application session.
 */
@SuppressWarnings("InlineMeSuggester") // deprecated members of the API stay callable
public abstract class ProxySettings implements Proxy {
    /**
     * The last policy without addresses of its own: nearly every call of an application has the
     * same. Immutable, so a race costs one object.
     */
    private static @Nullable ProxyPolicy lastPlain;

    /** As {@link #lastPlain}, for requests within a dialog. */
    private static @Nullable ProxyPolicy lastSubsequent;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    final ServletSession session;

    /** Is the request one within a dialog that goes through us? */
    final boolean subsequent;

    private @Nullable Chosen chosen;
    private boolean recurse = true;
    private boolean recordRoute;
    private boolean parallel = true;
    boolean supervised = true;
    private boolean addToPath;
    private boolean noCancel;
    private int timeoutSeconds;
    private int provisionalTimeoutSeconds;

    ProxySettings(ServletSession session) {
        this.session = session;
        this.subsequent = session.proxied() != null;
        this.timeoutSeconds = session.application().description().proxyTimeoutSeconds();
        if (subsequent) {
            recordRoute = true;
            recurse = false;
        }
    }

    /** Has the request been forwarded? */
    public abstract boolean started();

    /** The session that the request came in. */
    protected ServletSession session() {
        return session;
    }

    /** All of it, as the core takes it. */
    final ProxyPolicy policy() {
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

    private Chosen chosen() {
        Chosen own = chosen;
        if (own == null) {
            own = new Chosen();
            chosen = own;
        }
        return own;
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
        checkNotStarted();
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
        if (started()) {
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

    InetSocketAddress checked(InetAddress address) {
        checkSession();
        return session.container().outboundInterfaces().on(address);
    }

    InetSocketAddress checked(InetSocketAddress address) {
        checkSession();
        session.container().outboundInterfaces().check(address);
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
        return chosen == null ? null : session.container().outboundInterfaces().transportOf(chosen);
    }
}
