package io.carillon.server.ladder;

import java.util.List;

/**
 * What {@code trace list} shows.
 *
 * @param traces those that are on
 * @param calls what was recorded, the latest first
 * @param recordedCalls how many calls there are, of which some are listed
 * @param bytes in use
 * @param capacity of the buffer
 */
public record TracedCalls(
        List<On> traces, List<Call> calls, int recordedCalls, long bytes, long capacity) {

    /**
     * A trace that is on.
     *
     * @param number for {@code trace off}
     * @param what which calls
     * @param who switched it on
     * @param secondsLeft until it ends by itself
     * @param calls taken up so far
     * @param mostCalls after which it takes no more
     */
    public record On(
            int number, String what, String who, long secondsLeft, int calls, int mostCalls) {}

    /**
     * A recorded call.
     *
     * @param id the Call-ID that stands for it
     * @param legs how many Call-IDs it has
     * @param from the caller; empty when its request is no longer there
     * @param to whom
     * @param method that began it
     * @param began time of the oldest event that is kept
     * @param events how many are kept
     */
    public record Call(
            String id, int legs, String from, String to, String method, String began, int events) {}
}
