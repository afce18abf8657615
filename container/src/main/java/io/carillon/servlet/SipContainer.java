package io.carillon.servlet;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.dispatch.ApiObjects;
import io.carillon.servlet.dispatch.ApplicationCalls;
import io.carillon.servlet.dispatch.ApplicationErrors;
import io.carillon.servlet.dispatch.CallEnding;
import io.carillon.servlet.dispatch.CopyFeatures;
import io.carillon.servlet.dispatch.DeployedApplications;
import io.carillon.servlet.dispatch.Deployments;
import io.carillon.servlet.dispatch.FeatureHooks;
import io.carillon.servlet.dispatch.FeatureSettings;
import io.carillon.servlet.dispatch.Features;
import io.carillon.servlet.dispatch.InDialogRequests;
import io.carillon.servlet.dispatch.InitialRequests;
import io.carillon.servlet.dispatch.LateAnswers;
import io.carillon.servlet.dispatch.OutlivedCalls;
import io.carillon.servlet.dispatch.PassedOn;
import io.carillon.servlet.dispatch.ProxyFeatures;
import io.carillon.servlet.dispatch.RouterFeatures;
import io.carillon.servlet.dispatch.TakenOver;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.b2bua.BackToBack;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.compose.RouteQuery;
import io.carillon.servlet.feature.compose.RouteReport;
import io.carillon.servlet.feature.flow.KeptFlows;
import io.carillon.servlet.feature.http.WebSide;
import io.carillon.servlet.feature.overload.HandlerLoads;
import io.carillon.servlet.feature.proxy.ProxyHost;
import io.carillon.servlet.feature.security.Security;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.SessionEvents;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.SessionRooms;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.Contacts;
import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.ContainerShards;
import io.carillon.servlet.port.KeptAddresses;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Parts;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.SessionIds;
import io.carillon.servlet.port.SessionTokens;
import io.carillon.servlet.route.DefaultApplicationRouter;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.token.ClusterPlace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * The SIP Servlet container over the shards of the stack. It composes its parts; none of them knows
 * it.
 *
 * <p>The {@link StackUser} methods are called on the shards' threads; everything else from any
 * thread.
 */
public final class SipContainer implements StackUser {
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SessionHost host;
    private final NewSessions newSessions;
    private final FeatureSettings settings = new FeatureSettings();
    private final Features features;
    private final ApplicationErrors errors;
    private final ApplicationCalls calls;
    private final DeployedApplications deployed;
    private final RouterFeatures router;
    private final Deployments deployments;
    private final InitialRequests initialRequests;
    private final InDialogRequests inDialog;
    private final LateAnswers lateAnswers;
    private final OutlivedCalls outlivedCalls;

    /** Null without a cluster. */
    private @Nullable TakenOver takenOver;

    public SipContainer(ContainerConfig config, ApplicationThreads threads, SessionStore store) {
        ContainerCounters counters = new ContainerCounters();
        ContainerShards shards = new ContainerShards();
        RandomGenerator random = config.random()::nextLong;
        SessionIds ids = new SessionIds(Long.toString(random.nextLong() >>> 24, 36) + '-');
        SessionTables tables = new SessionTables(config.maxSessions());
        OutboundInterfaces interfaces = new OutboundInterfaces(config.listeningPoints());
        settings.interfaces(interfaces);
        Contacts contacts = new Contacts();
        ApiObjects objects = ApiObjects.installed();
        errors = new ApplicationErrors(config.millis());
        calls = new ApplicationCalls(threads, errors);
        deployed = new DeployedApplications(config.router());
        router = new RouterFeatures(deployed, config, settings, errors);
        Composition composition =
                new Composition(interfaces, tables, router, counters.returnsForgotten);
        Parts parts = new Parts();
        HandlerLoads loads = new HandlerLoads(threads::delayNanos, shards::delayNanos);
        features = features(config, random, composition, objects, loads);
        parts.put(ProxyHost.SLOT, features.proxies());
        lateAnswers = new LateAnswers(tables, counters, shards, contacts, config.millis());
        outlivedCalls = new OutlivedCalls(config.millis(), counters, calls::tap);
        host =
                new SessionHost(
                        config.millis(),
                        random,
                        counters,
                        shards,
                        threads,
                        interfaces,
                        contacts,
                        tables,
                        rooms(tables, counters),
                        new KeptAddresses(),
                        new SessionTokens(config.random()),
                        objects,
                        store,
                        new SessionEvents(calls),
                        new FeatureHooks(
                                config.millis(),
                                settings,
                                features,
                                calls,
                                lateAnswers,
                                outlivedCalls),
                        parts);
        newSessions = new NewSessions(host, ids);
        PassedOn passedOn = new PassedOn(config, counters);
        inDialog = new InDialogRequests(host, calls, passedOn);
        initialRequests =
                new InitialRequests(
                        newSessions, deployed, router, settings, calls, composition, passedOn);
        deployments =
                new Deployments(newSessions, config, objects, deployed, settings, features, calls);
    }

