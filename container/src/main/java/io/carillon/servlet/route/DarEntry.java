package io.carillon.servlet.route;

import java.util.List;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import org.jspecify.annotations.Nullable;

/**
 * One application of a method's list in the properties file of the default router. Immutable.
 *
 * @param line of the file
 * @param application name; empty for an entry that only routes on
 * @param subscriber URI, empty, or {@code DAR:Header}
 * @param routes for ROUTE and ROUTE_BACK; null for none
 * @param order entries of a method are tried in this order
 */
record DarEntry(
        int line,
        String application,
        String subscriber,
        SipApplicationRoutingRegion region,
        @Nullable List<String> routes,
        SipRouteModifier modifier,
        int order,
        DarCondition condition) {}
