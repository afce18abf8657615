package io.carillon.servlet;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.b2bua.BackToBack;
import io.carillon.servlet.compose.Composition;
import io.carillon.servlet.compose.Passage;
import io.carillon.servlet.compose.RouteQuery;
import io.carillon.servlet.compose.RouteReport;
import io.carillon.servlet.dispatch.ApplicationCalls;
import io.carillon.servlet.dispatch.ApplicationErrors;
import io.carillon.servlet.dispatch.CallEnding;
import io.carillon.servlet.dispatch.ContainerCounters;
import io.carillon.servlet.dispatch.Deployments;
import io.carillon.servlet.dispatch.InDialogRequests;
import io.carillon.servlet.dispatch.InitialRequests;
import io.carillon.servlet.dispatch.LateAnswers;
import io.carillon.servlet.dispatch.OutboundInterfaces;
import io.carillon.servlet.dispatch.OutlivedCalls;
import io.carillon.servlet.flow.KeptFlows;
import io.carillon.servlet.http.WebSide;
import io.carillon.servlet.identity.PrivacyService;
import io.carillon.servlet.identity.SigningPolicy;
import io.carillon.servlet.identity.VerificationPolicy;
import io.carillon.servlet.message.Contacts;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.refresh.SessionTimerPolicy;
import io.carillon.servlet.route.DefaultApplicationRouter;
import io.carillon.servlet.security.Security;
import io.carillon.servlet.session.ApplicationSession;
import io.carillon.servlet.session.KeptAddresses;
import io.carillon.servlet.session.NewSessions;
import io.carillon.servlet.session.ServletSession;
import io.carillon.servlet.session.SessionEvents;
import io.carillon.servlet.session.SessionRooms;
import io.carillon.servlet.session.SessionTables;
import io.carillon.servlet.session.SessionTokens;
import io.carillon.servlet.store.SessionStore;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import javax.servlet.sip.SipSession;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The SIP Servlet container over the shards of the stack. It composes its parts and is what they
 * know of each other.
 *
 * <p>The {@link StackUser} methods are called on the shards' threads; everything else from any
 * thread.
 */
public final class SipContainer implements StackUser {
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ContainerConfig config;
    private final ApiObjects objects = ApiObjects.installed();
    private final ApplicationThreads threads;
    private final SessionStore store;
    private final SessionTables sessions;
    private final SessionTokens tokens;
    private final ContainerCounters counters = new ContainerCounters();
    private final ApplicationErrors errors;
    private final ApplicationCalls calls;
    private final SessionEvents events;
    private final Contacts contacts = new Contacts();
    private final BackToBack backToBack = new BackToBack(this);
    private final Deployments deployments;
    private final Composition composition;
    private final InitialRequests initialRequests;
    private final InDialogRequests inDialog;
    private final LateAnswers lateAnswers;
    private final KeptFlows keptFlows;
    private final OutlivedCalls outlivedCalls;
    private final Security security;
    private volatile @Nullable DataSource dataSource;
    private volatile @Nullable TurnTap tap;
    private final KeptAddresses keptAddresses = new KeptAddresses();
    private final SessionRooms rooms;
    private volatile @Nullable PrivacyService privacyService;
    private volatile @Nullable VerificationPolicy verification;
    private volatile @Nullable SigningPolicy signing;
    private volatile SessionTimerPolicy sessionTimers = SessionTimerPolicy.DEFAULT;
    private volatile int applicationLog = 1000;
    private final RandomGenerator random;
    private final NewSessions newSessions;
    private final ContainerShards shards = new ContainerShards();
    private final OutboundInterfaces outboundInterfaces;
    private volatile boolean refusing;

