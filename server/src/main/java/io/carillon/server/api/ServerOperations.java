package io.carillon.server.api;

import io.carillon.net.guard.Ban;
import io.carillon.server.access.Role;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.data.CopyRequest;
import io.carillon.server.log.RecentLines;
import io.carillon.server.measure.Metric;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.reload.Reloading;
import io.carillon.server.reload.ShownChange;
import io.carillon.server.reload.ShownValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;

/** Operations about the server itself: status, metrics, configuration, log, bans. */
final class ServerOperations {
    private static final String SERVER = "server";
    private static final String CONFIGURATION = "configuration";
    private static final String LOG = "log";
    private static final String GUARD = "guard";
    private static final List<String> LEVELS = List.of("trace", "debug", "info", "warn", "error");

    private final Commands commands;
    private final Supplier<List<Metric>> metrics;
    private final Supplier<List<Peer>> peers;
    private final Uploads uploads;

    ServerOperations(
            Commands commands,
            Supplier<List<Metric>> metrics,
            Supplier<List<Peer>> peers,
            Uploads uploads) {
        this.uploads = uploads;
        this.commands = commands;
        this.metrics = metrics;
        this.peers = peers;
    }

    /**
     * A peer of the configuration.
     *
     * @param name that the configuration gives it
     * @param addresses where it is
     * @param listeners where it comes in
     * @param weight of its share
     * @param hideTopology whether it sees nothing of the inside
     * @param overload what is agreed about overload control
     */
    record Peer(
            String name,
            List<String> addresses,
            List<String> listeners,
            int weight,
            boolean hideTopology,
            String overload) {}

    /**
     * What the log writes of a logger.
     *
     * @param level trace, debug, info, warn, error or off
     * @param logger that is meant; empty: all without a level of their own
     */
    record Level(String level, String logger) {}

    List<Operation> all() {
        List<Operation> all = new ArrayList<>(ofServer());
        all.addAll(ofConfiguration());
        all.addAll(ofLogAndGuard());
        return all;
    }

