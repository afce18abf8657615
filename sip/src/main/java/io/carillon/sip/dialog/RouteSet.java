package io.carillon.sip.dialog;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules on routes that dialogs and proxies share. Stateless. */
public final class RouteSet {
    private RouteSet() {}

    /**
     * Does this URI belong to a loose router (RFC 3261 19.1.1, parameter lr)? What is no SIP URI
     * cannot tell us and counts as loose.
     */
    public static boolean loose(Uri uri) {
        return !(uri instanceof SipUri sip) || sip.isLooseRouter();
    }

    /**
     * RFC 3261 19.1.1, table 1: the method parameter and headers are "not allowed" in a
     * Request-URI.
     */
    public static Uri requestUri(Uri uri) {
        if (!(uri instanceof SipUri sip)) {
            return uri;
        }
        SipUri bare = sip.withoutHeaders();
        return bare.hasParam("method") ? bare.withoutParam("method") : bare;
    }

    /**
     * The routes of Record-Route as the UAC of a dialog uses them (RFC 3261 12.1.2: "taken in
     * reverse order").
     */
    static List<NameAddress> reversed(List<NameAddress> recordRoutes) {
        if (recordRoutes.size() < 2) {
            return List.copyOf(recordRoutes);
        }
        List<NameAddress> routes = new ArrayList<>(recordRoutes);
        java.util.Collections.reverse(routes);
        return List.copyOf(routes);
    }

    /** The beginning of the user part of a route of ours that stands for a flow. */
    static final String FLOW = "flow-";

    static List<NameAddress> with(NameAddress first, List<NameAddress> others) {
        List<NameAddress> routes = new ArrayList<>(others.size() + 1);
        routes.add(first);
        routes.addAll(others);
        return List.copyOf(routes);
    }

    /** RFC 3261 13.2.2.4, by a 2xx. A flow, which never stood in Record-Route, stays. */
    static List<NameAddress> recomputed(List<NameAddress> before, List<NameAddress> recordRoutes) {
        List<NameAddress> routes = reversed(recordRoutes);
        if (before.isEmpty() || !(before.getFirst().uri() instanceof SipUri first)) {
            return routes;
        }
        String user = first.rawUser();
        return user == null || !user.startsWith(FLOW) || routes.contains(before.getFirst())
                ? routes
                : with(before.getFirst(), routes);
    }

    /** The URI that decides where a request in a dialog goes (RFC 3261 8.1.2 with 12.2.1.1). */
    static Uri nextHop(List<NameAddress> routes, Uri remoteTarget) {
        return routes.isEmpty() ? remoteTarget : routes.getFirst().uri();
    }

    static @Nullable Uri strictHop(List<NameAddress> routes) {
        return routes.isEmpty() || loose(routes.getFirst().uri()) ? null : routes.getFirst().uri();
    }

    /** Sets Request-URI and Route of a request in a dialog. */
    static void apply(MessageDraft draft, List<NameAddress> routes, Uri remoteTarget) {
        // RFC 3261 12.2.1.1: "If the route set is empty, the UAC MUST place the remote target URI
        // into the Request-URI." and: "If the route set is not empty, and the first URI in the
        // route set contains the lr parameter, the UAC MUST place the remote target URI into the
        // Request-URI".
        if (routes.isEmpty() || loose(routes.getFirst().uri())) {
            draft.setRequestUri(requestUri(remoteTarget));
            for (NameAddress route : routes) {
                draft.addLast(HeaderName.ROUTE, route.toString());
            }
            return;
        }
        // RFC 3261 12.2.1.1: "the UAC MUST place the first URI from the route set into the
        // Request-URI, stripping any parameters that are not allowed in a Request-URI."
        draft.setRequestUri(requestUri(routes.getFirst().uri()));
        for (int i = 1; i < routes.size(); i++) {
            draft.addLast(HeaderName.ROUTE, routes.get(i).toString());
        }
        // "The UAC MUST then place the remote target URI into the Route header field as the last
        // value."
        draft.addLast(HeaderName.ROUTE, "<" + remoteTarget + ">");
    }
}
