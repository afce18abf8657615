package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.security.Proofs;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Proof;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
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
    private final DeployedApplications deployed;
    private final RouterFeatures router;
    private final FeatureSettings settings;
    private final Composition composition;
    private final PassedOn passedOn;
    private final InitialAdmission admission;
    private final SessionOpening opening;
    private final OtherNodes others = new OtherNodes();

    public InitialRequests(
            NewSessions newSessions,
            DeployedApplications deployed,
            RouterFeatures router,
            FeatureSettings settings,
            ApplicationCalls calls,
            Composition composition,
            PassedOn passedOn) {
        this.host = newSessions.host();
        this.deployed = deployed;
        this.router = router;
        this.settings = settings;
        this.composition = composition;
        this.passedOn = passedOn;
        host.parts().put(OtherNodes.SLOT, others);
        this.admission = new InitialAdmission(host, settings, calls);
        this.opening = new SessionOpening(newSessions, deployed, router, admission, calls, others);
    }

    /** Those that belong to calls of other nodes of the cluster. */
    public OtherNodes others() {
        return others;
    }

    private boolean knows(DialogKey dialog) {
        return host.tables().dialog(dialog) != null || host.tables().proxied(dialog) != null;
    }

    public void request(Shard shard, ServerTransaction transaction, SipRequest received) {
        if (transaction.source().beside() instanceof Passage passage) {
            fromApplication(shard, transaction, received, passage);
            return;
        }
        if (others.takes(transaction, received, this::knows)
                || !admission.hasRoom(transaction, received)) {
            return;
        }
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, transaction.source(), shard.wire());
        Targeting targeting = admission.screen(shard, transaction, received, routing);
        if (targeting == null) {
            return;
        }
        VerificationPolicy verification = settings.verification();
        if (verification != null && verification.concerns(received)) {
            host.threads()
                    .execute(
                            () ->
                                    admission.verify(
                                            verification,
                                            shard,
                                            transaction,
                                            result ->
                                                    admitted(
                                                            shard,
                                                            transaction,
                                                            routing,
                                                            targeting,
                                                            result)),
                            transaction.countedAt());
            return;
        }
        admitted(shard, transaction, routing, targeting, null);
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
        if (!admission.keepsUp(application, shard, transaction)) {
            return;
        }
        SessionOpening.Choice choice =
                new SessionOpening.Choice(application, info, targeting, targeting.in(name));
        begin(transaction, request, choice);
    }

    /** From one application to the next: everything was checked when it came in. */
    private void fromApplication(
            Shard shard, ServerTransaction transaction, SipRequest received, Passage passage) {
        if (!admission.hasRoom(passage, transaction, received)) {
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
        if (!admission.keepsUp(application, shard, transaction)) {
            return;
        }
        request.noted().cameBy(passage);
        request.verified(passage.provenance().verified());
        if (transaction.request().is(Methods.REGISTER)) {
            SipRequest received = transaction.request();
            OfferedFlow.offer(shard, request, received, passage.initialHop(), passage.depth());
        }
        ApplicationSession targeted = targeting.in(passage.application());
        SessionOpening.Choice choice =
                new SessionOpening.Choice(application, passage.info(), targeting, targeted);
        begin(transaction, request, choice);
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
            ServerTransaction transaction, ServletRequest request, SessionOpening.Choice choice) {
        Application application = choice.application();
        if (choice.targeted() == null
                && application.sessionKey() != null
                && application.description().execution()
                        != io.carillon.servlet.app.ExecutionMode.NON_BLOCKING) {
            // The key's method is application code, which may block.
            host.threads()
                    .execute(
                            () -> opening.open(transaction, request, choice),
                            transaction.countedAt());
        } else {
            opening.open(transaction, request, choice);
        }
    }

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
