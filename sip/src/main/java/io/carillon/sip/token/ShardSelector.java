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
        boolean response =
                length > 7 && message[0] == 'S' && message[3] == '/' && message[7] == ' ';
        int byTo = -1;
        int byCallId = -1;
        boolean routeSeen = false;
        int at = lineEnd(message, 0, length);
        while (at < length) {
            int end = valueEnd(message, at, length);
            int colon = colon(message, at, end);
            if (colon < 0) {
                break;
            }
            int nameLength = trimmedLength(message, at, colon);
            if (response && isName(message, at, nameLength, "via", 'v')) {
                int shard = parameter(message, colon + 1, end, "branch", node);
                if (shard >= 0 && shard < shards) {
                    return shard;
                }
                response = false; // only the top one counts; its Call-ID is as good as any
            } else if (!routeSeen && isName(message, at, nameLength, "route", '\0')) {
                routeSeen = true;
                int shard = parameter(message, colon + 1, end, ShardToken.ROUTE_PARAM, node);
                if (shard >= 0 && shard < shards) {
                    return shard;
                }
            } else if (isName(message, at, nameLength, "to", 't')) {
                byTo = headerParameter(message, colon + 1, end, node);
            } else if (isName(message, at, nameLength, "call-id", 'i')) {
                byCallId = hash(message, colon + 1, end);
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
        int h = HASH_START;
        for (int i = 0; i < callId.length(); i++) {
            h = (h ^ (callId.charAt(i) & 0xFF)) * HASH_FACTOR;
        }
        return Integer.remainderUnsigned(finish(h), shards);
    }

    private static int hash(byte[] b, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isSpace(b[start])) {
            start++;
        }
        while (end > start && isSpace(b[end - 1])) {
            end--;
        }
        int h = HASH_START;
        for (int i = start; i < end; i++) {
            h = (h ^ (b[i] & 0xFF)) * HASH_FACTOR;
        }
        return finish(h);
    }

    private static int finish(int h) {
        int half = (h ^ (h >>> HASH_SHIFT)) * HASH_FINISH;
        return half ^ (half >>> HASH_LAST_SHIFT);
    }

    /** Behind the line break at or after the position. */
    private static int lineEnd(byte[] b, int from, int length) {
        int i = from;
        while (i < length && b[i] != '\n') {
            i++;
        }
        return Math.min(i + 1, length);
    }

    /** Behind the header that begins here, its folded lines included. */
    private static int valueEnd(byte[] b, int from, int length) {
        int end = lineEnd(b, from, length);
        while (end < length && (b[end] == ' ' || b[end] == '\t')) {
            end = lineEnd(b, end, length);
        }
        return end;
    }

    private static int colon(byte[] b, int from, int to) {
        for (int i = from; i < to && b[i] != '\r' && b[i] != '\n'; i++) {
            if (b[i] == ':') {
                return i;
            }
        }
        return -1;
    }

    private static int trimmedLength(byte[] b, int from, int to) {
        int end = to;
        while (end > from && isSpace(b[end - 1])) {
            end--;
        }
        return end - from;
    }

    private static boolean isName(byte[] b, int at, int length, String name, char compact) {
        if (length == 1) {
            return (b[at] | 0x20) == compact;
        }
        return matches(b, at, length, name);
    }

    private static boolean matches(byte[] b, int at, int length, String lowerCase) {
        if (length != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = lowerCase.charAt(i);
            if (c == '-' ? b[at + i] != '-' : (b[at + i] | 0x20) != c) {
                return false;
            }
        }
        return true;
    }

    /** The shard in {@code ;name=token} of the first element, inside angle brackets or not. */
    private static int parameter(byte[] b, int from, int to, String name, int node) {
        boolean quoted = false;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted && c == '\\') {
                i++;
            } else if (!quoted && c == ',') {
                return -1;
            } else if (!quoted && c == ';') {
                int shard = valueOf(b, i + 1, to, name, node);
                if (shard != NOT_THIS) {
                    return shard;
                }
            }
        }
        return -1;
    }

    /** The shard in the tag outside of angle brackets. */
    private static int headerParameter(byte[] b, int from, int to, int node) {
        boolean quoted = false;
        boolean inBrackets = false;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted) {
                if (c == '\\') {
                    i++;
                }
            } else if (c == '<') {
                inBrackets = true;
            } else if (c == '>') {
                inBrackets = false;
            } else if (c == ';' && !inBrackets) {
                int shard = valueOf(b, i + 1, to, "tag", node);
                if (shard != NOT_THIS) {
                    return shard;
                }
            }
        }
        return -1;
    }

    private static final int NOT_THIS = -2;

    private static int valueOf(byte[] b, int from, int to, String name, int node) {
        int start = skipSpace(b, from, to);
        int end = start;
        while (end < to && isTokenByte(b[end])) {
            end++;
        }
        if (!matches(b, start, end - start, name)) {
            return NOT_THIS;
        }
        int equals = skipSpace(b, end, to);
        if (equals >= to || b[equals] != '=') {
            return -1;
        }
        int value = skipSpace(b, equals + 1, to);
        int valueEnd = value;
        while (valueEnd < to && isTokenByte(b[valueEnd])) {
            valueEnd++;
        }
        return ShardToken.decode(node, b, value, valueEnd);
    }

    private static int skipSpace(byte[] b, int from, int to) {
        int i = from;
        while (i < to && isSpace(b[i])) {
            i++;
        }
        return i;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isTokenByte(byte c) {
        return c > ' ' && c != ';' && c != '=' && c != ',' && c != '>' && c != '<' && c != '"'
                && c != '?';
    }
}
