package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.app.SessionKeyMethod;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.server.Unbegun;
import io.carillon.sip.token.OwnTokens;
import java.util.concurrent.atomic.AtomicReference;
import javax.servlet.ServletException;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an initial request: made, or found by a key of the application, and the request
 * given to its servlet. On the shard, or where the application has a key that may block on a thread
 * of its own, until the turn.
 */
final class SessionOpening {
    private final SessionHost host;
    private final NewSessions newSessions;
    private final DeployedApplications deployed;
    private final RouterFeatures router;
    private final InitialAdmission admission;
    private final ApplicationCalls calls;
    private final OtherNodes others;

    SessionOpening(
            NewSessions newSessions,
            DeployedApplications deployed,
            RouterFeatures router,
            InitialAdmission admission,
            ApplicationCalls calls,
            OtherNodes others) {
        this.admission = admission;
        this.others = others;
        this.host = newSessions.host();
        this.newSessions = newSessions;
        this.deployed = deployed;
        this.router = router;
        this.calls = calls;
    }

    /**
     * What the router chose.
     *
     * @param targeted the application session that is there already, which the request is meant for
     */
    record Choice(
            Application application,
            SipApplicationRouterInfo info,
            Targeting targeting,
            @Nullable ApplicationSession targeted) {}

    /** Makes or finds the sessions, and brings the request into the turn. */
    void open(ServerTransaction transaction, ServletRequest request, Choice choice) {
        try {
            openHeld(transaction, request, choice);
        } finally {
            choice.application().holds().giveBack();
        }
    }

    private void openHeld(ServerTransaction transaction, ServletRequest request, Choice choice) {
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
        ApplicationSession parent;
        NamedServlet handler;
        try {
            NamedServlet mapped = application.handlerFor(request);
            String key = choice.targeted() == null ? key(request, choice) : null;
            if (key != null
                    && (isElsewhere(key, transaction, choice)
                            || waits(key, transaction, request, choice))) {
                return;
            }
            parent = parent(transaction, request, choice, key);
            // The session may be of an older version: its calls stay together.
            handler =
                    parent.application() == application
                            ? mapped
                            : parent.application().handlerFor(request);
        } catch (ServletException | RuntimeException | LinkageError e) {
            calls.mappingFailed(application, received, e);
            InitialRequests.refuse(transaction, received, 500, null);
            return;
        }
        if (handler == null) {
            host.counters().noApplication.increment();
            InitialRequests.refuse(transaction, received, router.refusalStatus(), null);
            parent.submit(new EndUnused(parent));
            return;
        }
        if (!CallPartition.isHere(parent)) {
            // The partition of its key is another node's.
            InitialRequests.refuseForNow(transaction, received, 503);
            parent.submit(new EndUnused(parent));
            return;
        }
        if (!parent.hasRoom(received, Room.NEW, transaction.countedAt())) {
            // RFC 3261 21.5.1, as for a request within a dialog: this one call is busy.
            transaction.shard().notQueued(Counter.REQUESTS_NOT_QUEUED, received);
            InitialRequests.refuseForNow(transaction, received, 500);
            parent.submit(new EndUnused(parent));
            return;
        }
        host.counters().initialRequests.increment();
        if (received.is(Methods.INVITE) && !transaction.source().internal()) {
            host.counters().calls.increment();
        }
        bring(parent, handler, transaction, request, choice);
    }

    /** The key of its application session; application code is asked for it. */
    private static @Nullable String key(ServletRequest request, Choice choice)
            throws ServletException {
        SessionKeyMethod asked = choice.application().sessionKey();
        if (asked == null) {
            return null;
        }
        request.noted().routed(Composition.routing(choice.info()));
        return asked.of(request);
    }

    /**
     * Is the partition of that key another node's, or on its way from one to another? Then the
     * request has gone there, or waits for that.
     */
    private boolean isElsewhere(String key, ServerTransaction transaction, Choice choice) {
        int partition = CallPartition.ofKey(key);
        OwnTokens own = transaction.shard().config().tokens();
        boolean here =
                transaction.source().internal()
                        ? own.mayBegin(partition) || hasStill(key, partition, own, choice)
                        : own.takesNewWork(partition);
        if (here) {
            return false;
        }
        others.handOn(transaction, partition);
        return true;
    }

    /** Of a partition that another node owns, and waits for. */
    private boolean hasStill(String key, int partition, OwnTokens own, Choice choice) {
        return own.owns(partition)
                && host.tables().find(SessionTables.keyedId(choice.application(), key)) != null;
    }

    /** Does it wait for the application session of that key, which another node has had? */
    private boolean waits(
            String key, ServerTransaction transaction, ServletRequest request, Choice choice) {
        AbsentSessions absent = host.parts().get(AbsentSessions.SLOT);
        Application application = choice.application();
        String id = SessionTables.keyedId(application, key);
        return absent != null
                && host.tables().find(id) == null
                && absent.bring(
                        id,
                        CallPartition.ofKey(key),
                        () ->
                                transaction
                                        .shard()
                                        .executor()
                                        .execute(() -> here(transaction, request, choice)));
    }

