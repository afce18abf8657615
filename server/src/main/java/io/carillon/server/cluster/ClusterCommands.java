package io.carillon.server.cluster;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The commands about the cluster. Any thread. */
public final class ClusterCommands {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final @Nullable ClusterSide member;
    private final Runnable stop;

    private ClusterCommands(@Nullable ClusterSide member, Runnable stop) {
        this.member = member;
        this.stop = stop;
    }

    /**
     * By the names that the command line sends.
     *
     * @param member null: the server is in no cluster
     * @param stop begins the end of the process; returns at once
     */
    public static Map<String, ControlCommand> of(@Nullable ClusterSide member, Runnable stop) {
        ClusterCommands commands = new ClusterCommands(member, stop);
        return Map.of(
                "cluster", nothing -> ClusterText.json(commands.member().view()),
                "hand-over", nothing -> commands.handOver(),
                "where-call", id -> commands.whereCall(id),
                "where-message", text -> commands.whereMessage(text));
    }

    private ClusterSide member() throws ControlFailure {
        ClusterSide own = member;
        if (own == null) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND,
                    "this server is in no cluster (docs/guides/clustering.md says how it would be)");
        }
        return own;
    }

    /** Only where somebody is there to take the calls. */
    private String handOver() throws ControlFailure {
        if (!member().othersTakeCalls()) {
            throw new ControlFailure(
                    "no other node takes calls now (./carillon cluster), so this one stays; without"
                            + " --hand-over it is stopped all the same, and its calls end");
        }
        stop.run();
        return "its calls go to the other nodes";
    }

    private String whereCall(String id) throws ControlFailure {
        return JSON.writeValueAsString(member().places().ofCall(text(id)));
    }

    private String whereMessage(String message) throws ControlFailure {
        return JSON.writeValueAsString(
                member().places().ofMessage(text(message).getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(String base64) throws ControlFailure {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(ControlFailure.Kind.BAD, "the question is not in Base64", e);
        }
    }

    /** Reads what is answered to "where-call" and "where-message". */
    public static CallPlace place(String json) {
        return JSON.readValue(json, CallPlace.class);
    }
}
