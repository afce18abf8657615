package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.overload.EmergencyMarks;
import io.carillon.sip.overload.Vouchers;
import io.carillon.sip.proxy.Refusal;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.LateRefusals;
import io.carillon.sip.shard.Shard;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether an initial request is taken: the room for what it makes us keep, the reasons of RFC 3261
 * 16.3 in their order, and its signature. Who is refused gets his answer here. On the shard, but
 * for signatures.
 */
final class InitialAdmission {
    private final SessionHost host;
    private final FeatureSettings settings;
    private final ApplicationCalls calls;

    InitialAdmission(SessionHost host, FeatureSettings settings, ApplicationCalls calls) {
        this.host = host;
        this.settings = settings;
        this.calls = calls;
    }

    /** Is there room for the session that it begins? */
    boolean hasRoom(ServerTransaction transaction, SipRequest received) {
        LongAdder full = full(transaction, received);
        if (full != null) {
            full.increment();
            if (full != host.counters().refusedStopping) {
                tell(transaction);
            }
            InitialRequests.refuseForNow(transaction, received, 503);
        }
        return full == null;
    }

    private @Nullable LongAdder full(ServerTransaction transaction, SipRequest received) {
        ContainerCounters counters = host.counters();
        if (settings.refusing()) {
            return counters.refusedStopping;
        }
        if (host.tables().full()) {
            return counters.refused;
        }
        if (!host.tables().admitsCall(transaction.source())) {
            return counters.refusedShare;
        }
        if (host.keptAddresses().refuses(received, transaction.countedAt())) {
            return counters.refusedAddresses;
        }
        boolean subscribes = received.is(Methods.SUBSCRIBE) || received.is(Methods.REFER);
        return subscribes && host.rooms().fullOfSubscriptions(transaction.source())
                ? counters.subscriptionsRefused
                : null;
    }

    /** As above, for one from an application of ours to the next. */
    boolean hasRoom(Passage passage, ServerTransaction transaction, SipRequest received) {
        LongAdder full =
                host.tables().full()
                        ? host.counters().refused
                        : host.tables().admitsPassage(passage.countedAt())
                                ? null
                                : host.counters().refusedShare;
        if (full != null) {
            full.increment();
            tell(transaction);
            InitialRequests.refuseForNow(transaction, received, 503);
        }
        return full == null;
    }

    /**
     * Does the application keep up with its new calls, so that this one is let in? Else its hold on
     * the application ends here. A call that an application before this one has taken, and whose
     * caller knows that, is let in: a refusal now would be a call that failed.
     */
    boolean keepsUp(Application application, Shard shard, ServerTransaction transaction) {
        HandlerLoad load = HandlerLoad.of(application);
        SipRequest received = transaction.request();
        long now = shard.executor().nanoTime();
        if (load == null
                || load.hasRoomForAll(now)
                || (transaction.source().beside() instanceof Passage passage && passage.told())) {
            return true;
        }
        // Also of a call that an application of ours has passed on.
        Hop origin = OutboundInterfaces.cameIn(transaction.source());
        if (load.hasRoom(SessionShares.source(origin), terms(shard, origin).weight(), now)
                || comesFirst(load, received, shard, origin, now)) {
            return true;
        }
        load.refuses();
        application.holds().giveBack();
        if (load.alone(now)) {
            tell(transaction);
        }
        refuseAsLate(shard, transaction);
        return false;
    }

    /**
     * Has it waited so long for its handler, while new calls are shed, that it is refused in its
     * place? Emergency calls are not, nor is what an application of ours has passed on: that was
     * begun. Any thread.
     */
    boolean cameTooLate(HandlerLoad load, ServerTransaction transaction, long handedNanos) {
        Shard shard = transaction.shard();
        long now = shard.executor().nanoTime();
        return load.cameTooLate(shard.overload().state(), handedNanos, now)
                && !transaction.finalClaimed()
                && !(transaction.source().beside() instanceof Passage)
                && !EmergencyMarks.of(
                        transaction.request(),
                        believed(shard, OutboundInterfaces.cameIn(transaction.source())));
    }

