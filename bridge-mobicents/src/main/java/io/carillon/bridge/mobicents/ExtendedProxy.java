package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.proxy.ServletProxyBranch;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UasTransaction;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;
import org.mobicents.javax.servlet.sip.ProxyBranchListener;
import org.mobicents.javax.servlet.sip.ProxyExt;
import org.mobicents.javax.servlet.sip.ResponseType;

/** A proxy with Mobicents' extensions. Owner: the turn of the application session. */
final class ExtendedProxy extends ServletProxy implements ProxyExt {
    private boolean sipOutbound;

    ExtendedProxy(ServletRequest request, UasTransaction server) {
        super(request, server);
    }

    @Override
    public void setProxy1xxTimeout(int seconds) {
        provisionalTimeout(positive(seconds));
    }

    @Override
    public int getProxy1xxTimeout() {
        return provisionalTimeout();
    }

    Application application() {
        return session().application();
    }

    static int positive(int seconds) {
        if (seconds <= 0) {
            throw new IllegalArgumentException("the time-out must be positive: " + seconds);
        }
        return seconds;
    }

    @Override
    protected void timedOut(ServletProxyBranch branch, boolean beforeProvisional) {
        Application application = session().application();
        List<ProxyBranchListener> listeners =
                new ArrayList<>(application.listeners().of(ProxyBranchListener.class));
        // Their servlets are listeners of this kind as they are: many were never declared as one.
        if (session().handler().servlet() instanceof ProxyBranchListener servlet
                && !listeners.contains(servlet)) {
            listeners.add(servlet);
        }
        ResponseType type = beforeProvisional ? ResponseType.INFORMATIONAL : ResponseType.FINAL;
        session()
                .host()
                .events()
                .tell(
                        application,
                        listeners,
                        "onProxyBranchResponseTimeout",
                        one -> one.onProxyBranchResponseTimeout(type, branch));
    }

    @Override
    public void setOutboundInterface(SipURI outboundInterface) {
        Outbound chosen = Outbound.of(outboundInterface, session().application());
        setOutboundInterface(chosen.address(), chosen.transport());
    }

    @Override
    public void setRecordRouteURI(SipURI uri) {
        OwnParameters.copy(uri, getRecordRouteURI(), session().application());
    }

    /** Remembered, and without effect: flows of RFC 5626 are not there yet. */
    @Override
    public void setSipOutboundSupport(boolean support) {
        sipOutbound = support;
    }

    @Override
    public boolean getSipOutboundSupport() {
        return sipOutbound;
    }

    @Override
    public void storeTerminationInformation(boolean store) {
        if (store) {
            throw new UnsupportedOperationException(
                    "a proxy cannot end a call here: an application that ends calls is a B2BUA");
        }
    }

    @Override
    public void terminateSession(
            SipSession session,
            int callerCode,
            @Nullable String callerText,
            int calleeCode,
            @Nullable String calleeText) {
        throw new UnsupportedOperationException(
                "a proxy cannot end a call here: an application that ends calls is a B2BUA");
    }
}
