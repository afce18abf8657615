package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.app.SessionKeyMethod;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.feature.security.Proofs;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.proxy.Refusal;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import javax.servlet.ServletException;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import org.jspecify.annotations.Nullable;

/**
 * A request that belongs to no dialog: the router names an application, the application a servlet
 * and perhaps a key; a session is made and the request given to the servlet in its turn. On the
 * shard until the turn.
 */
public final class InitialRequests {
    /** Stands for the answer of a router that threw. */
    private static final SipApplicationRouterInfo FAILED =
            new SipApplicationRouterInfo(null, null, null, null, SipRouteModifier.NO_ROUTE, null);

    private final SessionHost host;
    private final NewSessions newSessions;
    private final DeployedApplications deployed;
    private final RouterFeatures router;
    private final FeatureSettings settings;
    private final ApplicationCalls calls;
    private final Composition composition;
    private final PassedOn passedOn;

    public InitialRequests(
            NewSessions newSessions,
            DeployedApplications deployed,
            RouterFeatures router,
            FeatureSettings settings,
            ApplicationCalls calls,
            Composition composition,
            PassedOn passedOn) {
        this.host = newSessions.host();
        this.newSessions = newSessions;
        this.deployed = deployed;
        this.router = router;
        this.settings = settings;
        this.calls = calls;
        this.composition = composition;
        this.passedOn = passedOn;
    }

