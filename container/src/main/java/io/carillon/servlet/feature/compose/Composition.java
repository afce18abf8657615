package io.carillon.servlet.feature.compose;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionPath;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Provenance;
import io.carillon.servlet.route.DefaultApplicationRouter;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application router who is next (JSR 289, 15.4), and says how to get there. Any thread;
 * the request's turn is held where it has one.
 */
public final class Composition {
    /** More applications than this on one request are a router that goes in circles. */
    private static final int MAX_DEPTH = 40;

    private final OutboundInterfaces outboundInterfaces;
    private final SessionTables tables;
    private final RoutedApplications applications;
    private final RoutedBack returns;

    /**
     * @param forgotten counts requests sent back by ROUTE_BACK that were not waited for any more
     */
    public Composition(
            OutboundInterfaces outboundInterfaces,
            SessionTables tables,
            RoutedApplications applications,
            LongAdder forgotten) {
        this.outboundInterfaces = outboundInterfaces;
        this.tables = tables;
        this.applications = applications;
        this.returns = new RoutedBack(forgotten);
    }

    // ---- a request that came in ----

    /** Was this one sent away by ROUTE_BACK, and comes back? */
    public boolean returning(@Nullable NameAddress popped) {
        return popped != null && returns.find(popped) != null;
    }

    /**
     * What the router's answer means for a request from outside, when it is more than the name of
     * an application. On the shard.
     *
     * @return an internal hop to the application, routes to follow without one, or a refusal
     */
    public NextApplication entering(
            ServletRequest request,
            @Nullable SipApplicationRouterInfo info,
            Hop source,
            Shard shard) {
        Origin origin = Origin.of(request.received(), source, shard.wire());
        Way way =
                new Way(
                        source,
                        request.poppedRoute(),
                        source,
                        applications.provenance(request),
                        0,
                        origin,
                        place(source),
                        null);
        Question question =
                new Question(
                        request,
                        SipApplicationRoutingRegion.NEUTRAL_REGION,
                        SipApplicationRoutingDirective.NEW,
                        null,
                        way,
                        shard);
        return decide(question, info, applications.noApplicationStatus());
    }

    /** As {@link #entering}, for a request that came back. */
    public NextApplication entersAgain(ServletRequest request, Hop source, Shard shard) {
        RoutedBack.Awaited back = returns.find(request.poppedRoute());
        if (back == null) {
            return NextApplication.refused(applications.refusalStatus());
        }
        Way way =
                new Way(
                        source,
                        back.initialPopped(),
                        back.initialHop(),
                        applications.provenance(request),
                        back.depth(),
                        Origin.of(request.received(), source, shard.wire()),
                        back.countedAt(),
                        back.begun());
        SessionPath.Routing routing = back.routing();
        String name = back.name();
        if (name != null) {
            SipApplicationRouterInfo info =
                    new SipApplicationRouterInfo(
                            name,
                            routing.region(),
                            routing.subscriber() == null ? null : routing.subscriber().toString(),
                            null,
                            javax.servlet.sip.ar.SipRouteModifier.NO_ROUTE,
                            routing.stateInfo());
            return to(name, info, null, way);
        }
        return ask(
                new Question(
                        request,
                        routing.region(),
                        SipApplicationRoutingDirective.CONTINUE,
                        routing.stateInfo(),
                        way,
                        shard),
                0);
    }

    // ---- a request that leaves an application ----

    /**
     * Who is next for a branch of a proxy.
     *
     * @param view the request as it will be sent
     */
    public NextApplication proxied(
            ServletRequest received, ServletSession session, ServletRequest view) {
        UasTransaction server = received.uas();
        if (server == null) {
            return NextApplication.OUT;
        }
        Hop source = server.transaction().source();
        Way way =
                new Way(
                        source,
                        received.initialPoppedRoute(),
                        received.initialHop(),
                        applications.provenance(received),
                        session.path().depth() + 1,
                        session.origin(),
                        received.countedAt(),
                        new WeakReference<>(server.transaction()));
        return ask(
                question(
                        view,
                        session,
                        SipApplicationRoutingDirective.CONTINUE,
                        way,
                        server.transaction().shard()),
                0);
    }

