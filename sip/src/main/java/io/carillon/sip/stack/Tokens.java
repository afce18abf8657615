package io.carillon.sip.stack;

/**
 * Makes the tags, branches and Call-IDs of a shard.
 *
 * <p>Any thread; on the shard's they are written in room that is made once.
 */
final class Tokens {
    private final int node;
    private final int shard;
    private final ShardExecutor executor;
    private final RandomSource random;
    private final byte[] own = new byte[ShardToken.MOST_BYTES];

    Tokens(int node, int shard, ShardExecutor executor, RandomSource random) {
        this.node = node;
        this.shard = shard;
        this.executor = executor;
        this.random = random;
    }

    String tag() {
        return ShardToken.encode(node, shard, random.nextLong(), room());
    }

    /**
     * A fresh branch.
     *
     * @param loopHash the hash of loop detection; 0 for none
     */
    String branch(long loopHash) {
        return ShardToken.branch(node, shard, random.nextLong(), loopHash, room());
    }

    /** The branch that always stands for these two hashes (RFC 3261 section 16.11). */
    String branchOf(long hash, long loopHash) {
        return ShardToken.branch(node, shard, hash, loopHash, room());
    }

    String callId() {
        return tag() + Long.toString(random.nextLong() >>> 1, 36);
    }

    private byte[] room() {
        return executor.inShard() ? own : new byte[ShardToken.MOST_BYTES];
    }
}
