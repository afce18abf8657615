package io.carillon.sip.token;

import org.jspecify.annotations.Nullable;

/**
 * To which partition of a cluster a message belongs, by a short scan, without parsing it.
 *
 * <ul>
 *   <li>A response: by the branch in its top Via.
 *   <li>A request: by the token of a dialog in its top Route; else by its To tag; else by the token
 *       of a dialog or of an application session in its Request-URI or top Route; else by the hash
 *       of its Call-ID.
 * </ul>
 *
 * <p>Only what this cluster made under one of its keys is a token. Those of a Path never choose a
 * partition: all calls to a phone or by a trunk carry them. Nor does the To tag of a response that
 * was given without a transaction: its ACK goes where its INVITE went. All messages of a
 * transaction are in one partition: CANCEL and the ACK for a final response of 300 and above repeat
 * Request-URI, Route and Call-ID of their INVITE, and the To tag of such an ACK has the partition
 * of that INVITE, or of the session that took it.
 *
 * <p>An event loop is a partition modulo the number of loops.
 *
 * <p>Immutable; any thread.
 */
public final class Partitions {
    /** Characters of a token. */
    public static final int TOKEN_LENGTH = ClusterTokens.LENGTH;

    private static final int BY_SHIFT = 16;
    private static final int BY_BRANCH = 0;
    private static final int BY_ROUTE = 1 << BY_SHIFT;
    private static final int BY_TO_TAG = 2 << BY_SHIFT;
    private static final int BY_URI = 3 << BY_SHIFT;
    private static final int BY_CALL_ID = 4 << BY_SHIFT;

    private final ClusterTokens tokens;

    /** What of a message has said to which partition it belongs. */
    public enum By {
        BRANCH("the token in the branch of its top Via"),
        ROUTE("the token of its dialog in its top Route"),
        TO_TAG("the token in its To tag"),
        URI("the token in its Request-URI or top Route, of a dialog or an application session"),
        CALL_ID("the hash of its Call-ID");

        private final String words;

        By(String words) {
            this.words = words;
        }

        /** For people. */
        public String words() {
            return words;
        }
    }

    /**
     * @param number of the cluster
     * @param keys of its tokens
     */
    public Partitions(int number, ClusterKeys keys) {
        this(new ClusterTokens(number, keys));
    }

    Partitions(ClusterTokens tokens) {
        this.tokens = tokens;
    }

    /** The partition of a call that begins with this Call-ID. */
    public static int ofCallId(String callId) {
        return ofHash(MessageText.hash(callId));
    }

    /** The partition of an application session with that key. */
    public static int ofKey(String key) {
        return ofCallId(key);
    }

    private static int ofHash(int hash) {
        return hash & (Ownership.PARTITIONS - 1);
    }

    /** The partition in a tag, branch, Call-ID or parameter that this cluster made, or -1. */
    public int in(@Nullable String token) {
        if (token == null) {
            return -1;
        }
        int start =
                token.startsWith(ShardToken.MAGIC_COOKIE) ? ShardToken.MAGIC_COOKIE.length() : 0;
        return ClusterTokens.partition(tokens.read(token, start));
    }

    /**
     * Writes a token as a branch carries it behind the magic cookie: who passes a request on makes
     * the same one each time for the same hash (RFC 3261 section 16.11).
     *
     * @param text room for {@link #TOKEN_LENGTH} bytes
     * @param at where it begins
     */
    public void write(byte[] text, int at, int partition, long hash) {
        tokens.write(text, at, ClusterTokens.CALL, partition, hash);
    }

    /**
     * The partition for a message.
     *
     * @param message its bytes from the start line on
     * @param length how many of them count
     * @return 0 to {@link Ownership#PARTITIONS} - 1; garbage gets some partition, the same each
     *     time
     */
    public int of(byte[] message, int length) {
        return find(message, length) & (Ownership.PARTITIONS - 1);
    }

