package io.carillon.servlet.feature.compose;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.route.DefaultApplicationRouter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.uri.SipUri;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application router about a request that nobody sends. It is assumed that each
 * application proxies the request as it is; what an application really does cannot be foreseen. Any
 * thread; routers and mappings answer any.
 */
public final class RouteQuery {
    private static final int MAX_VISITS = 40;
    private static final Hop SOMEWHERE =
            Hop.to(Transport.UDP, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5060));

    private final SessionHost host;
    private final RoutedApplications applications;
    private final Wire wire;
    private final List<RouteReport.Visit> visits = new ArrayList<>();
    private List<RouteReport.Look> looks = List.of();

    public RouteQuery(SessionHost host, RoutedApplications applications, Wire wire) {
        this.host = host;
        this.applications = applications;
        this.wire = wire;
    }

    /** Used once. */
    public RouteReport report(SipRequest request) {
        SipApplicationRouter router = applications.router();
        String end = walk(router, request);
        return new RouteReport(
                request.method(),
                request.requestUri().toString(),
                request.from().uri().toString(),
                describe(router),
                List.copyOf(visits),
                looks,
                end);
    }

    private static String describe(SipApplicationRouter router) {
        if (!(router instanceof DefaultApplicationRouter own)) {
            return router.getClass().getName();
        }
        return own.source() == null ? "order of deployment" : String.valueOf(own.source());
    }

    private String walk(SipApplicationRouter router, SipRequest request) {
        ServletRequest view =
                ServletRequest.incoming(
                        host,
                        request,
                        null,
                        SOMEWHERE,
                        RoutePreprocessing.of(request, SOMEWHERE, wire),
                        true);
        Serializable state = null;
        SipApplicationRoutingRegion region = SipApplicationRoutingRegion.NEUTRAL_REGION;
        String sender = null;
        while (visits.size() < MAX_VISITS) {
            SipApplicationRouterInfo info = ask(router, view, region, state, sender);
            RouterAnswer answer = RouterAnswer.of(info, wire);
            if (info == null || (answer.name() == null && answer.routes().isEmpty())) {
                return sender == null ? withoutApplication() : leaves(view, request, sender);
            }
            if (!answer.routes().isEmpty()) {
                return "leaves by the route "
                        + answer.routes()
                        + (answer.back() ? ", and comes back from there" : "");
            }
            String name = String.valueOf(answer.name());
            Application application = applications.find(name);
            if (application == null) {
                return "the router names " + name + ", which is not deployed";
            }
            String servlet = servlet(application, view);
            visits.add(visit(info, name, servlet));
            if (servlet.isEmpty()) {
                return "no mapping of "
                        + name
                        + " matches: answered with "
                        + applications.refusalStatus();
            }
            state = info.getStateInfo();
            region = Composition.routing(info).region();
            sender = name;
        }
        return "the router goes in circles: answered with 482";
    }

    private String withoutApplication() {
        return applications.noApplicationStatus() == 0
                ? "no application: proxied on by Route and Request-URI"
                : "no application: answered with " + applications.noApplicationStatus();
    }

    /** The router has no say in what the last application does. */
    private String leaves(ServletRequest view, SipRequest request, String last) {
        String route = view.getHeader("Route");
        String passedOn =
                last + " answers, refuses or calls as it likes; what it passes on unchanged ";
        if (route != null) {
            return passedOn + "leaves by its Route " + route;
        }
        return passedOn
                + (isOurs(request)
                        ? "comes back here, as its Request-URI is this server's"
                        : "leaves by its Request-URI");
    }

    private boolean isOurs(SipRequest request) {
        return request.requestUri() instanceof SipUri uri && wire.isLocal(uri.host(), uri.port());
    }

    private @Nullable SipApplicationRouterInfo ask(
            SipApplicationRouter router,
            ServletRequest view,
            SipApplicationRoutingRegion region,
            @Nullable Serializable state,
            @Nullable String sender) {
        if (router instanceof DefaultApplicationRouter own) {
            looks =
                    own.consider(view, state, sender).stream()
                            .map(look ->
                                    new RouteReport.Look(
                                            look.line(),
                                            look.method(),
                                            look.application(),
                                            look.taken(),
                                            look.reason()))
                            .toList();
            return own.next(view, state, sender);
        }
        return router.getNextApplication(
                view,
                region,
                sender == null
                        ? SipApplicationRoutingDirective.NEW
                        : SipApplicationRoutingDirective.CONTINUE,
                null,
                state);
    }

    private RouteReport.Visit visit(SipApplicationRouterInfo info, String name, String servlet) {
        String[] routes = info.getRoutes();
        List<RouteReport.Look> led = looks;
        looks = List.of();
        return new RouteReport.Visit(
                name,
                servlet,
                Composition.routing(info).region().getType().name(),
                info.getSubscriberURI() == null ? "" : info.getSubscriberURI(),
                String.valueOf(info.getStateInfo()),
                routes == null
                        ? List.of()
                        : List.of(info.getRouteModifier() + " " + String.join(", ", routes)),
                led);
    }

    private static String servlet(Application application, ServletRequest view) {
        try {
            NamedServlet found = application.handlerFor(view);
            return found == null ? "" : found.name();
        } catch (RuntimeException e) {
            return "";
        }
    }
}
