package io.carillon.server.api;

import io.carillon.server.access.Accounts;
import io.carillon.server.access.LoginLimits;
import io.carillon.server.access.OidcLogin;
import io.carillon.server.access.Role;
import io.carillon.server.access.Sessions;
import io.carillon.server.apps.Registrations;
import io.carillon.server.audit.AuditEntry;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.config.Configuration;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.log.RecentLines;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** All operations, put together. Immutable; made once. */
public final class Api {
    private static final Logger LOG = LoggerFactory.getLogger(Api.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_NEWS = 200;

    private final Commands commands;
    private final Access access;
    private final Bounds bounds;
    private final Sources sources;
    private final String version;
    private final List<Operation> fixed = new ArrayList<>();
    private final CallOperations calls;
    private final Uploads uploads;

    /**
     * Who may come in.
     *
     * @param accounts of administrators
     * @param sessions of browsers
     * @param limits of guesses
     * @param oidc accounts elsewhere
     * @param trail where changes are written
     */
    public record Access(
            Accounts accounts,
            Sessions sessions,
            LoginLimits limits,
            OidcLogin oidc,
            AuditTrail trail) {}

    /**
     * What is bounded.
     *
     * @param maxStreams of events
     * @param archives folder of those that are sent
     * @param largestArchive bytes
     */
    public record Bounds(int maxStreams, Path archives, long largestArchive) {}

    /**
     * What is looked at besides.
     *
     * @param configuration that runs
     * @param registrations as applications say
     */
    public record Sources(Supplier<Configuration> configuration, Registrations registrations) {}

    /**
     * @param commands of the control socket
     * @param sources of what no command shows
     * @param version of the server
     */
    public Api(
            Map<String, ControlCommand> commands,
            Access access,
            Bounds bounds,
            Sources sources,
            String version) {
        this.commands = new Commands(commands);
        this.access = access;
        this.bounds = bounds;
        this.sources = sources;
        this.version = version;
        this.calls = new CallOperations(this.commands);
        this.uploads = new Uploads(bounds.archives(), bounds.largestArchive());
    }

    /** Lets the handler serve. */
    public void serve(ApiHandler handler) {
        Callers callers = new Callers(access.accounts(), access.sessions(), access.oidc());
        Logins logins =
                new Logins(access.accounts(), access.sessions(), access.limits(), access.trail());
        fixed.addAll(
                new ServerOperations(this.commands, handler.metrics(), this::peers, uploads).all());
        fixed.addAll(calls.all());
        fixed.addAll(
                new ApplicationOperations(this.commands, uploads, sources.registrations()).all());
        fixed.addAll(new ClusterOperations(this.commands).all());
        fixed.addAll(new LogOperations(this.commands).all());
        fixed.addAll(new AccountOperations(this.commands, logins).all());
        fixed.addAll(new OidcOperations(access.oidc(), access, logins).all());
        fixed.add(events());
        String[] description = {""};
        fixed.add(
                Operation.get("getOpenApi", "/openapi.json")
                        .about("server", "This description.")
                        .answers(Map.class)
                        .does(call -> ApiAnswer.json(description[0])));
        description[0] = OpenApi.json(fixed, version, withoutOperation());
        EventStreams streams = new EventStreams(bounds.maxStreams(), topics(), callers);
        streams.feeds(
                call -> call.operation().id().equals("followTraces") ? calls.feed(call) : null);
        handler.serve(
                new ApiHandler.Serving(
                        new Routing(fixed), callers, access.trail(), streams, uploads));
    }

    /** What the control socket can do can be done here. */
    private Set<String> withoutOperation() {
        Set<String> left = new HashSet<>(commands.names());
        fixed.forEach(one -> left.removeAll(one.commands()));
        if (!left.isEmpty()) {
            LOG.warn("No operation of administration does the commands {}", left);
        }
        return left;
    }

    /** All of them; after {@link #serve}. */
    public List<Operation> operations() {
        return List.copyOf(fixed);
    }

    /** Commands that change something. */
    public Set<String> changing() {
        Set<String> names = new HashSet<>();
        for (Operation one : fixed) {
            if (one.changes()) {
                names.addAll(one.commands());
            }
        }
        return names;
    }

    private List<ServerOperations.Peer> peers() {
        List<ServerOperations.Peer> all = new ArrayList<>();
        sources.configuration()
                .get()
                .peers()
                .forEach((name, peer) ->
                        all.add(
                                new ServerOperations.Peer(
                                        name,
                                        peer.addresses(),
                                        peer.listeners(),
                                        peer.weight(),
                                        peer.hideTopology(),
                                        peer.overload().name().toLowerCase(Locale.ROOT))));
        return all;
    }

    private static Operation events() {
        return Operation.get("followEvents", "/events")
                .role(Role.VIEWER)
                .about(
                        "server",
                        "Tells what happens, as events: status each second, applications when they"
                                + " change, lines of the log, and lines of the audit log.")
                .with(
                        Parameter.text(
                                "topics",
                                "Some of status, applications, log, audit, with commas; without it"
                                        + " all that one may hear."))
                .stream()
                .does(call -> ApiAnswer.message(""));
    }

    private List<Topic> topics() {
        return List.of(
                new Topic("status", Role.VIEWER, true, () -> line("status")),
                new Topic("applications", Role.VIEWER, true, () -> line("applications")),
                new Topic("log", Role.VIEWER, false, new NewLines()),
                new Topic("audit", Role.ADMIN, false, news()));
    }

    /** JSON of a command in one line, as events want it. */
    private @Nullable String line(String command) {
        try {
            return JSON.readTree(commands.look(command, "")).toString();
        } catch (ControlFailure e) {
            return null; // nothing to be told now
        }
    }

    /** Whether anybody listened to the last second: what came before is no news. */
    private static final class Attention {
        private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(3);
        private long lookedAt;
        private boolean looked;

        boolean goesOn() {
            long now = System.nanoTime();
            boolean went = looked && now - lookedAt < LONGEST_NANOS;
            looked = true;
            lookedAt = now;
            return went;
        }
    }

    /** Lines of the log since the last look. Of the thread that tells. */
    private static final class NewLines implements Supplier<@Nullable String> {
        private final Attention attention = new Attention();
        private long seen;

        @Override
        public @Nullable String get() {
            List<RecentLines.Line> lines = RecentLines.last(seen, "", MOST_NEWS);
            boolean news = attention.goesOn();
            if (lines.isEmpty()) {
                return null;
            }
            seen = lines.getLast().sequence();
            return news ? JSON.writeValueAsString(lines) : null;
        }
    }

    /** Lines of the audit log since the last look; of more than that the newest. */
    private Supplier<@Nullable String> news() {
        Deque<AuditEntry> waiting = new ArrayDeque<>();
        access.trail()
                .log()
                .listener(entry -> {
                    synchronized (waiting) {
                        waiting.add(entry);
                        if (waiting.size() > MOST_NEWS) {
                            waiting.remove();
                        }
                    }
                });
        Attention attention = new Attention();
        return () -> {
            boolean news = attention.goesOn();
            List<AuditEntry> told;
            synchronized (waiting) {
                told = List.copyOf(waiting);
                waiting.clear();
            }
            return told.isEmpty() || !news ? null : JSON.writeValueAsString(told);
        };
    }
}
