package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.proxy.ServletProxyBranch;
import io.carillon.sip.uri.Uri;
import javax.servlet.sip.SipURI;
import org.mobicents.javax.servlet.sip.ProxyBranchExt;

/** A proxy's branch with Mobicents' extensions. Owner: the turn of the application session. */
final class ExtendedProxyBranch extends ServletProxyBranch implements ProxyBranchExt {
    private final Application application;

    ExtendedProxyBranch(ServletProxy proxy, Uri target) {
        super(proxy, target);
        application = ((ExtendedProxy) proxy).application();
    }

    /**
     * @throws IllegalArgumentException when it is not positive, or above the parallel proxy's
     */
    @Override
    public void setProxyBranch1xxTimeout(int seconds) {
        int ofProxy = ((ExtendedProxy) getProxy()).getProxy1xxTimeout();
        if (getProxy().getParallel() && ofProxy > 0 && seconds > ofProxy) {
            throw new IllegalArgumentException(
                    "the proxy is parallel and gives up after " + ofProxy + " s, not " + seconds);
        }
        provisionalTimeout(ExtendedProxy.positive(seconds));
    }

    @Override
    public int getProxyBranch1xxTimeout() {
        return provisionalTimeout();
    }

    @Override
    public void setOutboundInterface(SipURI outboundInterface) {
        Outbound chosen = Outbound.of(outboundInterface, application);
        setOutboundInterface(chosen.address(), chosen.transport());
    }

    @Override
    public void setRecordRouteURI(SipURI uri) {
        OwnParameters.copy(uri, getRecordRouteURI(), application);
    }
}
