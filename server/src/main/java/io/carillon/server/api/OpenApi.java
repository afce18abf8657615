package io.carillon.server.api;

import io.carillon.server.access.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of the operations, OpenAPI 3.1: made of them and of the records that they take
 * and answer, so that it says what they do.
 */
public final class OpenApi {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PROBLEM = "#/components/responses/Problem";

    private OpenApi() {}

    /**
     * As JSON.
     *
     * @param version of the server
     * @param left commands that no operation does
     */
    public static String json(List<Operation> operations, String version, Set<String> left) {
        Schemas schemas = new Schemas();
        Map<String, Object> paths = new LinkedHashMap<>();
        TreeSet<String> subjects = new TreeSet<>();
        for (Operation one : operations) {
            subjects.add(one.subject());
            @SuppressWarnings("unchecked")
            Map<String, Object> path =
                    (Map<String, Object>)
                            paths.computeIfAbsent(
                                    one.path(), nothing -> new LinkedHashMap<String, Object>());
            path.put(one.method().name().toLowerCase(Locale.ROOT), operation(one, schemas));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", info(version));
        document.put("servers", List.of(Map.of("url", ApiHandler.VERSION)));
        document.put(
                "security", List.of(Map.of("bearer", List.of()), Map.of("session", List.of())));
        document.put(
                "tags",
                subjects.stream()
                        .map(subject -> ordered("name", subject, "description", about(subject)))
                        .toList());
        if (!left.isEmpty()) {
            document.put("x-carillon-commands-left", left);
        }
        document.put("paths", paths);
        document.put("components", components(schemas));
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }

    private static Map<String, Object> info(String version) {
        return ordered(
                "title",
                "Carillon administration",
                "version",
                version,
                "description",
                "What administrators see and do. Answers that are no success are problems as RFC"
                        + " 9457 has them. docs/guides/administration.md tells of accounts, roles and"
                        + " tokens.",
                "license",
                ordered("name", "Apache-2.0", "identifier", "Apache-2.0"));
    }

    private static String about(String subject) {
        return switch (subject) {
            case "access" -> "Accounts of administrators, tokens, sessions.";
            case "audit" -> "Who changed what.";
            case "users" -> "Users that applications may ask for.";
            case "calls" -> "Calls that are held.";
            case "traces" -> "Recorded calls.";
            case "applications" -> "Applications and their versions.";
            case "routes" -> "The way of requests to applications.";
            case "cluster" -> "Nodes that go on with each other's calls.";
            case "configuration" -> "Values that run, and where they come from.";
            case "log" -> "The server's log.";
            case "guard" -> "Sources that are not listened to.";
            default -> "The server itself.";
        };
    }

    private static Map<String, Object> operation(Operation one, Schemas schemas) {
        Role role = one.role();
        Map<String, Object> operation =
                ordered("operationId", one.id(), "tags", List.of(one.subject()));
        operation.put("summary", one.summary());
        if (role == null) {
            operation.put("security", List.of());
        } else {
            operation.put("x-carillon-role", role.word());
        }
        if (!one.commands().isEmpty()) {
            operation.put("x-carillon-commands", one.commands());
        }
        if (!one.parameters().isEmpty()) {
            operation.put("parameters", one.parameters().stream().map(OpenApi::parameter).toList());
        }
        Map<String, Object> body = body(one, schemas);
        if (!body.isEmpty()) {
            operation.put("requestBody", body);
        }
        operation.put("responses", responses(one, schemas));
        return operation;
    }

    private static Map<String, Object> parameter(Parameter one) {
        Map<String, Object> schema = new LinkedHashMap<>();
        switch (one.kind()) {
            case FLAG -> schema.put("type", "boolean");
            case NUMBER -> {
                schema.put("type", "integer");
                schema.put("format", "int64");
                schema.put("minimum", one.min());
                schema.put("maximum", one.max());
            }
            case TEXT -> {
                schema.put("type", "string");
                schema.put("maxLength", one.max());
                if (!one.values().isEmpty()) {
                    schema.put("enum", one.values());
                }
            }
        }
        String standard = one.standard();
        if (standard != null) {
            schema.put(
                    "default",
                    one.kind() == Parameter.Kind.FLAG
                            ? (Object) Boolean.valueOf(standard)
                            : Long.valueOf(standard));
        }
        return ordered(
                "name",
                one.name(),
                "in",
                one.inPath() ? "path" : "query",
                "required",
                one.inPath(),
                "description",
                one.about(),
                "schema",
                schema);
    }

    private static Map<String, Object> body(Operation one, Schemas schemas) {
        Class<?> type = one.body();
        return switch (one.bodyKind()) {
            case NONE -> Map.of();
            case JSON ->
                    ordered(
                            "required",
                            true,
                            "content",
                            Map.of(
                                    ApiAnswer.JSON_TYPE,
                                    Map.of(
                                            "schema",
                                            type == null ? Map.of() : schemas.of(type, false))));
            case ARCHIVE ->
                    ordered(
                            "required",
                            true,
                            "content",
                            Map.of(
                                    "application/octet-stream",
                                    Map.of(
                                            "schema",
                                            ordered("type", "string", "format", "binary"))));
        };
    }

    private static Map<String, Object> responses(Operation one, Schemas schemas) {
        String type =
                one.stream()
                        ? "text/event-stream"
                        : one.answersFile() ? "application/octet-stream" : ApiAnswer.JSON_TYPE;
        Map<String, Object> schema =
                one.stream() || one.answersFile()
                        ? ordered("type", "string")
                        : schemas.of(one.answer(), one.answersList());
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put(
                "200",
                ordered("description", "Done.", "content", Map.of(type, Map.of("schema", schema))));
        responses.put("4XX", Map.of("$ref", PROBLEM));
        responses.put("5XX", Map.of("$ref", PROBLEM));
        return responses;
    }

    private static Map<String, Object> components(Schemas schemas) {
        Map<String, Object> all = new LinkedHashMap<>(schemas.named());
        List<String> members = new ArrayList<>(List.of("type", "title", "detail", "instance"));
        Map<String, Object> properties = new LinkedHashMap<>();
        members.forEach(name -> properties.put(name, ordered("type", "string")));
        properties.put("status", ordered("type", "integer", "format", "int32"));
        all.put(
                "Problem",
                ordered(
                        "type",
                        "object",
                        "description",
                        "RFC 9457; detail is a sentence for people.",
                        "properties",
                        properties,
                        "required",
                        List.of("title", "status", "detail")));
        return ordered(
                "securitySchemes",
                ordered(
                        "bearer",
                        ordered(
                                "type",
                                "http",
                                "scheme",
                                "bearer",
                                "description",
                                "A token of ./carillon admin token, or an access token of the"
                                        + " issuer of OpenID Connect (admin.oidc.audience)."),
                        "session",
                        ordered(
                                "type",
                                "apiKey",
                                "in",
                                "cookie",
                                "name",
                                Cookies.session(true),
                                "description",
                                "Of logIn. Changes bring X-CSRF-Token too. Without TLS its name has no"
                                        + " __Host-.")),
                "responses",
                ordered(
                        "Problem",
                        ordered(
                                "description",
                                "It was not done; detail says why.",
                                "content",
                                Map.of(
                                        "application/problem+json",
                                        Map.of(
                                                "schema",
                                                Map.of("$ref", "#/components/schemas/Problem"))))),
                "schemas",
                all);
    }
}
