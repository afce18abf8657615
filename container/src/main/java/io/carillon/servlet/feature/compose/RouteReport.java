package io.carillon.servlet.feature.compose;

import java.util.List;

/**
 * Which applications an initial request would visit, and why. Immutable.
 *
 * @param method of the request
 * @param uri its Request-URI
 * @param from its From URI
 * @param router the file of the default router, "order of deployment", or the class of another
 * @param visits in order
 * @param rest entries that were looked at when no further application was found
 * @param end what becomes of the request behind the last application
 */
public record RouteReport(
        String method,
        String uri,
        String from,
        String router,
        List<Visit> visits,
        List<Look> rest,
        String end) {

    /**
     * One application.
     *
     * @param servlet that gets the request; empty when none of its mappings matches
     * @param region ORIGINATING, TERMINATING or NEUTRAL
     * @param subscriber URI, or empty
     * @param state what the router wants back with its next question
     * @param routes named by the router; each with its modifier
     * @param looks entries that were looked at, the last one led here
     */
    public record Visit(
            String application,
            String servlet,
            String region,
            String subscriber,
            String state,
            List<String> routes,
            List<Look> looks) {}

    /**
     * One entry of the router's file.
     *
     * @param line of the file; 0 without one
     * @param method the list it stands in
     * @param application empty for an entry that only routes on
     * @param taken or passed over
     * @param reason why
     */
    public record Look(int line, String method, String application, boolean taken, String reason) {}
}
