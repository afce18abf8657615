package io.carillon.servlettest;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.RandomSource;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SimulatedNode;
import io.carillon.testkit.UserAgent;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EventListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServlet;

/**
 * A container with applications, phones and a network around it, all in the thread of the test.
 * Nothing happens but while time is advanced, and nothing waits for real: a handler that sleeps
 * makes the test sleep.
 *
 * <p>The server is at {@value #HOST}, port 5060; phones are at 10.0.1.1 and up. The clock that
 * applications see by the API (creation times, expiry, timers) is the virtual one.
 */
public final class SipTestServer {
    /** The server's address. */
    public static final String HOST = "10.0.0.1";

    private static final int PORT = 5060;
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** What {@link SipTest} says of the server itself. */
    private record Settings(
            String router, List<String> contextParams, long seed, boolean roundTrip) {}

    private final Settings settings;
    private final VirtualTime time = new VirtualTime();
    private final SimulatedNetwork network;
    private final SimulatedNode node;
    private final SipContainer container;
    private final Path work;
    private int phones;
    private boolean errorsExpected;

    SipTestServer(SipTest annotation) {
        this(
                new Settings(
                        annotation.router(),
                        List.of(annotation.contextParams()),
                        annotation.seed(),
                        annotation.roundTrip()));
    }