    /** Who is next for an initial request that an application made. */
    public NextApplication made(ServletRequest request, ServletSession session, Shard shard) {
        SipApplicationRoutingDirective directive = request.getRoutingDirective();
        if (atEnd(request.getMethod(), session, directive)) {
            return NextApplication.OUT;
        }
        Way way =
                new Way(
                        here(session, request.requestUri()),
                        null,
                        null,
                        request.known().copied(),
                        deepest(session) + 1,
                        origin(request, session),
                        session.countedAt(),
                        begun(session.linked()));
        return ask(question(request, session, directive, way, shard), 0);
    }

    /**
     * As secure as all that was asked in its application session. Where many callers are in one, a
     * copy is as secure as the request that it is made from.
     */
    private static Origin origin(ServletRequest request, ServletSession session) {
        UacTransaction client = request.uac();
        Hop began = client == null ? null : client.began();
        return began == null || session.parent().key() == null
                ? session.origin()
                : session.origin().overTls(began.transport().secure());
    }

    /** The call of the other leg that has no final response yet. */
    private static @Nullable WeakReference<ServerTransaction> begun(
            @Nullable ServletSession other) {
        if (other != null) {
            for (SipServletMessage open : other.open()) {
                UasTransaction server = open instanceof ServletRequest r ? r.uas() : null;
                if (server != null && server.transaction().invite()) {
                    return new WeakReference<>(server.transaction());
                }
            }
        }
        return null;
    }

    private static Question question(
            ServletRequest request,
            ServletSession session,
            SipApplicationRoutingDirective directive,
            Way way,
            Shard shard) {
        SessionPath.Routing routing =
                directive == SipApplicationRoutingDirective.NEW ? null : session.path().routing();
        return new Question(
                request,
                routing == null ? SipApplicationRoutingRegion.NEUTRAL_REGION : routing.region(),
                directive,
                routing == null ? null : routing.stateInfo(),
                way,
                shard);
    }

    /** Does the router certainly know nobody behind the session's application? The usual case. */
    public boolean atEnd(String method, ServletSession session) {
        return atEnd(method, session, SipApplicationRoutingDirective.CONTINUE);
    }

    private boolean atEnd(
            String method, ServletSession session, SipApplicationRoutingDirective directive) {
        SessionPath.Routing routing = session.path().routing();
        Serializable state =
                routing == null || directive == SipApplicationRoutingDirective.NEW
                        ? null
                        : routing.stateInfo();
        return applications.router() instanceof DefaultApplicationRouter router
                && router.atEnd(method, session.application().name(), state);
    }

    /** An application that answers what comes with new requests must not go in circles for ever. */
    private static int deepest(ServletSession session) {
        int deepest = session.path().depth();
        for (ServletSession other : session.parent().sessions()) {
            deepest = Math.max(deepest, other.path().depth());
        }
        return deepest;
    }

    /** The way that a request of ours would take, as far as addresses in it go. */
    private Hop here(ServletSession session, Uri target) {
        return outboundInterfaces.like(
                session.path().outbound(), session.path().outboundTransport(), literal(target));
    }

