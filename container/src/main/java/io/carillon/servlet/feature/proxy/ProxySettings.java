package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.port.RoutePlace;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.sip.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * What an application has asked of a proxy: the settings of the API, and the {@link ProxyPolicy}
 * that they come to. Owner: the turn of the application session.
 */
@SuppressWarnings("InlineMeSuggester") // deprecated members of the API stay callable
public abstract class ProxySettings extends RouteChoices implements Proxy {
    /**
     * The last policy without addresses of its own: nearly every call of an application has the
     * same. Immutable, so a race costs one object.
     */
    private static @Nullable ProxyPolicy lastPlain;

    /** As {@link #lastPlain}, for requests within a dialog. */
    private static @Nullable ProxyPolicy lastSubsequent;

    final ServletSession session;

    /** Is the request one within a dialog that goes through us? */
    final boolean subsequent;

    private boolean parallel = true;
    boolean supervised = true;
    private boolean noCancel;
    private int timeoutSeconds;

    /**
     * @param initial of an initial request, also where the dialog that it begins is known, as at a
     *     node that goes on with a call
     */
    ProxySettings(ServletSession session, boolean initial) {
        this.session = session;
        this.subsequent = !initial && session.dialog().proxied() != null;
        this.timeoutSeconds = session.application().description().proxyTimeoutSeconds();
        recordRoute = subsequent;
        recurse = !subsequent;
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
                        && ChosenParameters.recordRoute(chosen) == null
                        && ChosenParameters.path(chosen) == null
                        && session.path().depth() == 0;
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
        OwnRoute path = ChosenParameters.path(chosen);
        return ProxyPolicy.builder()
                .parallel(parallel)
                .recurse(recurse)
                .recordRoute(recordRoute)
                .addToPath(addToPath)
                .noCancel(noCancel)
                .timeoutNanos(timeoutSeconds * NANOS_PER_SECOND)
                .provisionalTimeoutNanos(provisionalTimeoutSeconds * NANOS_PER_SECOND)
                .recordRouteParams(placed(ChosenParameters.recordRoute(chosen)))
                .pathParams(path == null ? null : path.value())
                .outbound(from, transport(from))
                .build();
    }

    /** Those behind the first on a chain say in their Record-Route values where they are. */
    @Nullable SipUri placed(@Nullable OwnRoute chosen) {
        SipUri uri = chosen == null ? null : chosen.value();
        int place = session.path().depth();
        if (place == 0) {
            return uri;
        }
        return (uri == null ? bare() : uri)
                .withParam(RoutePlace.PARAMETER, Integer.toString(place));
    }

    @Override
    public void setRecurse(boolean value) {
        recurse = value;
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

    @Override
    SipUri usualRecordRoute() {
        return bare();
    }

    @Override
    SipUri usualPath() {
        return bare();
    }

    /** What branches begin with. */
    SipUri recordRouteValue() {
        OwnRoute route = ChosenParameters.recordRoute(chosen);
        return route == null ? bare() : route.value();
    }

    SipUri pathValue() {
        OwnRoute path = ChosenParameters.path(chosen);
        return path == null ? bare() : path.value();
    }

    @Override
    final void checkNotStarted() {
        if (started()) {
            throw new IllegalStateException("the proxy has been started");
        }
    }

    /** Of branches that are made from now on. */
    protected void provisionalTimeout(int seconds) {
        provisionalTimeoutSeconds = seconds;
    }

    @Override
    InetSocketAddress checked(InetAddress address) {
        checkSession();
        return session.host().outboundInterfaces().on(address);
    }

    @Override
    InetSocketAddress checked(InetSocketAddress address) {
        checkSession();
        session.host().outboundInterfaces().check(address);
        return address;
    }

    private void checkSession() {
        if (!session.isValid()) {
            throw new IllegalStateException("the session of the proxy is invalid");
        }
    }

    /** What the branches that are started from now on leave by, if the application chose. */
    private @Nullable InetSocketAddress outbound() {
        InetSocketAddress own = ChosenParameters.outbound(chosen);
        return own != null || subsequent ? own : session.path().outbound();
    }

    private @Nullable Transport transport(@Nullable InetSocketAddress from) {
        Transport own =
                ChosenParameters.outbound(chosen) != null
                        ? ChosenParameters.transport(chosen)
                        : session.path().outboundTransport();
        return from != null && own != null ? own : transportOf(from);
    }

    @Nullable Transport transportOf(@Nullable InetSocketAddress chosen) {
        return chosen == null ? null : session.host().outboundInterfaces().transportOf(chosen);
    }
}