    private SipTestServer(Settings settings) {
        this.settings = settings;
        this.network = new SimulatedNetwork(time, settings.seed());
        try {
            work = Files.createTempDirectory("carillon-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RouterConfig router =
                settings.router().isEmpty()
                        ? RouterConfig.DEPLOYMENT_ORDER
                        : new RouterConfig(Path.of(settings.router()), null);
        ContainerConfig config =
                ContainerConfig.defaults()
                        .withMillis(() -> EPOCH_MILLIS + time.nanoTime() / NANOS_PER_MILLI)
                        .withRandom(RandomSource.seeded(settings.seed()))
                        .withListeningPoints(List.of("sip:" + HOST + ":" + PORT))
                        .withContextParams(contextParams(settings.contextParams()))
                        .withRouter(router)
                        .withWorkFolder(work);
        container =
                new SipContainer(
                        config,
                        task -> time.after(network.random().nextLong(NANOS_PER_MILLI), task),
                        settings.roundTrip() ? new RoundTripStore() : SessionStores.inMemory());
        node =
                SimulatedNode.start(
                        network, "server", HOST, PORT, 1, StackConfig.builder().build(), container);
        container.start(node.shards());
    }

    /**
     * A server without JUnit's help, for the tests of frameworks; the caller closes it.
     *
     * @param seed decides ids, and the order of what happens at the same time
     * @param roundTrip write and read back the bytes of each application session after every turn
     */
    public static SipTestServer open(long seed, boolean roundTrip) {
        return new SipTestServer(new Settings("", List.of(), seed, roundTrip));
    }

    private static Map<String, Map<String, String>> contextParams(List<String> texts) {
        Map<String, Map<String, String>> all = new HashMap<>();
        for (String text : texts) {
            int dot = text.indexOf('.');
            int equals = text.indexOf('=');
            if (dot <= 0 || equals <= dot + 1) {
                throw new IllegalArgumentException(
                        "contextParams: '" + text + "' has to be application.name=value");
            }
            all.computeIfAbsent(text.substring(0, dot), name -> new LinkedHashMap<>())
                    .put(text.substring(dot + 1, equals), text.substring(equals + 1));
        }
        return all;
    }

    // ---- applications ----

    /**
     * Deploys a {@code .war}, a {@code .sar} or an unpacked folder; one whose application is there
     * already takes its place, and running calls end on the old version.
     */
    public Application deploy(Path archive) throws DeploymentException {
        return container.replace(archive, null);
    }

    /** Deploys one servlet class as an application, as {@link SipTest#servlets} does. */
    public Application deploy(Class<? extends SipServlet> type) throws DeploymentException {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return deploy(SipTestExtension.nameOf(type), constructor.newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    type + " needs a constructor without parameters that does not throw", e);
        }
    }

    /** Deploys an instance as an application; it is its own listener where it can be. */
    public Application deploy(String name, SipServlet servlet, EventListener... listeners)
            throws DeploymentException {
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder(name).servlet(name, () -> servlet);
        if (servlet instanceof EventListener listener) {
            builder.listener(listener);
        }
        for (EventListener listener : listeners) {
            builder.listener(listener);
        }
        contextParams(settings.contextParams())
                .getOrDefault(name, Map.of())
                .forEach(builder::contextParam);
        return deploy(builder.build());
    }

    /** Deploys what is described in code: several servlets, mappings, session time-outs. */
    public Application deploy(ApplicationDescription description) throws DeploymentException {
        return container.replace(description, null);
    }

    /** Takes an application out of service; its calls may end. */
    public boolean undeploy(String name) {
        return container.retire(name, null);
    }

    /** The container, for what is not here. */
    public SipContainer container() {
        return container;
    }

    // ---- callers ----

    /** A phone that does by itself what every phone does; see {@link UserAgent}. */
    public UserAgent phone(String name) {
        return UserAgent.start(network, name, "10.0.1." + ++phones, PORT);
    }

    /** A peer that sends what the test writes and keeps what comes; see {@link ScriptedPeer}. */
    public ScriptedPeer peer(String name) {
        return ScriptedPeer.bind(network, name, "10.0.1." + ++phones, PORT);
    }

    /** A URI at this server. */
    public String uri(String user) {
        return "sip:" + user + "@" + HOST;
    }

    /** The network: losses, delays, names. */
    public SimulatedNetwork network() {
        return network;
    }

    // ---- time ----

    /** Lets this much time pass, and everything happen that happens in it. */
    public void advance(Duration span) {
        time.runFor(span);
    }

    /** Virtual time itself. */
    public VirtualTime time() {
        return time;
    }

    // ---- what there is ----

    /** The application sessions of an application that are alive, oldest first. */
    public List<SipApplicationSession> sessions(String application) {
        List<SipApplicationSession> found = new ArrayList<>();
        for (ApplicationSession session : container.sessions().all()) {
            if (session.getApplicationName().equals(application)) {
                found.add(session);
            }
        }
        found.sort(
                Comparator.comparingLong(SipApplicationSession::getCreationTime)
                        .thenComparing(SipApplicationSession::getId));
        return found;
    }

    /** The one application session of an application. */
    public SipApplicationSession session(String application) {
        List<SipApplicationSession> all = sessions(application);
        if (all.size() != 1) {
            throw new AssertionError(
                    "application " + application + " has " + all.size() + " sessions: " + all);
        }
        return all.getFirst();
    }

    /** From here on the test wants applications to throw. */
    public void expectErrors() {
        errorsExpected = true;
    }

    /** How often application code threw. */
    public long errors() {
        return container.errors().ofApplications();
    }

    /** Lets everything end that ends by itself within 40 s, and fails when something is left. */
    public void assertNothingLeft() {
        advance(Duration.ofSeconds(40));
        StringBuilder left = new StringBuilder();
        for (ApplicationSession session : container.sessions().all()) {
            left.append("\n  ").append(session).append(' ').append(session.sessions());
        }
        if (!left.isEmpty() || container.sessions().dialogs() > 0) {
            throw new AssertionError(
                    "sessions are left (dialogs " + container.sessions().dialogs() + "):" + left);
        }
        String stack = node.leftovers();
        if (!stack.isEmpty()) {
            throw new AssertionError("the stack holds " + stack);
        }
    }

    /** Fails when the container failed, or an application threw of which that was not expected. */
    public void assertNoErrors() {
        Throwable failure = container.errors().lastOfContainer();
        if (failure != null) {
            throw new AssertionError("the container failed", failure);
        }
        if (errors() > 0 && !errorsExpected) {
            throw new AssertionError(container.errors().lastOfApplications());
        }
    }

    /** Ends the applications and removes what they unpacked. */
    public void close() {
        container.close();
        try (Stream<Path> walk = Files.walk(work)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