    /** Null for a name: the listening point stands for what it resolves to. */
    private static @Nullable InetSocketAddress literal(Uri target) {
        if (!(target instanceof SipUri uri)) {
            return null;
        }
        String host = uri.host();
        try {
            String digits = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return new InetSocketAddress(InetAddress.ofLiteral(digits), 5060);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    private int place(Hop source) {
        return tables.shares().place(source);
    }

    // ---- the router ----

    /** What does not change along the chain, and how far it is. */
    private record Way(
            Hop like,
            @Nullable NameAddress initialPopped,
            @Nullable Hop initialHop,
            Provenance provenance,
            int depth,
            Origin origin,
            int countedAt,
            @Nullable WeakReference<ServerTransaction> begun) {}

    private record Question(
            ServletRequest request,
            SipApplicationRoutingRegion region,
            SipApplicationRoutingDirective directive,
            @Nullable Serializable stateInfo,
            Way way,
            Shard shard) {}

    /**
     * Asks the router.
     *
     * @param withoutApplication status when there is no application; 0: the request goes on
     */
    private NextApplication ask(Question question, int withoutApplication) {
        SipApplicationRouterInfo info;
        try {
            info =
                    applications
                            .router()
                            .getNextApplication(
                                    question.request,
                                    question.region,
                                    question.directive,
                                    null,
                                    question.stateInfo);
        } catch (RuntimeException | LinkageError e) {
            return failed(question, e);
        }
        return decide(question, info, withoutApplication);
    }

    private NextApplication failed(Question question, Throwable error) {
        applications.failed(question.request, error);
        return NextApplication.refused(500);
    }

    private NextApplication decide(
            Question question, @Nullable SipApplicationRouterInfo info, int withoutApplication) {
        RouterAnswer answer;
        try {
            answer = RouterAnswer.of(info, question.shard.wire());
        } catch (IllegalArgumentException e) {
            return failed(question, e);
        }
        if (info != null && answer.back()) {
            return new NextApplication(null, andBack(question, info, answer), 0);
        }
        if (!answer.routes().isEmpty()) {
            return new NextApplication(null, answer.routes(), 0);
        }
        String name = answer.name();
        if (info == null || name == null) {
            return withoutApplication == 0
                    ? NextApplication.OUT
                    : NextApplication.refused(withoutApplication);
        }
        return to(name, info, answer.popped(), question.way);
    }

    private NextApplication to(
            String name, SipApplicationRouterInfo info, @Nullable NameAddress popped, Way way) {
        if (applications.find(name) == null) {
            return NextApplication.refused(applications.refusalStatus());
        }
        if (way.depth > MAX_DEPTH) {
            return NextApplication.refused(482);
        }
        Passage passage =
                new Passage(
                        name,
                        info,
                        popped,
                        way.initialPopped,
                        way.initialHop,
                        way.provenance,
                        way.depth,
                        way.origin,
                        way.countedAt,
                        way.begun);
        return new NextApplication(Hop.internal(way.like, passage), List.of(), 0);
    }

    /** JSR 289, 15.4.1, ROUTE_BACK: a route to ourselves below those that the router gave. */
    private List<NameAddress> andBack(
            Question question, SipApplicationRouterInfo info, RouterAnswer answer) {
        Hop like = question.way.like;
        String token = question.shard.newTag(-1);
        HostPort own = question.shard.wire().sentBy(like.transport(), like.local(), like.remote());
        SipUri uri =
                SipUri.of(null, own.host(), own.port())
                        .withParam("lr", null)
                        .withParam(RoutedBack.PARAM, token);
        if (like.transport() != Transport.UDP) {
            uri =
                    uri.withParam(
                            "transport",
                            like.transport().name().toLowerCase(java.util.Locale.ROOT));
        }
        returns.await(
                token,
                new RoutedBack.Awaited(
                        answer.name(),
                        routing(info),
                        question.way.initialPopped,
                        question.way.initialHop,
                        question.way.depth,
                        question.way.countedAt,
                        question.way.begun));
        List<NameAddress> routes = new ArrayList<>(answer.routes());
        routes.add(NameAddress.of(uri));
        return routes;
    }

    private record Known(SipApplicationRouterInfo info, SessionPath.Routing routing) {}

    /** The last answer that names no subscriber: a router may give the same again and again. */
    private static volatile @Nullable Known last;

    /** What a session keeps of the router's answer. */
    public static SessionPath.Routing routing(SipApplicationRouterInfo info) {
        Known known = last;
        if (known != null && known.info == info) {
            return known.routing;
        }
        SipApplicationRoutingRegion region = info.getRoutingRegion();
        URI subscriber = subscriber(info);
        SessionPath.Routing made =
                new SessionPath.Routing(
                        region == null ? SipApplicationRoutingRegion.NEUTRAL_REGION : region,
                        subscriber,
                        info.getStateInfo());
        if (subscriber == null) {
            last = new Known(info, made);
        }
        return made;
    }

    private static @Nullable URI subscriber(SipApplicationRouterInfo info) {
        String text = info.getSubscriberURI();
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return AddressFactory.createURI(text);
        } catch (ServletParseException e) {
            return null; // a router may name a subscriber by what is no URI; there is none to show
        }
    }
}
