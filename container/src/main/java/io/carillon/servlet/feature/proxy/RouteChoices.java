package io.carillon.servlet.feature.proxy;

import io.carillon.sip.hop.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * What the API lets an application choose in the same way for a proxy and for each of its branches:
 * whether and how the server stays in the path, and what the request leaves by. Owner: the turn of
 * the application session.
 */
public abstract class RouteChoices {
    static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Null for nearly all. */
    @Nullable ChosenParameters chosen;

    boolean recordRoute;
    boolean addToPath;
    boolean recurse;
    int provisionalTimeoutSeconds;

    RouteChoices() {}

    /**
     * @throws IllegalStateException when the request has been forwarded
     */
    abstract void checkNotStarted();

    /** What the application begins with when it asks for the Record-Route value. */
    abstract SipUri usualRecordRoute();

    /** The same for Path. */
    abstract SipUri usualPath();

    /** An interface of ours at this address; an IllegalArgumentException where there is none. */
    abstract InetSocketAddress checked(InetAddress address);

    /** The same address, when it is one of our interfaces. */
    abstract InetSocketAddress checked(InetSocketAddress address);

    private ChosenParameters chosen() {
        ChosenParameters own = chosen;
        if (own == null) {
            own = new ChosenParameters();
            chosen = own;
        }
        return own;
    }

    static SipUri bare() {
        return SipUri.of(null, "0.0.0.0", -1).withParam("lr", null);
    }

    public boolean getRecordRoute() {
        return recordRoute;
    }

    public void setRecordRoute(boolean value) {
        checkNotStarted();
        recordRoute = value;
    }

    public SipURI getRecordRouteURI() {
        if (!recordRoute) {
            throw new IllegalStateException("record-routing is not enabled");
        }
        OwnRoute route = ChosenParameters.recordRoute(chosen);
        if (route == null) {
            route = new OwnRoute(usualRecordRoute(), this::checkNotStarted);
            chosen().recordRoute = route;
        }
        return route.view();
    }

    public boolean getAddToPath() {
        return addToPath;
    }

    public SipURI getPathURI() {
        if (!addToPath) {
            throw new IllegalStateException("adding to Path is not enabled");
        }
        OwnRoute path = ChosenParameters.path(chosen);
        if (path == null) {
            path = new OwnRoute(usualPath(), this::checkNotStarted);
            chosen().path = path;
        }
        return path.view();
    }

    public boolean getRecurse() {
        return recurse;
    }

    /** Seconds until a branch that rings nowhere is given up; 0: never. */
    protected int provisionalTimeout() {
        return provisionalTimeoutSeconds;
    }

    public void setOutboundInterface(InetAddress address) {
        chosen().outbound(checked(address), null);
    }

    public void setOutboundInterface(InetSocketAddress address) {
        chosen().outbound(checked(address), null);
    }

    /** The same, and over this transport where a target leaves it open. */
    public void setOutboundInterface(InetSocketAddress address, Transport transport) {
        chosen().outbound(checked(address), transport);
    }
}
