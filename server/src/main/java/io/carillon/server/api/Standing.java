package io.carillon.server.api;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * How things stand that a change is about, for the audit log: of a long list of accounts, users,
 * tokens or bans the few that matter, as a line of the log is short. What is no list stays as it
 * is. Stateless.
 */
final class Standing {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Standing() {}

    /**
     * Those of a list that have that text as a member.
     *
     * @param target a name, an id or an address; empty: all
     */
    static @Nullable String of(@Nullable String list, String target) {
        return target.isEmpty()
                ? list
                : only(list, one -> one.valueStream().anyMatch(value -> is(value, target)));
    }

    private static boolean is(JsonNode value, String target) {
        // A network of IPv6 is named by its first address too.
        return value.isString()
                && (value.asString().equals(target) || value.asString().startsWith(target + "/"));
    }

    /** Those of a list that were not in the one before: what is new, or is another than before. */
    static @Nullable String changed(@Nullable String before, @Nullable String after) {
        JsonNode old = read(before);
        if (old == null || !old.isArray()) {
            return after;
        }
        return only(after, one -> old.valueStream().noneMatch(one::equals));
    }

    private static @Nullable String only(@Nullable String list, Predicate<JsonNode> wanted) {
        JsonNode all = read(list);
        if (all == null || !all.isArray()) {
            return list;
        }
        ArrayNode some = JSON.createArrayNode();
        all.valueStream().filter(wanted).forEach(some::add);
        return some.toString();
    }

    private static @Nullable JsonNode read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return null; // words
        }
    }
}