    /** Refuses one that {@link #cameTooLate}; any thread, by whom nobody else decides for it. */
    void refuseLate(HandlerLoad load, ServerTransaction transaction) {
        Shard shard = transaction.shard();
        load.givesUp(shard.executor().nanoTime());
        refuseAsLate(shard, transaction);
    }

    private void refuseAsLate(Shard shard, ServerTransaction transaction) {
        SipRequest received = transaction.request();
        PeerTerms terms = terms(shard, transaction.source());
        int seconds =
                !terms.ofPeer() && ofPhone(received)
                        ? shard.config().overload().retryAfterSeconds()
                        : 0;
        InitialRequests.refuse(
                transaction,
                received,
                terms.refusal(),
                seconds == 0 ? null : Integer.toString(1 + host.random().nextInt(seconds)));
    }

    /**
     * Does it begin an emergency call that is let in where others are not? A mark that anybody can
     * write counts where the server believes it.
     */
    private static boolean comesFirst(
            HandlerLoad load, SipRequest received, Shard shard, @Nullable Hop from, long nowNanos) {
        boolean believed = believed(shard, from);
        return EmergencyMarks.of(received, believed)
                && load.hasRoomForEmergency(believed, SessionShares.source(from), nowNanos);
    }

    private static boolean believed(Shard shard, @Nullable Hop from) {
        StackConfig config = shard.config();
        return from != null
                && new Vouchers(config.conduct(), config.boundary()).believed(from.initial());
    }

    /** Whoever sent it may be a peer that takes part in overload control. */
    private static void tell(ServerTransaction transaction) {
        Hop from = OutboundInterfaces.cameIn(transaction.source());
        if (from != null) {
            LateRefusals.refused(transaction.shard(), from);
        }
    }

    private static PeerTerms terms(Shard shard, @Nullable Hop from) {
        long source = SessionShares.source(from);
        return source == SessionShares.NOBODY
                ? PeerTerms.STRANGER
                : shard.config().capacity().sources().terms(source);
    }

    /**
     * Does nobody stand between its caller and us? RFC 3261 21.5.4: "The client SHOULD NOT send any
     * requests to that server for the time specified", and a proxy has requests of many callers.
     */
    private static boolean ofPhone(SipRequest request) {
        return request.headers(HeaderName.VIA).size() == 1
                && request.header(HeaderName.RECORD_ROUTE) == null;
    }

    /**
     * Is it one that we may go on with?
     *
     * @return which application it is meant for already; null when it was refused
     */
    @Nullable Targeting screen(
            Shard shard,
            ServerTransaction transaction,
            SipRequest received,
            RoutePreprocessing routing) {
        Refusal invalid = Screening.check(received, transaction.source(), routing, shard.wire());
        if (invalid != null) {
            return refused(transaction, received, invalid.status(), null);
        }
        if (shard.senderOf(received) instanceof UacTransaction sender
                && sender.passesOn(received)) {
            // RFC 3261 16.3 item 4 for a back-to-back user agent: what it got for this Request-URI,
            // from and for these, it has sent on as the same, and that leads here. It would do so
            // again.
            return refused(transaction, received, 482, null);
        }
        String unprivate =
                settings.privacyService() == null ? null : PrivacyService.refusal(received);
        if (unprivate != null) {
            return refused(transaction, received, 500, unprivate);
        }
        Targeting targeting = Targeting.of(host, received, routing);
        return targeting.refusal() == 0
                ? targeting
                : refused(transaction, received, targeting.refusal(), null);
    }

    private @Nullable Targeting refused(
            ServerTransaction transaction,
            SipRequest received,
            int status,
            @Nullable String reason) {
        host.counters().screened.increment();
        transaction.respond(
                MessageDraft.responseTo(received, status, reason, transaction.localTag())
                        .freezeResponse());
        return null;
    }

    /**
     * On a thread of applications: signatures take time, and a certificate may be far away.
     *
     * @param admitted told on the shard, when it is taken
     */
    void verify(
            VerificationPolicy policy,
            Shard shard,
            ServerTransaction transaction,
            Consumer<IdentityResult> admitted) {
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
                                InitialRequests.refuse(
                                        transaction, transaction.request(), 500, null);
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
                                admitted.accept(result);
                            }
                        }));
    }
}
