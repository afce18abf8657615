package io.carillon.server.calls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code calls} shows.
 *
 * @param held calls there are
 * @param matching calls that the filters let through
 * @param calls of those, the longest first, as many as were asked for
 * @param next where the next page begins; null: there is none
 */
public record CallList(int held, int matching, List<Call> calls, @Nullable String next) {

    /**
     * A call: one application session with its SIP sessions.
     *
     * @param id of the application session
     * @param callIds of its legs, the first one first
     * @param from who began it
     * @param to whom
     * @param state of its legs: initial, early, confirmed or terminated; that of the leg that is
     *     least far
     * @param seconds since its first leg began
     * @param application its name
     * @param legs how many SIP sessions it has
     * @param node this server's name
     * @param began when, ISO 8601
     */
    public record Call(
            String id,
            List<String> callIds,
            String from,
            String to,
            String state,
            long seconds,
            String application,
            int legs,
            String node,
            String began) {}

    /**
     * Which calls are wanted; empty text and 0 let all through.
     *
     * @param user who calls or is called, anywhere in the call
     * @param state as above
     * @param application its name
     * @param longerThanSeconds for calls that hang
     * @param most how many are listed
     * @param text anywhere in what is listed of a call, in whatever case; null or empty: none
     * @param after {@link CallList#next} of the page before; null or empty: the first page
     */
    public record Filter(
            String user,
            String state,
            String application,
            long longerThanSeconds,
            int most,
            @Nullable String text,
            @Nullable String after) {
        /** Without text, and the first page. */
        public Filter(
                String user, String state, String application, long longerThanSeconds, int most) {
            this(user, state, application, longerThanSeconds, most, null, null);
        }
    }
}
