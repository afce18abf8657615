package io.carillon.server.trace;

import org.jspecify.annotations.Nullable;

/**
 * What {@code trace on} asks for: one of the first five, and limits.
 *
 * @param callId a Call-ID, or the id of an application session
 * @param user who calls or is called
 * @param peer an address, perhaps with a port
 * @param percent of all calls
 * @param all every call
 * @param seconds until it ends by itself; null: as configured
 * @param calls after which it takes no more; null: as configured
 */
public record TraceRequest(
        @Nullable String callId,
        @Nullable String user,
        @Nullable String peer,
        @Nullable Double percent,
        boolean all,
        @Nullable Long seconds,
        @Nullable Integer calls) {

    /**
     * The choice.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    TraceRule.Choice choice() {
        int given =
                (callId != null ? 1 : 0)
                        + (user != null ? 1 : 0)
                        + (peer != null ? 1 : 0)
                        + (percent != null ? 1 : 0)
                        + (all ? 1 : 0);
        if (given != 1) {
            throw new IllegalArgumentException(
                    "say which calls: one of --call-id, --user, --peer, --percent and --all");
        }
        if (callId != null) {
            return new TraceRule.ByCallId(filled("--call-id", callId));
        }
        if (user != null) {
            return TraceRuleText.user(filled("--user", user));
        }
        if (peer != null) {
            TraceRule.Choice choice = TraceRuleText.peer(peer);
            if (choice == null) {
                throw new IllegalArgumentException(
                        "--peer '"
                                + peer
                                + "' is no address; one in digits is needed, as 192.0.2.1,"
                                + " 192.0.2.1:5060 or [2001:db8::1]:5060");
            }
            return choice;
        }
        if (percent != null) {
            if (!(percent > 0 && percent <= 100)) {
                throw new IllegalArgumentException("--percent has to be above 0 and at most 100");
            }
            return new TraceRule.Share(percent);
        }
        return new TraceRule.All();
    }

    private static String filled(String option, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(option + " is empty");
        }
        return text.strip();
    }
}
