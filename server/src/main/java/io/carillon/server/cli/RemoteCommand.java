package io.carillon.server.cli;

import io.carillon.server.access.AdminRequests;
import io.carillon.server.audit.AuditReader;
import io.carillon.server.calls.CallList;
import io.carillon.server.data.UserRequests;
import io.carillon.server.trace.TraceCommands;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A command of the control socket as a request to the operation that does it.
 *
 * @param method of HTTP
 * @param path below /api/v1, with its query
 * @param body as JSON; null: none
 * @param archive that is sent; null: none
 * @param text whether the command answers in words
 */
record RemoteCommand(
        String method, String path, @Nullable String body, @Nullable Path archive, boolean text) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String GET = "GET";
    private static final String POST = "POST";
    private static final String PUT = "PUT";
    private static final String DELETE = "DELETE";
    private static final int MOST_CALLS = 1_000;

    /**
     * The request of a command.
     *
     * @throws IOException when it cannot be asked of a server elsewhere
     */
    static RemoteCommand of(String command, String argument) throws IOException {
        return switch (command) {
            case "status", "applications", "bans", "cluster" -> json(GET, "/" + command);
            case "config-show" -> json(GET, "/configuration");
            case "config-diff" -> json(GET, "/configuration/changes");
            case "reload" -> json(POST, "/configuration/reload");
            case "stop" -> words(POST, "/server/stop");
            case "hand-over" -> words(POST, "/cluster/hand-over");
            case "tls-reload" -> words(POST, "/tls/reload");
            case "router-reload" -> words(POST, "/routes/reload");
            case "bans-clear" -> words(DELETE, "/bans" + below(withoutPrefix(argument)));
            case "log-show" -> json(GET, "/logs/raised");
            case "log-raise" -> json(POST, "/logs/raised", JSON.readValue(argument, Map.class));
            case "log-end" -> json(DELETE, "/logs/raised");
            case "log-reset" -> json(DELETE, "/logs/levels");
            case "log-set" -> level(argument);
            case "calls" -> calls(JSON.readValue(argument, CallList.Filter.class));
            case "call" -> json(GET, "/call" + query(Map.of("id", argument)));
            case "hangup" -> json(DELETE, "/call" + query(Map.of("id", argument)));
            case "deploy" -> archive(argument, false);
            case "replace" -> archive(argument, true);
            case "undeploy" -> words(DELETE, "/applications" + below(argument));
            case "undeploy-now" -> words(DELETE, "/applications" + below(argument) + "?now=true");
            case "route" -> json(POST, "/routes/query", Map.of("request", plain(argument)));
            case "where-call" -> json(GET, "/cluster/calls" + below(plain(argument)));
            case "where-message" ->
                    json(POST, "/cluster/messages", Map.of("text", plain(argument)));
            case "users" -> users(JSON.readValue(argument, UserRequests.Asked.class));
            case "admin" -> admin(JSON.readValue(argument, AdminRequests.Asked.class));
            case "audit" -> audit(JSON.readValue(argument, AuditReader.Filter.class));
            case "audit-verify" -> json(GET, "/audit/verification");
            default -> trace(command, argument);
        };
    }

    private static RemoteCommand trace(String command, String argument) throws IOException {
        return switch (command) {
            case "trace-on" -> new RemoteCommand(POST, "/traces", argument, null, false);
            case "trace-off" -> words(DELETE, "/traces" + below(argument));
            case "trace-clear" -> words(DELETE, "/traces/calls");
            case "trace-list" -> json(GET, "/traces?limit=" + limit(argument));
            case "trace-show" -> {
                TraceCommands.Question asked = question(argument);
                yield json(
                        GET,
                        "/traces/calls"
                                + query(
                                        ordered(
                                                "call",
                                                asked.wanted(),
                                                "bodies",
                                                asked.bodies(),
                                                "limit",
                                                Math.clamp(asked.most(), 1, 100))));
            }
            case "trace-follow" -> {
                TraceCommands.Question asked = question(argument);
                yield json(
                        GET,
                        "/traces/events"
                                + query(
                                        ordered(
                                                "call",
                                                asked.wanted(),
                                                "bodies",
                                                asked.bodies(),
                                                "after",
                                                asked.after())));
            }
            default ->
                    throw new IOException("the command " + command + " is for this machine alone");
        };
    }

    private static TraceCommands.Question question(String argument) {
        return JSON.readValue(argument, TraceCommands.Question.class);
    }

    private static int limit(String argument) {
        return argument.isEmpty() ? 10_000 : Math.clamp(Integer.parseInt(argument), 1, 10_000);
    }

    private static RemoteCommand json(String method, String path) {
        return new RemoteCommand(method, path, null, null, false);
    }

    private static RemoteCommand json(String method, String path, Object body) {
        return new RemoteCommand(method, path, JSON.writeValueAsString(body), null, false);
    }

    private static RemoteCommand words(String method, String path) {
        return new RemoteCommand(method, path, null, null, true);
    }

    private static RemoteCommand level(String argument) {
        int blank = argument.strip().indexOf(' ');
        String level = blank < 0 ? argument.strip() : argument.strip().substring(0, blank);
        String logger = blank < 0 ? "" : argument.strip().substring(blank + 1).strip();
        return json(PUT, "/logs/levels", ordered("level", level, "logger", logger));
    }

    private static RemoteCommand calls(CallList.Filter filter) {
        Map<String, Object> query = new LinkedHashMap<>();
        put(query, "user", filter.user());
        put(query, "state", filter.state());
        put(query, "application", filter.application());
        put(query, "text", filter.text());
        put(query, "after", filter.after());
        query.put("longerThan", filter.longerThanSeconds());
        query.put("limit", filter.most() <= 0 ? MOST_CALLS : Math.min(filter.most(), MOST_CALLS));
        return json(GET, "/calls" + query(query));
    }

    private static void put(Map<String, Object> query, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            query.put(name, value);
        }
    }

    private static RemoteCommand archive(String file, boolean replace) throws IOException {
        Path archive = Path.of(file);
        if (!Files.isRegularFile(archive)) {
            throw new IOException(
                    archive + " is no archive: a folder cannot be sent to a server elsewhere");
        }
        return new RemoteCommand(
                POST,
                "/applications"
                        + query(
                                ordered(
                                        "name",
                                        String.valueOf(archive.getFileName()),
                                        "replace",
                                        replace)),
                null,
                archive,
                false);
    }

    private static RemoteCommand users(UserRequests.Asked asked) throws IOException {
        Map<String, Object> in = new LinkedHashMap<>();
        put(in, "realm", asked.realm());
        String realm = query(in);
        String one = "/users" + below(asked.name() == null ? "" : asked.name());
        return switch (asked.action()) {
            case LIST -> json(GET, "/users" + realm);
            case ADD ->
                    json(
                            POST,
                            "/users" + realm,
                            ordered(
                                    "name",
                                    asked.name(),
                                    "password",
                                    asked.password(),
                                    "roles",
                                    asked.roles()));
            case REMOVE -> json(DELETE, one + realm);
            case PASSWD ->
                    json(PUT, one + "/password" + realm, ordered("password", asked.password()));
            case ROLES -> json(PUT, one + "/roles" + realm, ordered("roles", asked.roles()));
        };
    }

    private static RemoteCommand admin(AdminRequests.Asked asked) throws IOException {
        String name = asked.name() == null ? "" : asked.name();
        String one = "/accounts" + below(name);
        return switch (asked.action()) {
            case LIST -> json(GET, "/accounts");
            case ADD ->
                    json(
                            POST,
                            "/accounts",
                            ordered(
                                    "name",
                                    name,
                                    "password",
                                    asked.password(),
                                    "roles",
                                    asked.roles()));
            case REMOVE -> json(DELETE, one);
            case PASSWD -> json(PUT, one + "/password", ordered("password", asked.password()));
            case ROLES -> json(PUT, one + "/roles", ordered("roles", asked.roles()));
            case TOKENS ->
                    json(GET, "/tokens" + (name.isEmpty() ? "" : query(Map.of("account", name))));
            case TOKEN ->
                    json(
                            POST,
                            "/tokens",
                            ordered(
                                    "account",
                                    name,
                                    "roles",
                                    asked.roles(),
                                    "label",
                                    asked.label(),
                                    "seconds",
                                    asked.seconds()));
            case REVOKE -> json(DELETE, "/tokens" + below(name));
        };
    }

    private static RemoteCommand audit(AuditReader.Filter filter) {
        Map<String, Object> query = new LinkedHashMap<>();
        put(query, "who", filter.who());
        put(query, "what", filter.what());
        put(query, "stage", filter.stage());
        put(query, "since", filter.since());
        query.put("limit", Math.clamp(filter.most(), 1, 1_000));
        return json(GET, "/audit" + query(query));
    }

    private static Map<String, @Nullable Object> ordered(@Nullable Object... pairs) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }

    private static String withoutPrefix(String address) {
        int slash = address.indexOf('/');
        return slash < 0 ? address : address.substring(0, slash);
    }

    /** A part of a path; empty for nothing. */
    private static String below(String part) throws IOException {
        if (part.indexOf('/') >= 0) {
            throw new IOException(
                    "'" + part + "' has a slash, which cannot be asked of a server elsewhere");
        }
        return part.isEmpty() ? "" : "/" + escaped(part);
    }

    private static String query(Map<String, ? extends @Nullable Object> values) {
        StringBuilder query = new StringBuilder();
        values.forEach((name, value) ->
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(escaped(String.valueOf(value))));
        return query.toString();
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String plain(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
