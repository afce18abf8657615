package io.carillon.servlet.feature.compose;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.Addresses;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipRouteModifier;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an application router, read (JSR 289, 15.4.1).
 *
 * @param name of the application; null for none, or when a route leads away first
 * @param popped a route to ourselves, which the application sees as popped; null without
 * @param routes to others, the first on top
 * @param back does the request come back from there?
 */
record RouterAnswer(
        @Nullable String name,
        @Nullable NameAddress popped,
        List<NameAddress> routes,
        boolean back) {
    private static final RouterAnswer NOBODY = new RouterAnswer(null, null, List.of(), false);

    /**
     * @throws IllegalArgumentException for a route that is none
     */
    static RouterAnswer of(@Nullable SipApplicationRouterInfo info, Wire wire) {
        if (info == null) {
            return NOBODY;
        }
        String name = info.getNextApplicationName();
        String[] given = info.getRoutes();
        SipRouteModifier modifier = info.getRouteModifier();
        if (given == null || given.length == 0 || modifier == SipRouteModifier.NO_ROUTE) {
            return name == null ? NOBODY : new RouterAnswer(name, null, List.of(), false);
        }
        List<NameAddress> routes = new ArrayList<>(given.length);
        for (String text : given) {
            routes.add(route(text));
        }
        boolean back = modifier == SipRouteModifier.ROUTE_BACK;
        if (!back && routes.getFirst().uri() instanceof SipUri first && own(first, wire)) {
            return new RouterAnswer(name, routes.getFirst(), List.of(), false);
        }
        return new RouterAnswer(back ? name : null, null, List.copyOf(routes), back);
    }

    private static boolean own(SipUri uri, Wire wire) {
        return wire.isLocal(uri.host(), uri.port());
    }

    private static NameAddress route(String text) {
        try {
            // Without brackets everything belongs to the URI: files in the wild write sip:host;lr.
            String bracketed = text.indexOf('<') < 0 ? '<' + text.strip() + '>' : text;
            NameAddress route = Addresses.toNameAddress(AddressFactory.createAddress(bracketed));
            if (route.uri() instanceof SipUri uri) {
                return uri.isLooseRouter() ? route : route.withUri(uri.withParam("lr", null));
            }
        } catch (ServletParseException e) {
            throw new IllegalArgumentException("the router's route '" + text + "' is none", e);
        }
        throw new IllegalArgumentException("the router's route '" + text + "' is no SIP URI");
    }
}
