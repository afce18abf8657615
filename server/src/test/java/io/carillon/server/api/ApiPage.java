package io.carillon.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** docs/reference/administration-api.md, made of the description that a server gives. */
final class ApiPage {
    private ApiPage() {}

    static String of(JsonNode document) {
        Map<String, List<String>> bySubject = new TreeMap<>();
        document.path("paths")
                .properties()
                .forEach(path ->
                        path.getValue()
                                .properties()
                                .forEach(one ->
                                        bySubject
                                                .computeIfAbsent(
                                                        one.getValue()
                                                                .path("tags")
                                                                .get(0)
                                                                .asString(),
                                                        nothing -> new ArrayList<>())
                                                .add(row(path.getKey(), one))));
        StringBuilder text = new StringBuilder();
        text.append("# Operations of administration\n\n")
                .append("Below `/api/v1`; [administration](../guides/administration.md) says who")
                .append(" gets in. Made of `/api/v1/openapi.json`, which has parameters and")
                .append(" bodies too, by `AdminApiTest`.\n");
        for (JsonNode tag : document.path("tags")) {
            String subject = tag.path("name").asString();
            text.append("\n## ").append(title(subject)).append("\n\n");
            text.append(tag.path("description").asString()).append("\n\n");
            text.append(
                    "| Operation | Request | Role | Command | |\n| --- | --- | --- | --- | --- |\n");
            bySubject.getOrDefault(subject, List.of()).forEach(text::append);
        }
        return text.toString();
    }

    private static String title(String subject) {
        return subject.substring(0, 1).toUpperCase(Locale.ROOT) + subject.substring(1);
    }

    private static String row(String path, Map.Entry<String, JsonNode> one) {
        JsonNode operation = one.getValue();
        List<String> commands = new ArrayList<>();
        operation
                .path("x-carillon-commands")
                .forEach(command -> commands.add("`" + command.asString() + "`"));
        return "| "
                + operation.path("operationId").asString()
                + " | `"
                + one.getKey().toUpperCase(Locale.ROOT)
                + " "
                + path
                + "` | "
                + operation.path("x-carillon-role").asString("anybody")
                + " | "
                + String.join(", ", commands)
                + " | "
                + operation.path("summary").asString()
                + " |\n";
    }
}