    private List<Operation> ofServer() {
        return List.of(
                Operation.get("getStatus", "/status")
                        .role(Role.VIEWER)
                        .about(SERVER, "What the server does: calls, messages, pauses, limits.")
                        .command("status")
                        .answers(ServerStatus.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "status", ""))),
                Operation.get("getMetrics", "/metrics")
                        .role(Role.VIEWER)
                        .about(SERVER, "All metrics with their values, as /metrics has them.")
                        .answersList(Metric.class)
                        .does(call -> ApiAnswer.of(metrics.get())),
                Operation.get("listPeers", "/peers")
                        .role(Role.VIEWER)
                        .about(SERVER, "Lists the peers of the configuration.")
                        .answersList(Peer.class)
                        .does(call -> ApiAnswer.of(peers.get())),
                Operation.post("stopServer", "/server/stop")
                        .role(Role.ADMIN)
                        .about(SERVER, "Drains and stops the server, as SIGTERM does.")
                        .command("stop")
                        .does(call -> ApiAnswer.message(commands.ask(call, "stop", ""))),
                Operation.post("copyDatabase", "/database/copy")
                        .role(Role.ADMIN)
                        .about(SERVER, "Sends a copy of the embedded database, as a zip.")
                        .command("database-copy")
                        .answersFile()
                        .heavy()
                        .does(this::copy),
                Operation.post("reloadCertificates", "/tls/reload")
                        .role(Role.OPERATOR)
                        .about(SERVER, "Reads certificates again.")
                        .command("tls-reload")
                        .does(call -> ApiAnswer.message(commands.ask(call, "tls-reload", ""))));
    }

    private List<Operation> ofConfiguration() {
        return List.of(
                Operation.get("getConfiguration", "/configuration")
                        .role(Role.VIEWER)
                        .about(
                                CONFIGURATION,
                                "Every value that runs and where it comes from; secrets are stars.")
                        .command("config-show")
                        .answersList(ShownValue.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "config-show", ""))),
                Operation.get("getConfigurationChanges", "/configuration/changes")
                        .role(Role.VIEWER)
                        .about(CONFIGURATION, "What a reload or a restart would change.")
                        .command("config-diff")
                        .answersList(ShownChange.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "config-diff", ""))),
                Operation.post("reloadConfiguration", "/configuration/reload")
                        .role(Role.OPERATOR)
                        .about(
                                CONFIGURATION,
                                "Reads the configuration again; all of it or nothing.")
                        .command("reload")
                        .answers(Reloading.Outcome.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "reload", ""))));
    }

    private List<Operation> ofLogAndGuard() {
        return List.of(
                logLines(),
                levels(),
                setLevel(),
                Operation.delete("resetLogLevels", "/logs/levels")
                        .role(Role.OPERATOR)
                        .about(LOG, "Sets the log's levels back to the configured ones.")
                        .command("log-reset")
                        .answers(Map.class)
                        .looksAt(call -> commands.look("log-show", ""))
                        .does(call -> LogOperations.levels(commands.ask(call, "log-reset", ""))),
                Operation.get("listBans", "/bans")
                        .role(Role.VIEWER)
                        .about(GUARD, "Lists the sources that are not listened to.")
                        .command("bans")
                        .answersList(Ban.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "bans", ""))),
                Operation.delete("liftBans", "/bans")
                        .role(Role.OPERATOR)
                        .about(GUARD, "Lifts all bans.")
                        .command("bans-clear")
                        .looksAt(call -> commands.look("bans", ""))
                        .does(call -> ApiAnswer.message(commands.ask(call, "bans-clear", ""))),
                Operation.delete("liftBan", "/bans/{address}")
                        .role(Role.OPERATOR)
                        .about(GUARD, "Lifts the ban of one source.")
                        .command("bans-clear")
                        .on("address", "Of the source, in digits.")
                        .looksAt(call -> commands.look("bans", ""))
                        .does(call ->
                                ApiAnswer.message(
                                        commands.ask(call, "bans-clear", call.text("address")))));
    }

    private ApiAnswer copy(ApiCall call) throws ControlFailure, Problem {
        Path zip = uploads.fresh();
        CopyRequest.Answer made =
                CopyRequest.read(commands.ask(call, "database-copy", zip.toString()));
        if (!made.copied()) {
            throw new Problem(
                    HttpStatus.NOT_FOUND_404,
                    made.embedded()
                            ? "there is no database yet"
                            : "the database " + made.place() + " is copied by its own tools");
        }
        return ApiAnswer.sent(zip);
    }

    private Operation logLines() {
        return Operation.get("getLog", "/logs")
                .role(Role.VIEWER)
                .about(LOG, "The last lines of the server's log, the oldest first.")
                .with(Parameter.oneOf("level", LEVELS, "Lines of that level and above it."))
                .with(
                        Parameter.number(
                                "after", 0, 0, Long.MAX_VALUE, "Only with a larger sequence."))
                .with(Parameter.number("limit", 200, 1, 2_000, "The last so many."))
                .answersList(RecentLines.Line.class)
                .does(call ->
                        ApiAnswer.of(
                                RecentLines.last(
                                        call.number("after"),
                                        call.text("level"),
                                        call.count("limit"))));
    }

    private Operation levels() {
        return Operation.get("getLogLevels", "/logs/levels")
                .role(Role.VIEWER)
                .about(LOG, "Levels by logger; the empty name is all the others.")
                .command("log-show")
                .answers(Map.class)
                .does(call -> LogOperations.levels(commands.ask(call, "log-show", "")));
    }

    private Operation setLevel() {
        return Operation.put("setLogLevel", "/logs/levels")
                .role(Role.OPERATOR)
                .about(LOG, "Sets the level of a logger, or of all, until the next start.")
                .command("log-set")
                .takes(Level.class)
                .answers(Map.class)
                .looksAt(call -> commands.look("log-show", ""))
                .does(call -> {
                    Level level = call.body(Level.class);
                    String words = words(level);
                    return LogOperations.levels(commands.ask(call, "log-set", words));
                });
    }

    @SuppressWarnings("ConstantValue") // what a body leaves out is null
    private static String words(Level level) throws Problem {
        String word = level.level() == null ? "" : level.level();
        String logger = level.logger() == null ? "" : level.logger();
        if (word.contains(" ") || logger.contains(" ") || logger.length() > 255) {
            throw Problem.bad("a level and a logger have no blanks, and at most 255 characters");
        }
        return word + " " + logger;
    }
}
