package io.carillon.lab.compare;

import io.carillon.lab.peers.Site;
import java.util.List;
import java.util.Map;

/** What a comparison as shipped must be without. */
final class AsShipped {
    /** Each of them adds options to a JVM that is started. */
    private static final List<String> VARIABLES =
            List.of("CARILLON_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

    private AsShipped() {}

    /**
     * Sees that nobody sets JVM options, and nobody declares an execution, behind our back.
     *
     * @throws IllegalArgumentException in a sentence
     */
    static void check(Site site, Map<String, String> environment) {
        if (!site.asShipped()) {
            return;
        }
        for (String argument : site.serverArguments()) {
            if (argument.startsWith("--jvm") || argument.contains("io.carillon.execution")) {
                throw new IllegalArgumentException(
                        "--as-shipped goes without --server-argument=" + argument);
            }
        }
        if (!site.peerJvm().options().isEmpty()) {
            throw new IllegalArgumentException("--as-shipped goes without --peer-jvm");
        }
        for (String variable : VARIABLES) {
            if (!environment.getOrDefault(variable, "").isBlank()) {
                throw new IllegalArgumentException(
                        "--as-shipped measures default JVM options: unset " + variable);
            }
        }
    }
}