    public SipContainer(ContainerConfig config, ApplicationThreads threads, SessionStore store) {
        this.config = config;
        this.threads = threads;
        this.store = store;
        this.random = config.random()::nextLong;
        newSessions = new NewSessions(this, random);
        sessions = new SessionTables(config.applicationSessions());
        rooms =
                new SessionRooms(
                        sessions,
                        counters,
                        ContainerConfig.DEFAULT_APPLICATION_SESSIONS,
                        ContainerConfig.DEFAULT_SESSIONS_OF_ONE);
        tokens = new SessionTokens(config.random());
        errors = new ApplicationErrors(config.millis());
        calls = new ApplicationCalls(threads, errors);
        events = new SessionEvents(calls);
        security = new Security(config.millis(), random::nextLong);
        outboundInterfaces = new OutboundInterfaces(config.listeningPoints());
        deployments = new Deployments(this, config);
        composition = new Composition(this, deployments);
        initialRequests = new InitialRequests(this, deployments);
        inDialog = new InDialogRequests(this);
        lateAnswers = new LateAnswers(this);
        keptFlows = new KeptFlows(random);
        outlivedCalls = new OutlivedCalls(config.millis(), counters, this::tap);
    }

    // ---- life ----

    /**
     * Gives the container its shards; before the first message, and before the first deployment.
     */
    public void start(List<Shard> all) {
        shards.start(all);
    }

    /** Who serves the HTTP parts of applications; before the first deployment. */
    public void web(WebSide side) {
        deployments.web(side);
    }

    /**
     * Deploys an archive (.war, .sar) or an unpacked folder.
     *
     * @throws DeploymentException naming file, element and rule; the other applications run on
     */
    public Application deploy(Path archive) throws DeploymentException {
        return deployments.deploy(archive);
    }

    /** Deploys an application described in code. */
    public Application deploy(ApplicationDescription description) throws DeploymentException {
        return deployments.deploy(description);
    }

    /**
     * Deploys an archive, or puts it in the place of the version that has its name: the new one
     * starts, then it gets the initial requests, and the calls of the old one end where they are.
     *
     * @param limit after which calls of the old version are ended; null: never
     * @throws DeploymentException naming file, element and rule; the old version stays in service
     */
    public Application replace(Path archive, @Nullable Duration limit) throws DeploymentException {
        return deployments.replace(archive, limit);
    }

    /**
     * The same for another version of the archive that runs: its file has the same name, but for a
     * version at its end. Another archive of that application name is refused.
     */
    public Application redeploy(Path archive, @Nullable Duration limit) throws DeploymentException {
        return deployments.redeploy(archive, limit);
    }

    /** The same with an application described in code. */
    public Application replace(ApplicationDescription description, @Nullable Duration limit)
            throws DeploymentException {
        return deployments.replace(description, limit);
    }

    /**
     * Takes an application out of service: no new calls, those that it has may end.
     *
     * @param limit after which they are ended; null: never
     * @return false when there is none of that name
     */
    public boolean retire(String name, @Nullable Duration limit) {
        return deployments.retire(name, limit);
    }

    /** Ends the application's sessions and stops it; an unknown name does nothing. */
    public void undeploy(String name) {
        deployments.undeploy(name);
    }

    /**
     * How long an application's beginning and end may take ({@code init}, {@code destroy},
     * listeners, static initializers); then its thread is interrupted and waited for no more. Null,
     * both: no limit, on the thread that deploys. Before the first deployment.
     */
    public void limitCallbacks(@Nullable Duration init, @Nullable Duration destroy) {
        deployments.limitCallbacks(init, destroy);
    }

    /** Names of the threads of applications' beginnings and ends that hang. */
    public List<String> callbacksLeftBehind() {
        return deployments.callbacksLeftBehind();
    }

    /** Versions whose last calls are still running. */
    public List<Application> retiring() {
        return deployments.retiring();
    }

    public List<Application> applications() {
        return deployments.all();
    }

    /** Stops the applications; the calls should have ended before. */
    public void close() {
        deployments.close();
    }

    // ---- drain ----

    /** New calls get 503 from now on, or no longer. Requests within calls go on. */
    public void refuseNewCalls(boolean refuse) {
        refusing = refuse;
    }

    public boolean refusingNewCalls() {
        return refusing;
    }

