package io.carillon.sip.token;

/**
 * Finds the shard of a datagram by a short scan, without parsing it: a response goes where its top
 * Via's branch says; a request where the top Route's parameter says, else its To tag, else the hash
 * of its Call-ID. All messages that find the same transaction choose the same shard: CANCEL and the
 * ACK for a final response of 300 and above repeat Route and Call-ID of their INVITE, and the To
 * tag of such an ACK was made by that shard or is no token of ours.
 *
 * <p>Stateless; any thread.
 */
public final class ShardSelector {
    /**
     * The hash of a Call-ID begins with this. It takes each character by exclusive or and is
     * multiplied with {@link #HASH_FACTOR} (FNV-1a); at the end it takes itself shifted to the
     * right by {@link #HASH_SHIFT}, is multiplied with {@link #HASH_FINISH} and takes itself
     * shifted by {@link #HASH_LAST_SHIFT}. The shard is the remainder of the unsigned number.
     */
    public static final int HASH_START = 0x811C9DC5;

    /** See {@link #HASH_START}. */
    public static final int HASH_FACTOR = 0x01000193;

    /** See {@link #HASH_START}. */
    public static final int HASH_SHIFT = 15;

    /** See {@link #HASH_START}. */
    public static final int HASH_FINISH = 0x2C1B3C6D;

    /** See {@link #HASH_START}. */
    public static final int HASH_LAST_SHIFT = 13;

    private ShardSelector() {}

    /** The shard among so many, for tokens of node 0. */
    public static int shardOf(byte[] datagram, int length, int shards) {
        return shardOf(datagram, length, shards, 0);
    }

    /**
     * The shard for a message.
     *
     * @param node number of this node, see {@code StackConfig.nodeId}
     * @return 0 to shards - 1; garbage gets some shard, the same each time
     */
    public static int shardOf(byte[] message, int length, int shards, int node) {
        if (shards <= 1) {
            return 0;
        }
        boolean response = MessageText.isResponse(message, length);
        int byTo = -1;
        int byCallId = -1;
        boolean routeSeen = false;
        int at = MessageText.lineEnd(message, 0, length);
        while (at < length) {
            int end = MessageText.valueEnd(message, at, length);
            int colon = MessageText.colon(message, at, end);
            if (colon < 0) {
                break;
            }
            int nameLength = MessageText.trimmedLength(message, at, colon);
            if (response && MessageText.isName(message, at, nameLength, "via", 'v')) {
                int value = MessageText.parameter(message, colon + 1, end, "branch");
                int shard = shard(message, value, end, node);
                if (shard >= 0 && shard < shards) {
                    return shard;
                }
                response = false; // only the top one counts; its Call-ID is as good as any
            } else if (!routeSeen && MessageText.isName(message, at, nameLength, "route", '\0')) {
                routeSeen = true;
                int value = MessageText.parameter(message, colon + 1, end, ShardToken.ROUTE_PARAM);
                int shard = shard(message, value, end, node);
                if (shard >= 0 && shard < shards) {
                    return shard;
                }
            } else if (MessageText.isName(message, at, nameLength, "to", 't')) {
                byTo = shard(message, MessageText.tag(message, colon + 1, end), end, node);
            } else if (MessageText.isName(message, at, nameLength, "call-id", 'i')) {
                byCallId = MessageText.hash(message, colon + 1, end);
            }
            at = end;
        }
        if (byTo >= 0 && byTo < shards) {
            return byTo;
        }
        return Integer.remainderUnsigned(byCallId, shards);
    }

    /** The shard to which a Call-ID hashes: the home of an initial request. */
    public static int shardOf(String callId, int shards) {
        return Integer.remainderUnsigned(MessageText.hash(callId), shards);
    }

    private static int shard(byte[] b, int value, int end, int node) {
        return value < 0
                ? -1
                : ShardToken.decode(node, b, value, MessageText.wordEnd(b, value, end));
    }
}