    private static SessionRooms rooms(SessionTables tables, ContainerCounters counters) {
        return new SessionRooms(
                tables::shares,
                counters,
                ContainerConfig.DEFAULT_APPLICATION_SESSIONS,
                ContainerConfig.DEFAULT_SESSIONS_OF_ONE);
    }

    private Features features(
            ContainerConfig config,
            RandomGenerator random,
            Composition composition,
            ApiObjects objects,
            HandlerLoads handlerLoads) {
        return new Features(
                composition,
                new Security(config.millis(), random::nextLong),
                new KeptFlows(random),
                new BackToBack(new CopyFeatures(settings, router)),
                new ProxyFeatures(objects, settings, composition, calls, config.millis()),
                handlerLoads);
    }

    // ---- life ----

    /**
     * Gives the container its shards; before the first message, and before the first deployment.
     */
    public void start(List<Shard> all) {
        host.shards().start(all);
        ClusterPlace place = all.getFirst().config().tokens().cluster();
        security().ofCluster(place == null ? List.of() : place.keys().derive("nonces"));
        host.store().start(all);
        all.forEach(shard -> shard.executor().execute(host.threads()::loop));
    }

    /**
     * Calls of other nodes go on here when this one becomes the owner of their partitions. Before
     * the first message.
     *
     * @param store has their records
     */
    public Adoption takeOver(CallStore store) {
        TakenOver made =
                TakenOver.of(newSessions, store, deployed, initialRequests.others(), inDialog);
        takenOver = made;
        return made.adoption();
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
        return deployed.all();
    }

    /** Stops the applications; the calls should have ended before. */
    public void close() {
        deployments.close();
    }

    // ---- drain ----

    /** New calls get 503 from now on, or no longer. Requests within calls go on. */
    public void refuseNewCalls(boolean refuse) {
        settings.refusing(refuse);
    }

    public boolean refusingNewCalls() {
        return settings.refusing();
    }