    /** The application session is here, or nowhere. On the shard. */
    private void here(ServerTransaction transaction, ServletRequest request, Choice choice) {
        Application application = choice.application();
        if (!application.holds().take()) {
            InitialRequests.refuse(transaction, transaction.request(), 480, null);
        } else if (application.description().execution() == ExecutionMode.NON_BLOCKING) {
            open(transaction, request, choice);
        } else {
            host.threads()
                    .execute(() -> open(transaction, request, choice), transaction.countedAt());
        }
    }

    /** The application session that the request is for. */
    private ApplicationSession parent(
            ServerTransaction transaction,
            ServletRequest request,
            Choice choice,
            @Nullable String key) {
        ApplicationSession targeted = choice.targeted();
        if (targeted != null) {
            return targeted;
        }
        int place = request.countedAt();
        return key == null
                ? newSessions.begin(
                        choice.application(), transaction.shard(), transaction.partition(), place)
                : newSessions.keyed(choice.application(), key, place);
    }

    /** Into the turn, which is free as a rule. */
    private void bring(
            ApplicationSession parent,
            NamedServlet handler,
            ServerTransaction transaction,
            ServletRequest request,
            Choice choice) {
        request.bind(parent);
        CallPartition.takes(parent, transaction);
        HandlerLoad load = HandlerLoad.of(choice.application());
        if (!parent.beginHere()) {
            parent.submit(new Opening(parent, handler, transaction, request, choice, load));
            return;
        }
        if (load != null) {
            load.runsAtOnce(transaction.shard().executor().nanoTime());
        }
        try {
            opened(parent, handler, transaction, request, choice);
        } catch (Throwable e) {
            parent.failed(e);
        } finally {
            parent.endHere();
        }
    }

    /** What becomes of a request whose handler has to wait for a thread. */
    private enum Fate {
        WAITS,
        /** It got a 100. */
        ACCEPTED,
        REFUSED,
        BEGUN
    }

    /** A keyed session may be busy, so its child is made in the turn. */
    private final class Opening extends TurnTask implements Unbegun {
        private final ApplicationSession parent;
        private final NamedServlet handler;
        private final ServerTransaction transaction;
        private final ServletRequest request;
        private final Choice choice;
        private final @Nullable HandlerLoad load;
        private final long handedNanos;
        private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.WAITS);

        Opening(
                ApplicationSession parent,
                NamedServlet handler,
                ServerTransaction transaction,
                ServletRequest request,
                Choice choice,
                @Nullable HandlerLoad load) {
            super(transaction.request(), transaction.countedAt());
            this.parent = parent;
            this.handler = handler;
            this.transaction = transaction;
            this.request = request;
            this.choice = choice;
            this.load = load;
            this.handedNanos = now();
            if (load != null) {
                load.handed(transaction.shard().overload().delay(), handedNanos);
                if (transaction.invite()) {
                    transaction.waits(this);
                }
            }
        }

        private long now() {
            return transaction.shard().executor().nanoTime();
        }

        /**
         * What comes too late is refused now. Who was told by a 100 that he is served is served,
         * however late.
         *
         * @param inTime what becomes of it when it is not too late
         * @return true when it is refused, now or before
         */
        private boolean decidedToRefuse(HandlerLoad counted, Fate inTime) {
            boolean late = admission.cameTooLate(counted, transaction, handedNanos);
            if (fate.compareAndSet(Fate.WAITS, late ? Fate.REFUSED : inTime)) {
                if (late) {
                    admission.refuseLate(counted, transaction);
                }
                return late;
            }
            return fate.get() == Fate.REFUSED;
        }

        /** The 503 may be on its way from the handler's thread: no 100 leaves before it. */
        @Override
        public boolean refused() {
            HandlerLoad counted = load;
            return counted != null && decidedToRefuse(counted, Fate.ACCEPTED);
        }

        @Override
        protected void run() {
            HandlerLoad counted = load;
            if (counted == null) {
                opened(parent, handler, transaction, request, choice);
                return;
            }
            counted.begins(transaction.shard().overload().delay(), handedNanos, now());
            if (decidedToRefuse(counted, Fate.BEGUN)) {
                parent.announce();
                endUnknown(parent);
                return;
            }
            try {
                opened(parent, handler, transaction, request, choice);
            } finally {
                counted.ended(handedNanos, now());
            }
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
            // A CANCEL came while the request waited, and was answered with 487.
            endUnknown(parent);
            return;
        }
        if (!parent.isValid()) {
            again(parent, transaction, request, choice);
            return;
        }
        // With a key strangers choose how many calls are in one application session.
        if (host.rooms().fullOfOne(parent, request.countedAt())) {
            host.counters().refusedOfOne.increment();
            InitialRequests.refuseForNow(transaction, received, 503);
            return;
        }
        if (host.refusesFurther(parent, request.countedAt())) {
            host.counters().refusedAddresses.increment();
            InitialRequests.refuseForNow(transaction, received, 503);
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
        session.path().calledFrom(OutboundInterfaces.cameIn(transaction.source()));
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

    /** Nobody has to know of the request, nor of a session that was made for it alone. */
    private static void endUnknown(ApplicationSession parent) {
        if (parent.isValid() && parent.key() == null && unused(parent)) {
            parent.end();
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
            InitialRequests.refuse(transaction, transaction.request(), 480, null);
            return;
        }
        Choice untargeted = new Choice(current, choice.info(), Targeting.NONE, null);
        open(transaction, request, untargeted);
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
}