    /** By what {@link #of} has found the partition; for people who ask. */
    public By by(byte[] message, int length) {
        return switch (find(message, length) & ~(Ownership.PARTITIONS - 1)) {
            case BY_BRANCH -> By.BRANCH;
            case BY_ROUTE -> By.ROUTE;
            case BY_TO_TAG -> By.TO_TAG;
            case BY_URI -> By.URI;
            default -> By.CALL_ID;
        };
    }

    /** The partition, and above it by what it was found. */
    private int find(byte[] message, int length) {
        boolean response = MessageText.isResponse(message, length);
        int start = MessageText.lineEnd(message, 0, length);
        int byUri = response ? -1 : inUri(message, start);
        int byTo = -1;
        int callId = -1;
        boolean routeSeen = false;
        int at = start;
        while (at < length) {
            int end = MessageText.valueEnd(message, at, length);
            int colon = MessageText.colon(message, at, end);
            if (colon < 0) {
                break;
            }
            int name = MessageText.trimmedLength(message, at, colon);
            if (response && MessageText.isName(message, at, name, "via", 'v')) {
                int branch = inBranch(message, colon + 1, end);
                if (branch >= 0) {
                    return BY_BRANCH | ClusterTokens.partition(branch);
                }
                response = false; // only the top one counts; its Call-ID is as good as any
            } else if (!routeSeen && MessageText.isName(message, at, name, "route", '\0')) {
                routeSeen = true;
                int route = inParameter(message, colon + 1, end);
                if (is(route, ClusterTokens.ROUTE)) {
                    return BY_ROUTE | ClusterTokens.partition(route);
                }
                byUri = byUri < 0 ? route : byUri;
            } else if (MessageText.isName(message, at, name, "to", 't')) {
                byTo = inTag(message, colon + 1, end);
            } else if (MessageText.isName(message, at, name, "call-id", 'i')) {
                callId = MessageText.hash(message, colon + 1, end);
            }
            at = end;
        }
        if (is(byTo, ClusterTokens.CALL)) {
            return BY_TO_TAG | ClusterTokens.partition(byTo);
        }
        boolean marked = is(byUri, ClusterTokens.ROUTE) || is(byUri, ClusterTokens.URI);
        return marked ? BY_URI | ClusterTokens.partition(byUri) : BY_CALL_ID | ofHash(callId);
    }

    private static boolean is(int read, char kind) {
        return read >= 0 && ClusterTokens.kind(read) == kind;
    }

    /** By a strict router the Request-URI is what we put into Record-Route. */
    private int inUri(byte[] b, int lineEnd) {
        int from = 0;
        while (from < lineEnd && b[from] != ' ') {
            from++;
        }
        int to = from + 1;
        while (to < lineEnd && b[to] != ' ' && b[to] != '?') {
            to++;
        }
        return to > lineEnd ? -1 : inParameter(b, from, to);
    }

    private int inParameter(byte[] b, int from, int to) {
        int value = MessageText.parameter(b, from, to, ShardToken.ROUTE_PARAM);
        return value < 0 ? -1 : tokens.read(b, value, MessageText.wordEnd(b, value, to));
    }

    private int inTag(byte[] b, int from, int to) {
        int value = MessageText.tag(b, from, to);
        return value < 0 ? -1 : tokens.read(b, value, MessageText.wordEnd(b, value, to));
    }

    private int inBranch(byte[] b, int from, int to) {
        int value = MessageText.parameter(b, from, to, "branch");
        if (value < 0) {
            return -1;
        }
        int end = MessageText.wordEnd(b, value, to);
        String cookie = ShardToken.MAGIC_COOKIE;
        for (int i = 0; i < cookie.length(); i++) {
            if (value + i >= end || b[value + i] != cookie.charAt(i)) {
                return -1;
            }
        }
        return tokens.read(b, value + cookie.length(), end);
    }
}
