package io.carillon.server.audit;

import org.jspecify.annotations.Nullable;

/**
 * A line of the audit log. Immutable.
 *
 * @param time ISO 8601 in UTC
 * @param id the same for the two lines of one change: before it, and after it
 * @param stage begun, done, failed or refused
 * @param who the account, or the user of the control socket; empty: nobody was known
 * @param way how he showed who he is: password, token, session, oidc, socket, signal, command; none
 * @param from address, or the socket
 * @param what the operation
 * @param on what it was done to; may be empty
 * @param asked what was asked for, without passwords; may be empty
 * @param before how it was; null: not known, or does not matter
 * @param after how it is
 * @param status of HTTP; 0 elsewhere
 * @param result a sentence; may be empty
 * @param unwritten refusals before this one that were only counted, as there were too many
 */
public record AuditEntry(
        String time,
        String id,
        String stage,
        String who,
        String way,
        String from,
        String what,
        String on,
        String asked,
        @Nullable String before,
        @Nullable String after,
        int status,
        String result,
        long unwritten) {
    /** Text of one part; more is cut. */
    static final int LONGEST = 4_096;

    /** The parts as short as they may be. */
    public AuditEntry {
        who = cut(who);
        from = cut(from);
        on = cut(on);
        asked = cut(asked);
        before = before == null ? null : cut(before);
        after = after == null ? null : cut(after);
        result = cut(result);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
