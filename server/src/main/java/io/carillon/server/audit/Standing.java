package io.carillon.server.audit;

import java.util.List;
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
public final class Standing {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Standing() {}

    /**
     * Those of a list that have that text as a member.
     *
     * @param target a name, an id or an address; empty: all
     */
    public static @Nullable String of(@Nullable String list, String target) {
        return target.isEmpty() ? list : only(list, one -> has(one, target));
    }

    private static boolean is(JsonNode value, String target) {
        // A network of IPv6 is named by its first address too.
        return value.isString()
                && (value.asString().equals(target) || value.asString().startsWith(target + "/"));
    }

    /**
     * Those of a list that were not in the one before: what is new, or is another than before. With
     * a target that is it, and who was not there before: of others a count may have changed by
     * itself, as that of calls.
     *
     * @param target as above
     */
    public static @Nullable String changed(
            @Nullable String before, @Nullable String after, String target) {
        JsonNode old = read(before);
        if (old == null || !old.isArray()) {
            return after;
        }
        return target.isEmpty()
                ? only(after, one -> old.valueStream().noneMatch(one::equals))
                : only(
                        after,
                        one ->
                                has(one, target)
                                        || old.valueStream().noneMatch(other -> same(one, other)));
    }

    private static boolean has(JsonNode one, String target) {
        return one.valueStream().anyMatch(value -> is(value, target));
    }

    /** By what they are called. */
    private static boolean same(JsonNode one, JsonNode other) {
        for (String called : List.of("id", "name", "address")) {
            if (one.path(called).isString()) {
                return one.path(called).equals(other.path(called));
            }
        }
        return one.equals(other);
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
