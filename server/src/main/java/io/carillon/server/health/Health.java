package io.carillon.server.health;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one probe is answered. A value.
 *
 * @param up whether every check is
 * @param checks what was looked at
 */
public record Health(boolean up, List<Check> checks) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * One of the things that are looked at.
     *
     * @param name as in {@code database}
     * @param up whether it is as it should be
     * @param detail a word or a sentence; no address, user or secret, as everybody may read it
     */
    public record Check(String name, boolean up, String detail) {}

    /** Up when all checks are. */
    public static Health of(List<Check> checks) {
        return new Health(checks.stream().allMatch(Check::up), List.copyOf(checks));
    }

    /** As JSON. */
    public String json() {
        return JSON.writeValueAsString(this);
    }
}
