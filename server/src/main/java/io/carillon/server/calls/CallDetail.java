package io.carillon.server.calls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything of one call, but no value that an application keeps.
 *
 * @param id of the application session
 * @param application its name
 * @param version of the application
 * @param key by which the application finds it, or null
 * @param node this server's name
 * @param shard where it is at home
 * @param ageSeconds since it was made
 * @param expiresInSeconds until it expires; null: never
 * @param attributes of the application session
 * @param timers that the application set
 * @param sessions its legs
 */
public record CallDetail(
        String id,
        String application,
        int version,
        @Nullable String key,
        String node,
        int shard,
        long ageSeconds,
        @Nullable Long expiresInSeconds,
        List<Attribute> attributes,
        List<Timer> timers,
        List<Session> sessions) {

    /** An attribute: its name and the class of its value. */
    public record Attribute(String name, String type) {}

    /**
     * A timer of the application.
     *
     * @param dueInMillis may be below 0 when it waits for the turn
     * @param info class of what it carries, or null
     */
    public record Timer(String id, long dueInMillis, boolean persistent, @Nullable String info) {}

    /**
     * One SIP session.
     *
     * @param role uac, uas, proxy or none
     * @param linked the id of the session that a B2BUA linked it with, or null
     * @param routing the router's region
     * @param dialog null before there is one, and for a proxy
     * @param open transactions that wait for something
     */
    public record Session(
            String id,
            String callId,
            String role,
            String state,
            String local,
            String remote,
            String handler,
            @Nullable String linked,
            String routing,
            @Nullable Leg dialog,
            List<Attribute> attributes,
            List<String> open) {}

    /**
     * A dialog.
     *
     * @param localCSeq number of our last request
     * @param remoteCSeq number of the peer's last; -1 before there was one
     * @param remoteTarget where requests go
     * @param routes in between, the next first
     * @param secure by sips
     */
    public record Leg(
            String state,
            String localTag,
            String remoteTag,
            long localCSeq,
            long remoteCSeq,
            String remoteTarget,
            List<String> routes,
            boolean secure) {}
}
