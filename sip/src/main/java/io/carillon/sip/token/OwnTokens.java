package io.carillon.sip.token;

import org.jspecify.annotations.Nullable;

/**
 * Which tokens are our own: those of this node, or of all nodes of its cluster; and where they
 * lead: to a shard of this node, or to a partition of the cluster. A token tells where something
 * is, never whose it is: what it leads to may be on another node.
 *
 * <p>Immutable; any thread.
 */
public final class OwnTokens {
    private final int node;
    private final @Nullable ClusterPlace place;
    private final @Nullable ClusterTokens sealed;
    private final @Nullable Partitions partitions;

    private OwnTokens(int node, @Nullable ClusterPlace place) {
        this.node = node;
        this.place = place;
        this.sealed = place == null ? null : new ClusterTokens(place.number(), place.keys());
        this.partitions = sealed == null ? null : new Partitions(sealed);
    }

    /** Of a server that is alone, with that number. */
    public static OwnTokens ofNode(int number) {
        return new OwnTokens(number, null);
    }

    /** Of a cluster. */
    public static OwnTokens ofCluster(ClusterPlace place) {
        return new OwnTokens(0, place);
    }

    /** The cluster; null for a server that is alone. */
    public @Nullable ClusterPlace cluster() {
        return place;
    }

    /** Who tells the partition of a message; null for a server that is alone. */
    public @Nullable Partitions partitions() {
        return partitions;
    }

    /** The number that the front of each token hides: of the node, or of the cluster. */
    public int number() {
        return place == null ? node : place.number();
    }

    /** Characters of a token. */
    public int length() {
        return sealed == null ? ShardToken.LENGTH : ClusterTokens.LENGTH;
    }

    /**
     * The parameter of a Path that carries a token of ours. In a cluster it is not the one of a
     * Record-Route: the kernel, which knows no kinds, must not choose by it.
     */
    public String pathParameter() {
        return sealed == null ? ShardToken.ROUTE_PARAM : ClusterTokens.PATH_PARAM;
    }

    // Reading

    /** Does the text begin with a token of ours, or with the magic cookie and one? */
    public boolean begins(String text) {
        return partitions == null ? ShardToken.decode(node, text) >= 0 : partitions.in(text) >= 0;
    }

    /** As {@link #begins(String)}, of bytes. */
    public boolean begins(byte[] text, int from, int to) {
        if (sealed == null) {
            return ShardToken.decode(node, text, from, to) >= 0;
        }
        int cookie = ShardToken.MAGIC_COOKIE.length();
        boolean branch = to - from > cookie && text[from] == ShardToken.MAGIC_COOKIE.charAt(0);
        return sealed.read(text, branch ? from + cookie : from, to) >= 0;
    }

    /** Is the whole text one token of ours? What only begins with one is none that we gave. */
    public boolean isOne(String text) {
        return text.length() == length() && begins(text);
    }

    /** Is it a To tag of a response without a transaction? */
    public boolean isStateless(String tag) {
        return sealed == null
                ? ShardToken.isStateless(node, tag)
                : tag.length() == ClusterTokens.LENGTH && isStateless(sealed.read(tag, 0));
    }

    /** As {@link #isStateless(String)}, of bytes. */
    public boolean isStateless(byte[] text, int from, int to) {
        return sealed == null
                ? ShardToken.isStateless(node, text, from, to)
                : to - from == ClusterTokens.LENGTH && isStateless(sealed.read(text, from, to));
    }

    private static boolean isStateless(int read) {
        return read >= 0 && ClusterTokens.kind(read) == ClusterTokens.STATELESS;
    }

    /** The shard or the partition that a token or branch leads to, or -1. */
    int home(String text) {
        return partitions == null ? ShardToken.decode(node, text) : partitions.in(text);
    }

    long chance(String text) {
        return sealed == null
                ? ShardToken.chance(text)
                : ShardToken.chance(text, ClusterTokens.MARK, ClusterTokens.LENGTH);
    }

    /** The partition in a tag, branch or parameter of ours; -1 for none, and without a cluster. */
    public int partitionIn(@Nullable String token) {
        return partitions == null ? -1 : partitions.in(token);
    }

    // Choosing

    /** The partition of a message; -1 without a cluster. */
    public int partitionOf(byte[] message, int length) {
        return partitions == null ? -1 : partitions.of(message, length);
    }

    /**
     * The shard for a message.
     *
     * @param shards how many there are
     */
    public int shardOf(byte[] message, int length, int shards) {
        if (shards <= 1) {
            return 0;
        }
        return partitions == null
                ? ShardSelector.shardOf(message, length, shards, node)
                : partitions.of(message, length) % shards;
    }

    /**
     * The shard that a branch of ours leads to, or -1.
     *
     * @param shards how many there are
     */
    public int shardOfBranch(String branch, int shards) {
        int home = home(branch);
        return place == null ? (home < shards ? home : -1) : home < 0 ? -1 : home % shards;
    }

    /** May this node act for a partition now? For -1, which is none, it may. */
    public boolean owns(int partition) {
        return place == null || partition < 0 || place.ownership().owns(partition);
    }

    /** May this node act for a partition that it does not lose meanwhile? For -1 it may. */
    public boolean mayOwnAgain(int partition) {
        return place == null || partition < 0 || place.ownership().mayOwnAgain(partition);
    }

    /** May something begin in a partition that is not found here? For -1 it may. */
    public boolean mayBegin(int partition) {
        return place == null || partition < 0 || place.ownership().mayBegin(partition);
    }

    /** How often a partition has changed its owner; 0 without a cluster. */
    public long term(int partition) {
        return place == null || partition < 0 ? 0 : place.ownership().term(partition);
    }

    /** May something begin in a partition here now? For -1, which is none, it may. */
    public boolean takesNewWork(int partition) {
        return place == null || partition < 0 || place.ownership().takesNewWork(partition);
    }

    // Writing

    /** A token; its kind is told in a cluster only. */
    String token(char kind, int home, long chance, byte[] room) {
        return sealed == null
                ? ShardToken.encode(node, home, chance, room)
                : sealed.text(kind, home, chance, room);
    }

    String branch(int home, long chance, long loopHash, byte[] room) {
        if (sealed == null) {
            return ShardToken.branch(node, home, chance, loopHash, room);
        }
        sealed.write(room, ShardToken.MAGIC_COOKIE.length(), ClusterTokens.CALL, home, chance);
        return ShardToken.branch(room, ClusterTokens.LENGTH, loopHash);
    }

    /** A To tag for a response without a transaction. */
    public String stateless(int shard, long hash) {
        return sealed == null
                ? ShardToken.encodeStateless(node, shard, hash)
                : sealed.text(ClusterTokens.STATELESS, shard, hash, new byte[ClusterTokens.LENGTH]);
    }

    /** As {@link #stateless}, into {@link #length} bytes. */
    public void writeStateless(byte[] text, int at, int shard, long hash) {
        if (sealed == null) {
            ShardToken.writeStateless(text, at, node, shard, hash);
        } else {
            sealed.write(text, at, ClusterTokens.STATELESS, shard, hash);
        }
    }
}
