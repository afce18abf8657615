package io.carillon.sip.token;

import java.util.function.BooleanSupplier;

/**
 * Makes the tags, branches and Call-IDs of a shard.
 *
 * <p>Any thread; on the shard's they are written in room that is made once.
 */
public final class Tokens {
    private final int node;
    private final int shard;
    private final BooleanSupplier inShard;
    private final RandomSource random;
    private final OwnMarks marks;
    private final byte[] own = new byte[ShardToken.MOST_BYTES];

    /**
     * @param inShard is this the shard's thread?
     */
    public Tokens(
            int node, int shard, BooleanSupplier inShard, RandomSource random, OwnMarks marks) {
        this.marks = marks;
        this.node = node;
        this.shard = shard;
        this.inShard = inShard;
        this.random = random;
    }

    public String tag() {
        return ShardToken.encode(node, shard, random.nextLong(), room());
    }

    /**
     * A fresh branch.
     *
     * @param loopHash the hash of loop detection; 0 for none
     */
    public String branch(long loopHash) {
        return ShardToken.branch(node, shard, random.nextLong(), loopHash, room());
    }

    /**
     * A fresh branch for an INVITE of ours, marked so that its late answers are known.
     *
     * @param loopHash the hash of loop detection; 0 for none
     * @param fromTag empty where it has none
     */
    public String inviteBranch(
            long loopHash, String callId, String fromTag, long cseq, long nowNanos) {
        long chance = marks.ofInvite(random.nextLong(), callId, fromTag, cseq, nowNanos);
        return ShardToken.branch(node, shard, chance, loopHash, room());
    }

    /**
     * The number of the INVITE with these identifiers which we sent with that very branch not too
     * long ago; 0 when we did not.
     */
    public long inviteOf(String branch, String callId, String fromTag, long cseq, long nowNanos) {
        int home = ShardToken.decode(node, branch);
        long chance = ShardToken.chance(branch);
        if (home < 0 || !marks.isOfInvite(chance, callId, fromTag, cseq, nowNanos)) {
            return 0;
        }
        // Nothing more may stand in it, or one INVITE would be as many as somebody likes.
        long loopHash = ShardToken.loopHash(branch);
        return branch.equals(ShardToken.branch(node, home, chance, loopHash, room())) ? chance : 0;
    }

    /** A token for a Record-Route of ours in a dialog of that Call-ID. */
    public String route(String callId, long nowNanos) {
        long chance = marks.ofRoute(random.nextLong(), callId, nowNanos);
        return ShardToken.encode(node, shard, chance, room());
    }

    /** Is that the token of a Record-Route that we put into a request of that Call-ID? */
    public boolean isRoute(String token, String callId) {
        return ShardToken.isWhole(node, token) && marks.isOfRoute(ShardToken.chance(token), callId);
    }

    /** Is it such a token, and not older than 10 to 15 minutes? */
    public boolean isRecentRoute(String token, String callId, long nowNanos) {
        return ShardToken.isWhole(node, token)
                && marks.isOfRecentRoute(ShardToken.chance(token), callId, nowNanos);
    }

    /** The branch that always stands for these two hashes (RFC 3261 section 16.11). */
    public String branchOf(long hash, long loopHash) {
        return ShardToken.branch(node, shard, hash, loopHash, room());
    }

    public String callId() {
        return tag() + Long.toString(random.nextLong() >>> 1, 36);
    }

    private byte[] room() {
        return inShard.getAsBoolean() ? own : new byte[ShardToken.MOST_BYTES];
    }
}