    /** Application sessions now. */
    public int callsHeld() {
        return host.tables().size();
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
            CallEnding.end(host.tables(), done);
        }
    }

    /** What becomes of calls that are up when their application session expires. */
    public OutlivedCalls outlivedCalls() {
        return outlivedCalls;
    }

    /** Which applications an initial request would visit, and why; nothing is sent. */
    public RouteReport route(SipRequest request) {
        return new RouteQuery(host, router, host.shards().some().wire()).report(request);
    }

    /**
     * Reads the file of the default application router again.
     *
     * @param always or only when it was written to
     * @return false when there was nothing to read
     * @throws io.carillon.servlet.route.RouterException naming file and line; the old rules stay
     */
    public boolean reloadRouter(boolean always) {
        return deployed.router() instanceof DefaultApplicationRouter router
                && (always ? router.reload() : router.reloadIfChanged());
    }

    /** A sentence for each application that the router's file names and nobody deployed. */
    public List<String> routedButNotDeployed() {
        return deployed.router() instanceof DefaultApplicationRouter router
                ? router.notDeployed()
                : List.of();
    }

    public ContainerStatus status() {
        return new ContainerStatus(
                host.tables().size(),
                counters().inState(SipSession.State.EARLY),
                counters().inState(SipSession.State.CONFIRMED),
                counters().inState(SipSession.State.TERMINATED),
                host.tables().dialogs(),
                counters().calls.sum(),
                counters().initialRequests.sum(),
                counters().expired.sum(),
                errors.ofApplications(),
                errors.ofContainer(),
                counters().strays.sum(),
                counters().refused.sum(),
                counters().noApplication.sum(),
                counters().screened.sum(),
                counters().acksMissing.sum(),
                counters().lateAnswers.sum(),
                host.threads().rescued(),
                settings.refusing(),
                deployed.names(),
                host.threads().runningLongerThan(SLOW_NANOS));
    }

    // ---- from the stack ----

    @Override
    public void request(Shard shard, ServerTransaction transaction, SipRequest request) {
        TakenOver others = takenOver;
        if (others != null && others.request(shard, transaction, request, this)) {
            return;
        }
        if (!inDialog.concerns(shard, request)
                || transaction.source().beside() instanceof Passage
                || !inDialog.request(shard, transaction, request)) {
            initialRequests.request(shard, transaction, request);
        }
    }

    @Override
    public boolean waits(Shard shard, SipRequest cancel, Hop from, Runnable again, Runnable gone) {
        TakenOver others = takenOver;
        return others != null && others.cancel(shard, cancel, from, again, gone);
    }

    @Override
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        TakenOver others = takenOver;
        if (others != null && others.ack(shard, ack, from, byToken, this)) {
            return true;
        }
        return inDialog.ack(shard, ack, from, byToken);
    }

    @Override
    public void cancelled(ServerTransaction invite, SipRequest cancel, boolean answered487) {
        inDialog.cancelled(invite, cancel, answered487);
    }

    @Override
    public void strayResponse(Shard shard, SipResponse response, Hop from) {
        TakenOver others = takenOver;
        if (others != null && others.response(shard, response, from)) {
            return;
        }
        lateAnswers.stray(shard, response, from);
    }

    @Override
    public void ackMissing(ServerTransaction invite, SipResponse final2xx) {
        inDialog.missing().ack(invite, final2xx);
    }

    @Override
    public void unanswered(ServerTransaction transaction) {
        inDialog.missing().answer(transaction);
    }

    @Override
    public void prackMissing(ServerTransaction invite, SipResponse provisional) {
        inDialog.missing().prack(invite);
    }

    // ---- what others look at and set ----

    /** The server whose applications a bridge stands for; empty without one. */
    public String bridges() {
        return host.objects() instanceof ApiObjects objects ? objects.bridges() : "";
    }

    /** What all its sessions share. */
    public SessionHost host() {
        return host;
    }

    /** Where application sessions begin. */
    public NewSessions newSessions() {
        return newSessions;
    }

    /** How features are set; before the first message. */
    public FeatureSettings settings() {
        return settings;
    }

    /** The features that are one for all applications. */
    public Features features() {
        return features;
    }

    public SessionTables sessions() {
        return host.tables();
    }

    public ContainerCounters counters() {
        return host.counters();
    }

    public ApplicationErrors errors() {
        return errors;
    }

    /** Shows the applications' work to that one from now on, or to nobody; any thread. */
    public void tap(@Nullable TurnTap onlooker) {
        calls.tap(onlooker);
    }

    /** What sessions keep of long addresses. */
    public KeptAddresses keptAddresses() {
        return host.keptAddresses();
    }

    /** For subscriptions, and for the sessions of one application session. */
    public SessionRooms rooms() {
        return host.rooms();
    }

    /** Users, realms and nonces of every application's gate. */
    public Security security() {
        return features.security();
    }

    /** The wall clock in milliseconds since 1970. */
    public long millis() {
        return host.millis();
    }

    @Override
    public void forwarding(MessageDraft leaving) {
        features.security().consume(leaving, List.of());
    }
}
