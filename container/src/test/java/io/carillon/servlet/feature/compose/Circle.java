package io.carillon.servlet.feature.compose;

import java.io.Serializable;
import java.util.List;
import java.util.Properties;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import javax.servlet.sip.ar.SipTargetedRequestInfo;
import javax.servlet.sip.ar.spi.SipApplicationRouterProvider;

/** A router that always names the same application. */
public final class Circle extends SipApplicationRouterProvider implements SipApplicationRouter {
    @Override
    public SipApplicationRouter getSipApplicationRouter() {
        return this;
    }

    @Override
    public void init() {
        // nothing to read
    }

    @Override
    public void init(Properties properties) {
        // nothing to read
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    @Override
    public void applicationDeployed(List<String> names) {
        // always the same one
    }

    @Override
    public void applicationUndeployed(List<String> names) {
        // always the same one
    }

    @Override
    public SipApplicationRouterInfo getNextApplication(
            SipServletRequest request,
            SipApplicationRoutingRegion region,
            SipApplicationRoutingDirective directive,
            SipTargetedRequestInfo target,
            Serializable stateInfo) {
        return new SipApplicationRouterInfo(
                "one",
                SipApplicationRoutingRegion.NEUTRAL_REGION,
                "",
                null,
                SipRouteModifier.NO_ROUTE,
                "state");
    }
}
