package io.carillon.server.log;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is logged, as {@code carillon log} shows it.
 *
 * @param levels by logger, of those that have one of their own; of all others by the empty name
 * @param raised calls and users of whom more is logged
 */
public record ShownLevels(Map<String, String> levels, List<RaisedLevels.Shown> raised) {
    /**
     * What {@code carillon log} asks for a call or a user.
     *
     * @param call a Call-ID, or the id of an application session; null for a user
     * @param user null for a call
     * @param level of the log
     * @param seconds until it ends by itself
     */
    public record Request(
            @Nullable String call, @Nullable String user, String level, long seconds) {}
}