    /** Application sessions now. */
    public int callsHeld() {
        return sessions.size();
    }

    /**
     * Ends what is still held.
     *
     * @param done runs when every session was told; the answers to the BYEs may still be on their
     *     way. On a thread of a turn, or the caller's
     */
    public void endCalls(EndPolicy policy, Runnable done) {
        if (policy == EndPolicy.LEAVE) {
            done.run();
        } else {
            CallEnding.end(this, done);
        }
    }

    /** What becomes of calls that are up when their application session expires. */
    public OutlivedCalls outlivedCalls() {
        return outlivedCalls;
    }

    /** Which applications an initial request would visit, and why; nothing is sent. */
    public RouteReport route(SipRequest request) {
        return new RouteQuery(this, deployments, shards.some().wire()).report(request);
    }

    /**
     * Reads the file of the default application router again.
     *
     * @param always or only when it was written to
     * @return false when there was nothing to read
     * @throws io.carillon.servlet.route.RouterException naming file and line; the old rules stay
     */
    public boolean reloadRouter(boolean always) {
        return deployments.router() instanceof DefaultApplicationRouter router
                && (always ? router.reload() : router.reloadIfChanged());
    }

    /** A sentence for each application that the router's file names and nobody deployed. */
    public List<String> routedButNotDeployed() {
        return deployments.router() instanceof DefaultApplicationRouter router
                ? router.notDeployed()
                : List.of();
    }

    public ContainerStatus status() {
        return new ContainerStatus(
                sessions.size(),
                counters.inState(SipSession.State.EARLY),
                counters.inState(SipSession.State.CONFIRMED),
                counters.inState(SipSession.State.TERMINATED),
                sessions.dialogs(),
                counters.calls.sum(),
                counters.initialRequests.sum(),
                counters.expired.sum(),
                errors.ofApplications(),
                errors.ofContainer(),
                counters.strays.sum(),
                counters.refused.sum(),
                counters.noApplication.sum(),
                counters.screened.sum(),
                counters.acksMissing.sum(),
                counters.lateAnswers.sum(),
                threads.rescued(),
                refusing,
                deployments.names(),
                threads.runningLongerThan(SLOW_NANOS));
    }

