package io.carillon.sip.token;

import java.util.function.BooleanSupplier;

/**
 * Makes the tags, branches and Call-IDs of a shard. In a cluster each carries the partition of the
 * call that it is made for; a server that is alone has none, and they carry the shard.
 *
 * <p>Any thread; on the shard's they are written in room that is made once.
 */
public final class Tokens {
    /** Room for the longest text that is made here. */
    private static final int ROOM =
            ShardToken.MOST_BYTES - ShardToken.LENGTH + ClusterTokens.LENGTH;

    private final OwnTokens own;
    private final int shard;
    private final BooleanSupplier inShard;
    private final RandomSource random;
    private final OwnMarks marks;
    private final byte[] room = new byte[ROOM];

    /**
     * @param inShard is this the shard's thread?
     */
    public Tokens(
            OwnTokens own,
            int shard,
            BooleanSupplier inShard,
            RandomSource random,
            OwnMarks marks) {
        this.marks = marks;
        this.own = own;
        this.shard = shard;
        this.inShard = inShard;
        this.random = random;
    }

    /** Which tokens are ours. */
    public OwnTokens own() {
        return own;
    }

    /** A partition of this shard for a call that begins here; -1 without a cluster. */
    public int newPartition() {
        ClusterPlace place = own.cluster();
        return place == null ? -1 : place.ownedOn(shard, random.nextLong());
    }

    /** May a call begin on this shard? */
    public boolean acts() {
        ClusterPlace place = own.cluster();
        return place == null || place.actsOn(shard);
    }

    /** What stands in a token of that call: the partition, or without a cluster the shard. */
    private int home(int partition) {
        if (own.cluster() == null) {
            return shard;
        }
        return partition < 0 ? newPartition() : partition;
    }

    /**
     * A fresh tag.
     *
     * @param partition of the call; -1 for one that is of no call, and without a cluster
     */
    public String tag(int partition) {
        return own.token(ClusterTokens.CALL, home(partition), random.nextLong(), room());
    }

    /**
     * A fresh branch.
     *
     * @param partition as in {@link #tag}
     * @param loopHash the hash of loop detection; 0 for none
     */
    public String branch(int partition, long loopHash) {
        return own.branch(home(partition), random.nextLong(), loopHash, room());
    }

    /**
     * A fresh branch for an INVITE of ours, marked so that its late answers are known.
     *
     * @param partition as in {@link #tag}
     * @param loopHash the hash of loop detection; 0 for none
     * @param fromTag empty where it has none
     */
    public String inviteBranch(
            int partition, long loopHash, String callId, String fromTag, long cseq, long nowNanos) {
        long chance = marks.ofInvite(random.nextLong(), callId, fromTag, cseq, nowNanos);
        return own.branch(home(partition), chance, loopHash, room());
    }

    /**
     * The number of the INVITE with these identifiers which we sent with that very branch not too
     * long ago; 0 when we did not.
     */
    public long inviteOf(String branch, String callId, String fromTag, long cseq, long nowNanos) {
        int home = own.home(branch);
        long chance = own.chance(branch);
        if (home < 0 || !marks.isOfInvite(chance, callId, fromTag, cseq, nowNanos)) {
            return 0;
        }
        // Nothing more may stand in it, or one INVITE would be as many as somebody likes.
        long loopHash = ShardToken.loopHash(branch);
        return branch.equals(own.branch(home, chance, loopHash, room())) ? chance : 0;
    }

    /**
     * A token for a Record-Route of ours in a dialog of that Call-ID.
     *
     * @param partition as in {@link #tag}
     */
    public String route(int partition, String callId, long nowNanos) {
        long chance = marks.ofRoute(random.nextLong(), callId, nowNanos);
        return own.token(ClusterTokens.ROUTE, home(partition), chance, room());
    }

    /** A token for a Path of ours: it leads to no partition. */
    public String path() {
        return own.token(ClusterTokens.PATH, shard, random.nextLong(), room());
    }

    /**
     * A token for a URI that stands for an application session.
     *
     * @param partition of that session
     */
    public String uri(int partition) {
        return own.token(ClusterTokens.URI, home(partition), random.nextLong(), room());
    }

    /** Is that the token of a Record-Route that we put into a request of that Call-ID? */
    public boolean isRoute(String token, String callId) {
        return own.isOne(token) && marks.isOfRoute(own.chance(token), callId);
    }

    /** Is it such a token, and not older than 10 to 15 minutes? */
    public boolean isRecentRoute(String token, String callId, long nowNanos) {
        return own.isOne(token) && marks.isOfRecentRoute(own.chance(token), callId, nowNanos);
    }

    /**
     * The branch that always stands for these two hashes (RFC 3261 section 16.11).
     *
     * @param partition as in {@link #tag}
     */
    public String branchOf(int partition, long hash, long loopHash) {
        return own.branch(home(partition), hash, loopHash, room());
    }

    /**
     * A fresh Call-ID.
     *
     * @param partition as in {@link #tag}
     */
    public String callId(int partition) {
        return tag(partition) + Long.toString(random.nextLong() >>> 1, 36);
    }

    private byte[] room() {
        return inShard.getAsBoolean() ? room : new byte[ROOM];
    }
}
