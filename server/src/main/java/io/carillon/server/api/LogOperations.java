package io.carillon.server.api;

import io.carillon.server.access.Role;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.log.ShownLevels;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Operations on what is logged of single calls and users, and on parts of a support bundle. */
final class LogOperations {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String LOG = "log";

    private final Commands commands;

    LogOperations(Commands commands) {
        this.commands = commands;
    }

    List<Operation> all() {
        return List.of(
                Operation.get("showLogLevels", "/logs/raised")
                        .role(Role.VIEWER)
                        .about(LOG, "Levels by logger, and the calls and users that are raised.")
                        .command("log-show")
                        .answers(ShownLevels.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "log-show", ""))),
                Operation.post("raiseLogLevel", "/logs/raised")
                        .role(Role.OPERATOR)
                        .about(LOG, "Logs more of one call, or of one user's, for a while.")
                        .command("log-raise")
                        .takes(ShownLevels.Request.class)
                        .answers(ShownLevels.class)
                        .looksAt(call -> commands.look("log-show", ""))
                        .does(this::raise),
                Operation.delete("endRaisedLogLevels", "/logs/raised")
                        .role(Role.OPERATOR)
                        .about(LOG, "Ends all that was raised for calls and users.")
                        .command("log-end")
                        .answers(ShownLevels.class)
                        .looksAt(call -> commands.look("log-show", ""))
                        .does(call -> ApiAnswer.json(commands.ask(call, "log-end", ""))),
                Operation.get("getSupportPart", "/support/{part}")
                        .role(Role.ADMIN)
                        .about(
                                "server",
                                "A part of a support bundle, without secrets: threads, all-threads,"
                                        + " log or metrics.")
                        .command("support")
                        .on("part", "Its name.")
                        .answers(Map.class)
                        .does(this::part));
    }

    private ApiAnswer raise(ApiCall call) throws ControlFailure, Problem {
        ShownLevels.Request asked = call.body(ShownLevels.Request.class);
        if ((asked.call() == null) == (asked.user() == null) || asked.level() == null) {
            throw Problem.bad("a level is needed, and either a call or a user");
        }
        return ApiAnswer.json(commands.ask(call, "log-raise", JSON.writeValueAsString(asked)));
    }

    private ApiAnswer part(ApiCall call) throws ControlFailure, Problem {
        String part = call.text("part");
        if (!List.of("threads", "all-threads", "log", "metrics").contains(part)) {
            throw Problem.bad("there is no part '" + part + "'");
        }
        return ApiAnswer.of(Map.of("part", part, "text", commands.ask(call, "support", part)));
    }

    /** Of what the command answers, the levels alone. */
    static ApiAnswer levels(String answer) {
        return ApiAnswer.of(JSON.readValue(answer, ShownLevels.class).levels());
    }
}
