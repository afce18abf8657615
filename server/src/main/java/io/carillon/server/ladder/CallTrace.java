package io.carillon.server.ladder;

import java.util.List;

/**
 * One call as it was recorded, its secrets hidden. Immutable.
 *
 * @param id the Call-ID that stands for it
 * @param legs the Call-IDs of all its legs, the first one first
 * @param applicationSessions ids of the application sessions that have it
 * @param node the server's name
 * @param beginningLost was a part overwritten?
 * @param events oldest first
 */
public record CallTrace(
        String id,
        List<String> legs,
        List<String> applicationSessions,
        String node,
        boolean beginningLost,
        List<TraceEvent> events) {}