    public void request(Shard shard, ServerTransaction transaction, SipRequest received) {
        if (transaction.source().beside() instanceof Passage passage) {
            fromApplication(shard, transaction, received, passage);
            return;
        }
        if (settings.refusing()) {
            host.counters().refusedStopping.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if (host.tables().full()) {
            host.counters().refused.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if (!host.tables().admitsCall(transaction.source())) {
            host.counters().refusedShare.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if (host.keptAddresses().refuses(received, transaction.countedAt())) {
            host.counters().refusedAddresses.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if ((received.is(Methods.SUBSCRIBE) || received.is(Methods.REFER))
                && host.rooms().fullOfSubscriptions(transaction.source())) {
            host.counters().subscriptionsRefused.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, transaction.source(), shard.wire());
        Refusal refusal = Screening.check(received, transaction.source(), routing, shard.wire());
        if (refusal != null) {
            host.counters().screened.increment();
            refuse(transaction, received, refusal.status(), null);
            return;
        }
        if (shard.senderOf(received) instanceof UacTransaction sender
                && sender.passesOn(received)) {
            // RFC 3261 16.3 item 4 for a back-to-back user agent: what it got for this Request-URI,
            // from and for these, it has sent on as the same, and that leads here. It would do so
            // again.
            host.counters().screened.increment();
            refuse(transaction, received, 482, null);
            return;
        }
        String unprivate =
                settings.privacyService() == null ? null : PrivacyService.refusal(received);
        if (unprivate != null) {
            host.counters().screened.increment();
            transaction.respond(
                    MessageDraft.responseTo(received, 500, unprivate, transaction.localTag())
                            .freezeResponse());
            return;
        }
        Targeting targeting = Targeting.of(host, received, routing);
        if (targeting.refusal() != 0) {
            host.counters().screened.increment();
            refuse(transaction, received, targeting.refusal(), null);
            return;
        }
        VerificationPolicy verification = settings.verification();
        if (verification != null && verification.concerns(received)) {
            host.threads()
                    .execute(
                            () -> verify(verification, shard, transaction, routing, targeting),
                            transaction.countedAt());
            return;
        }
        admitted(shard, transaction, routing, targeting, null);
    }

    /** On a thread of applications: signatures take time, and a certificate may be far away. */
    private void verify(
            VerificationPolicy policy,
            Shard shard,
            ServerTransaction transaction,
            RoutePreprocessing routing,
            Targeting targeting) {
        Hop source = transaction.source();
        // What an application of ours passes on was written by whoever called it.
        (source.internal()
                        ? policy.verifier().verify(transaction.request(), host.millis())
                        : policy.verifier()
                                .verify(
                                        transaction.request(),
                                        source.initial().remote().getAddress(),
                                        host.millis()))
                .whenComplete((result, failure) ->
                        shard.perform(() -> {
                            if (failure != null) {
                                calls.failed("identity verification", failure);
                                refuse(transaction, transaction.request(), 500, null);
                            } else if (policy.required() && !result.valid()) {
                                host.counters().screened.increment();
                                transaction.respond(
                                        MessageDraft.responseTo(
                                                        transaction.request(),
                                                        result.status(),
                                                        result.reason(),
                                                        transaction.localTag())
                                                .freezeResponse());
                            } else {
                                admitted(shard, transaction, routing, targeting, result);
                            }
                        }));
    }

    /** On the shard. */
    private void admitted(
            Shard shard,
            ServerTransaction transaction,
            RoutePreprocessing routing,
            Targeting targeting,
            @Nullable IdentityResult verified) {
        SipRequest received = transaction.request();
        ServletRequest request =
                ServletRequest.incoming(
                        host, received, transaction, transaction.source(), routing, true);
        request.verified(verified);
        Proof proof = Proofs.ofSender(shard.ownSenderOf(received, transaction.source()));
        if (proof != null) {
            request.noted().proved(proof);
        }
        transaction.attach(request);
        if (received.is(Methods.REGISTER)) {
            OfferedFlow.offer(shard, request, received, transaction.source(), 0);
        }
        if (composition.returning(routing.popped())) {
            NextApplication onward = composition.entersAgain(request, transaction.source(), shard);
            follow(onward, shard, transaction, request, targeting);
            return;
        }
        SipApplicationRouterInfo info = ask(request, targeting);
        if (info == FAILED) {
            int status = router.noApplicationStatus();
            refuse(transaction, received, status == 0 ? 500 : status, null);
            return;
        }
        String name = info == null ? null : info.getNextApplicationName();
        Application application =
                info == null || name == null || info.getRoutes() != null
                        ? null
                        : deployed.hold(name);
        if (info == null || name == null || application == null) {
            NextApplication onward =
                    composition.entering(request, info, transaction.source(), shard);
            follow(onward, shard, transaction, request, targeting);
            return;
        }
        Choice choice = new Choice(application, info, targeting, targeting.in(name));
        begin(shard, transaction, request, choice);
    }

    /** From one application to the next: everything was checked when it came in. */
    private void fromApplication(
            Shard shard, ServerTransaction transaction, SipRequest received, Passage passage) {
        if (host.tables().full()) {
            host.counters().refused.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if (!host.tables().admitsPassage(passage.countedAt())) {
            host.counters().refusedShare.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, transaction.source(), shard.wire());
        ServletRequest request =
                ServletRequest.incoming(
                        host, received, transaction, transaction.source(), routing, true);
        transaction.attach(request);
        Targeting targeting = Targeting.of(host, received, routing);
        begin(shard, transaction, request, passage, targeting);
    }

    private void begin(
            Shard shard,
            ServerTransaction transaction,
            ServletRequest request,
            Passage passage,
            Targeting targeting) {
        Application application = deployed.hold(passage.application());
        if (application == null) {
            host.counters().noApplication.increment();
            refuse(transaction, transaction.request(), router.refusalStatus(), null);
            return;
        }
        request.noted().cameBy(passage);
        request.verified(passage.provenance().verified());
        if (transaction.request().is(Methods.REGISTER)) {
            SipRequest received = transaction.request();
            OfferedFlow.offer(shard, request, received, passage.initialHop(), passage.depth());
        }
        ApplicationSession targeted = targeting.in(passage.application());
        Choice choice = new Choice(application, passage.info(), targeting, targeted);
        begin(shard, transaction, request, choice);
    }

    /** The router said more than a name. */
    private void follow(
            NextApplication onward,
            Shard shard,
            ServerTransaction transaction,
            ServletRequest request,
            Targeting targeting) {
        SipRequest received = transaction.request();
        Hop hop = onward.hop();
        if (hop != null && hop.beside() instanceof Passage passage) {
            begin(shard, transaction, request, passage, targeting);
        } else if (onward.refusal() != 0) {
            // RFC 3261 8.2.2.1: "If the Request-URI does not identify an address that the UAS is
            // willing to accept requests for, it
            // SHOULD reject the request with a 404 (Not Found) response."
            host.counters().noApplication.increment();
            refuse(transaction, received, onward.refusal(), null);
        } else {
            passedOn.forward(transaction, received, onward);
        }
    }

    private void begin(
            Shard shard, ServerTransaction transaction, ServletRequest request, Choice choice) {
        Application application = choice.application();
        if (choice.targeted() == null
                && application.sessionKey() != null
                && application.description().execution()
                        != io.carillon.servlet.app.ExecutionMode.NON_BLOCKING) {
            // The key's method is application code, which may block.
            host.threads()
                    .execute(
                            () -> open(shard, transaction, request, choice),
                            transaction.countedAt());
        } else {
            open(shard, transaction, request, choice);
        }
    }

    /**
     * What the router chose.
     *
     * @param targeted the application session that is there already, which the request is meant for
     */
    private record Choice(
            Application application,
            SipApplicationRouterInfo info,
            Targeting targeting,
            @Nullable ApplicationSession targeted) {}

    private @Nullable SipApplicationRouterInfo ask(ServletRequest request, Targeting targeting) {
        try {
            return router.router()
                    .getNextApplication(
                            request,
                            SipApplicationRoutingRegion.NEUTRAL_REGION,
                            SipApplicationRoutingDirective.NEW,
                            targeting.info(),
                            null);
        } catch (RuntimeException | LinkageError e) {
            router.failed(request, e);
            return FAILED;
        }
    }

    /** Makes or finds the sessions, and brings the request into the turn. */
    private void open(
            Shard shard, ServerTransaction transaction, ServletRequest request, Choice choice) {
        try {
            openHeld(shard, transaction, request, choice);
        } finally {
            choice.application().holds().giveBack();
        }
    }

    private void openHeld(
            Shard shard, ServerTransaction transaction, ServletRequest request, Choice choice) {
        SipRequest received = transaction.request();
        Application application = choice.application();
        SessionTimers timers = SessionTimers.of(application);
        MessageDraft tooShort =
                timers == null ? null : timers.refusal(received, transaction.localTag());
        if (tooShort != null) {
            host.counters().screened.increment();
            transaction.respond(tooShort.freezeResponse());
            return;
        }
        NamedServlet handler;
        ApplicationSession parent;
        try {
            handler = application.handlerFor(request);
            parent = choice.targeted();
            if (parent == null) {
                SessionKeyMethod asked = application.sessionKey();
                if (asked != null) {
                    request.noted().routed(Composition.routing(choice.info()));
                }
                String key = asked == null ? null : asked.of(request);
                int place = request.countedAt();
                parent =
                        key == null
                                ? newSessions.begin(application, shard, place)
                                : newSessions.keyed(application, key, place);
            }
            if (parent.application() != application) {
                // The session is of an older version: its calls stay together.
                handler = parent.application().handlerFor(request);
            }
        } catch (ServletException | RuntimeException | LinkageError e) {
            calls.mappingFailed(application, received, e);
            refuse(transaction, received, 500, null);
            return;
        }
        if (handler == null) {
            host.counters().noApplication.increment();
            refuse(transaction, received, router.refusalStatus(), null);
            parent.submit(new EndUnused(parent));
            return;
        }
        if (!parent.hasRoom(received, Room.NEW, transaction.countedAt())) {
            // RFC 3261 21.5.1, as for a request within a dialog: this one call is busy.
            transaction.shard().notQueued(Counter.REQUESTS_NOT_QUEUED, received);
            refuseForNow(transaction, received, 500);
            parent.submit(new EndUnused(parent));
            return;
        }
        host.counters().initialRequests.increment();
        if (received.is(Methods.INVITE) && !transaction.source().internal()) {
            host.counters().calls.increment();
        }
        request.bind(parent);
        if (!parent.beginHere()) {
            parent.submit(new Opening(parent, handler, transaction, request, choice));
            return;
        }
        try {
            opened(parent, handler, transaction, request, choice);
        } catch (Throwable e) {
            parent.failed(e);
        } finally {
            parent.endHere();
        }
    }

    /** A keyed session may be busy, so its child is made in the turn. */
    private final class Opening extends TurnTask {
        private final ApplicationSession parent;
        private final NamedServlet handler;
        private final ServerTransaction transaction;
        private final ServletRequest request;
        private final Choice choice;

        Opening(
                ApplicationSession parent,
                NamedServlet handler,
                ServerTransaction transaction,
                ServletRequest request,
                Choice choice) {
            super(transaction.request(), transaction.countedAt());
            this.parent = parent;
            this.handler = handler;
            this.transaction = transaction;
            this.request = request;
            this.choice = choice;
        }

        @Override
        protected void run() {
            opened(parent, handler, transaction, request, choice);
        }
    }

    /** With the turn held. */
    private void opened(
            ApplicationSession parent,
            NamedServlet handler,
            ServerTransaction transaction,
            ServletRequest request,
            Choice choice) {
        SipRequest received = transaction.request();
        parent.announce();
        if (received.is(Methods.INVITE) && transaction.finalClaimed()) {
            // A CANCEL came while the request waited, and was answered with 487: nobody has to
            // know.
            if (parent.isValid() && parent.key() == null && unused(parent)) {
                parent.end();
            }
            return;
        }
        if (!parent.isValid()) {
            again(parent, transaction, request, choice);
            return;
        }
        // With a key strangers choose how many calls are in one application session.
        if (host.rooms().fullOfOne(parent, request.countedAt())) {
            host.counters().refusedOfOne.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        if (host.refusesFurther(parent, request.countedAt())) {
            host.counters().refusedAddresses.increment();
            refuseForNow(transaction, received, 503);
            return;
        }
        String toTag = received.toTag();
        ServletSession session =
                host.objects()
                        .session(
                                parent, received.callId(), received.to(), received.from(), handler);
        if (toTag != null) {
            session.dialog().setLocalTag(toTag);
        }
        session.countsFor(request.countedAt());
        session.came(Origin.of(received, transaction.source(), transaction.shard().wire()));
        session.path().calledFrom(transaction.source());
        session.keep(received);
        session.path().setRouting(Composition.routing(choice.info()));
        choice.targeting().note(session);
        if (transaction.source().beside() instanceof Passage passage) {
            session.path().compose(passage.depth());
        }
        request.bind(session);
        host.events().created(session);
        serve(session, request);
        if (received.is(Methods.INVITE) && parent.application().isFirstCall()) {
            OutlivedCalls.warnOfDefault(parent.application(), parent);
        }
    }

    /** The session ended while the request waited: the call gets a new one. */
    private void again(
            ApplicationSession parent,
            ServerTransaction transaction,
            ServletRequest request,
            Choice choice) {
        Application current =
                host.tables().full() ? null : deployed.hold(parent.application().name());
        if (current == null) {
            refuse(transaction, transaction.request(), 480, null);
            return;
        }
        Choice untargeted = new Choice(current, choice.info(), Targeting.NONE, null);
        open(transaction.shard(), transaction, request, untargeted);
    }

    private static final class EndUnused extends TurnTask {
        private final ApplicationSession parent;

        EndUnused(ApplicationSession parent) {
            this.parent = parent;
        }

        @Override
        protected void run() {
            if (parent.isValid() && unused(parent)) {
                parent.end();
            }
        }
    }

    private static boolean unused(ApplicationSession parent) {
        return parent.sessions().isEmpty() && parent.getTimers().isEmpty();
    }

    /** Gives the request to the servlet; what it throws becomes 500. With the turn held. */
    private void serve(ServletSession session, ServletRequest request) {
        UasTransaction server = request.uas();
        session.opened(request);
        boolean served = calls.service(session.application(), session.handler(), request);
        if (!served && server != null) {
            server.answer(500);
        }
    }

    /** There is no room now: it is told to come back when the stack tells whom it refuses to. */
    static void refuseForNow(ServerTransaction transaction, SipRequest request, int status) {
        int seconds = transaction.shard().config().capacity().retryAfterSeconds();
        refuse(transaction, request, status, Integer.toString(seconds));
    }

    static void refuse(
            ServerTransaction transaction,
            SipRequest request,
            int status,
            @Nullable String retryAfter) {
        MessageDraft draft = MessageDraft.responseTo(request, status, null, transaction.localTag());
        if (retryAfter != null) {
            draft.set(HeaderName.RETRY_AFTER, retryAfter);
        }
        transaction.respond(draft.freezeResponse());
    }
}
