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
 * @param cluster where else it is; null for a server that is alone
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
        List<Session> sessions,
        @Nullable Cluster cluster) {

    /**
     * A call of a cluster: who has it, and what would be left of it without this node.
     *
     * @param partition that it belongs to
     * @param term in which its owner has that
     * @param owner number of the node that has it; -1 where nobody has it now
     * @param next number of the node that would go on with it; -1 for none
     * @param node number of the node that says this
     * @param recordAgeMillis since when two nodes hold its last state; null where none do
     * @param unprotected why it would not outlive its node; null where it would
     * @param leftOut what of it would be lost in any case: where it is, and its class
     * @param waiting messages that wait for its record
     * @param takenOver how it came here; null for a call that began here
     */
    public record Cluster(
            int partition,
            long term,
            int owner,
            int next,
            int node,
            @Nullable Long recordAgeMillis,
            @Nullable String unprotected,
            List<String> leftOut,
            int waiting,
            @Nullable TakenOver takenOver) {}

    /**
     * It began at another node.
     *
     * @param from number of the node whose record it was made of; -1 where that is not known
     * @param term of its partition from then on
     * @param recordAgeMillis how old the record was; -1 where that is not known
     */
    public record TakenOver(int from, long term, long recordAgeMillis) {}

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