    // ---- from the stack ----

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        if (!inDialog.concerns(shard, request)
                || transaction.source().beside() instanceof Passage
                || !inDialog.request(shard, transaction, request)) {
            initialRequests.request(shard, transaction, request);
        }
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        return inDialog.ack(shard, ack, from, byToken);
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        inDialog.cancelled(invite, cancel, answered487);
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        lateAnswers.stray(shard, response, from);
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        inDialog.ackMissing(invite, final2xx);
    }

    @Override
    public void unanswered(ServerTransaction transaction) {
        inDialog.unanswered(transaction);
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        inDialog.prackMissing(invite);
    }

    // ---- what the parts know of each other ----

    public ContainerConfig config() {
        return config;
    }

    /** Who makes what applications hold. */
    public ApiObjects objects() {
        return objects;
    }

    public ApplicationThreads threads() {
        return threads;
    }

    public SessionStore store() {
        return store;
    }

    public SessionTables sessions() {
        return sessions;
    }

    /** How application sessions are written into URIs and URLs. */
    public SessionTokens tokens() {
        return tokens;
    }

    public ContainerCounters counters() {
        return counters;
    }

    public ApplicationErrors errors() {
        return errors;
    }

    public ApplicationCalls calls() {
        return calls;
    }

    public SessionEvents events() {
        return events;
    }

    public Contacts contacts() {
        return contacts;
    }

    /** Flows of registrations of ours. */
    public KeptFlows keptFlows() {
        return keptFlows;
    }

    /** What applications may leave by. */
    public OutboundInterfaces outboundInterfaces() {
        return outboundInterfaces;
    }

    public Composition composition() {
        return composition;
    }

    public BackToBack backToBack() {
        return backToBack;
    }

    public RandomGenerator random() {
        return random;
    }

    /** Shows the applications' work to that one from now on, or to nobody; any thread. */
    public void tap(@Nullable TurnTap onlooker) {
        tap = onlooker;
        calls.tap(onlooker);
    }

    /** Null while no trace is on. */
    public @Nullable TurnTap tap() {
        return tap;
    }

    /** The database that applications are given; before the first deployment. */
    public void dataSource(DataSource source) {
        dataSource = source;
    }

    /** Null where the server has none. */
    public @Nullable DataSource dataSource() {
        return dataSource;
    }

    /** Who serves callers that want privacy; null: nobody here. */
    public @Nullable PrivacyService privacyService() {
        return privacyService;
    }

    /** Before the first message. */
    public void privacyService(@Nullable PrivacyService service) {
        privacyService = service;
    }

    /** How callers' signed identities are verified; null: they are not. */
    public @Nullable VerificationPolicy verification() {
        return verification;
    }

    /** Before the first message. */
    public void verification(@Nullable VerificationPolicy policy) {
        verification = policy;
    }

    /** Which requests leave with a signed identity; null: none. */
    public @Nullable SigningPolicy signing() {
        return signing;
    }

    /** Before the first message. */
    public void signing(@Nullable SigningPolicy policy) {
        signing = policy;
    }

    /** Subscriptions that may exist at once; another one gets 503. */
    public void maxSubscriptions(int cap) {
        rooms.maxSubscriptions(cap);
    }

    /** What sessions keep of long addresses. */
    public KeptAddresses keptAddresses() {
        return keptAddresses;
    }

    /** Is there no room for one more SIP session of it? Never true for the two of a call. */
    public boolean refusesFurther(ApplicationSession parent, int countedAt) {
        return keptAddresses.refusesFurther(parent.sessions().size(), countedAt);
    }

    /** SIP sessions that an initial request may find in its application session; else 503. */
    public void maxSessionsOfOne(int cap) {
        rooms.maxOfOne(cap);
    }

    /** For subscriptions, and for the sessions of one application session. */
    public SessionRooms rooms() {
        return rooms;
    }

    /** How session timers are kept where an application says nothing else. */
    public SessionTimerPolicy sessionTimers() {
        return sessionTimers;
    }

    /** Before the first deployment. */
    public void sessionTimers(SessionTimerPolicy policy) {
        sessionTimers = policy;
    }

    /** Lines that one application may write with {@code ServletContext.log} in a second. */
    public int applicationLog() {
        return applicationLog;
    }

    /** See {@link #applicationLog()}; 0 for no limit. Before the first deployment. */
    public void applicationLog(int linesPerSecond) {
        applicationLog = linesPerSecond;
    }

    @Override
    public void forwarding(MessageDraft leaving) {
        security.consume(leaving, List.of());
    }

    /** Users, realms and nonces of every application's gate. */
    public Security security() {
        return security;
    }

    /** The wall clock in milliseconds since 1970. */
    public long millis() {
        return config.millis().getAsLong();
    }

    /** The event loops under it. */
    public ContainerShards shards() {
        return shards;
    }

    /** Where application sessions begin. */
    public NewSessions newSessions() {
        return newSessions;
    }

    /** Gives a response to the servlet of its session. With the turn held. */
    public void deliver(ServletSession session, ServletResponse response) {
        boolean handled = calls.service(session.application(), session.handler(), response);
        // A 2xx that a BYE has overtaken: its call is over, and nobody else will acknowledge it.
        if (!handled || session.state() == SipSession.State.TERMINATED) {
            CallEnding.unhandled(session, response);
        }
    }

    /**
     * A 2xx whose application session is gone is confirmed and ended.
     *
     * @param from where it came from; null when that is not known
     */
    public void endLateAnswer(@Nullable SipRequest sent, SipResponse response, @Nullable Hop from) {
        lateAnswers.end(sent, response, from);
    }

    /** Who meets a 2xx after the session that sent the INVITE has ended. */
    public AttemptUser lateAnswers() {
        return lateAnswers;
    }
}
