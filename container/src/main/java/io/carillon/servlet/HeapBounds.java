package io.carillon.servlet;

import java.util.ArrayList;
import java.util.List;

/**
 * How the heap is divided among all that peers can make grow, so that a server at all its bounds at
 * once still lives. What is bound in percent of the heap is taken first, then what a collector
 * needs to work, what a server weighs without calls, and tables of fixed size; the rest is for
 * sessions, transactions and caches, each counted with what it was measured to hold. What
 * applications keep of their own is known to nobody, and not in it.
 *
 * <p>A value: any thread.
 *
 * @param heapBytes the largest heap
 * @param demand what was asked for
 * @param sessions bound of application sessions
 * @param transactions bound of transactions of all shards that begin something; those of dialogs
 *     may be a quarter more
 * @param cacheBytes what caches may hold together, at most what they ask for
 */
public record HeapBounds(
        long heapBytes, Demand demand, int sessions, long transactions, long cacheBytes) {

    /**
     * Measured: an application session with two SIP sessions, their dialogs and timers, and what
     * addresses of usual length add.
     */
    public static final int SESSION_BYTES = 3072;

    /**
     * Measured: what lingers of an INVITE that was proxied, for each of its two transactions, with
     * messages of usual length.
     */
    public static final int TRANSACTION_BYTES = 1536;

    /** Application sessions where nothing is configured and the heap has room. */
    public static final int USUAL_SESSIONS = 200_000;

    private static final int LEAST = 1000;

    /** Classes and tables of a server without calls. */
    private static final long BASE_BYTES = 48L << 20;

    /** A collector whose heap is fuller than this stands in the way of the calls. */
    private static final int FREE_PERCENT = 20;

    private static final int ALL = 100;
    private static final int PART_OF_UNFINISHED = 32;

    /**
     * What the configuration asks for.
     *
     * @param requestHeap of the heap for open requests. They may hold half above it, messages that
     *     wait half of it, and messages on their way between shards another half
     * @param addressHeap of the heap for long addresses and further sessions
     * @param maxSessions application sessions, also where the heap has no room for them; 0: as many
     *     as it has room for
     * @param maxTransactions most of all shards; never more than the heap has room for
     * @param fixedBytes of tables that do not depend on the heap
     * @param cacheBytes of caches that can be smaller
     */
    public record Demand(
            int requestHeap,
            int addressHeap,
            int maxSessions,
            long maxTransactions,
            long fixedBytes,
            long cacheBytes) {}

    /**
     * What connections may hold of messages whose rest has not come: as asked for, and no more than
     * a 32nd of the heap. Twice that has to be among the fixed bytes of the demand: so much may be
     * held until connections are closed.
     *
     * @param heap bytes
     * @param asked bytes
     */
    public static long unfinished(long heap, long asked) {
        return Math.min(asked, heap / PART_OF_UNFINISHED);
    }

    /** Divides a heap. */
    public static HeapBounds of(long heap, Demand demand) {
        long room = room(heap, demand);
        int sessions =
                demand.maxSessions() > 0
                        ? demand.maxSessions()
                        : (int) Math.min(USUAL_SESSIONS, mostSessions(room));
        long ofSessions = Math.min((long) sessions * SESSION_BYTES, room / 5 * 2);
        long ofCaches = Math.min(demand.cacheBytes(), room / 5);
        long most = (room - ofSessions - ofCaches) / 5 * 4 / TRANSACTION_BYTES;
        return new HeapBounds(
                heap,
                demand,
                sessions,
                Math.min(demand.maxTransactions(), Math.max(LEAST, most)),
                ofCaches);
    }

    /** What is left to divide. */
    private static long room(long heap, Demand demand) {
        long left =
                heap
                        - heap / ALL * FREE_PERCENT
                        - BASE_BYTES
                        - demand.fixedBytes()
                        - requests(heap, demand)
                        - addresses(heap, demand);
        return Math.max(heap / 8, left);
    }

    private static long mostSessions(long room) {
        return Math.max(LEAST, room / 5 * 2 / SESSION_BYTES);
    }

    private static long requests(long heap, Demand demand) {
        return heap / ALL * demand.requestHeap() / 2 * 5;
    }

    private static long addresses(long heap, Demand demand) {
        return heap / ALL * demand.addressHeap();
    }

    /** Bytes of open requests, from which on new ones are refused. */
    public long requestHeapBytes() {
        return heapBytes / ALL * demand.requestHeap();
    }

    /** Bytes of long addresses and further sessions. */
    public long addressHeapBytes() {
        return addresses(heapBytes, demand);
    }

    /** The bound of a cache that asks for so many entries. */
    public int ofCache(int entries) {
        long asked = Math.max(1, demand.cacheBytes());
        return (int) Math.max(Math.min(LEAST, entries), entries * (double) cacheBytes / asked);
    }

    /** Bytes that live when every bound is reached. */
    public long atAllBounds() {
        return BASE_BYTES
                + demand.fixedBytes()
                + requests(heapBytes, demand)
                + addresses(heapBytes, demand)
                + sessionBytes()
                + transactionBytes()
                + cacheBytes;
    }

    private long sessionBytes() {
        return (long) sessions * SESSION_BYTES;
    }

    private long transactionBytes() {
        return transactions * TRANSACTION_BYTES / 4 * 5;
    }

    /** What does not fit into the heap, a sentence each; empty where all does. */
    public List<String> warnings() {
        List<String> all = new ArrayList<>();
        long room = mostSessions(room(heapBytes, demand));
        if (sessions > room) {
            all.add(
                    "sessions.max is %d, and a heap of %s has room for %d beside its other bounds, at %d bytes each"
                            .formatted(sessions, mebibytes(heapBytes), room, SESSION_BYTES));
        }
        if (atAllBounds() > heapBytes / ALL * (ALL - FREE_PERCENT / 4)) {
            all.add(
                    ("At all its bounds at once this server holds %s, and its heap is %s: requests %s, addresses %s,"
                                    + " sessions %s, transactions %s, caches and tables %s. A full heap ends the process")
                            .formatted(
                                    mebibytes(atAllBounds()),
                                    mebibytes(heapBytes),
                                    mebibytes(requests(heapBytes, demand)),
                                    mebibytes(addresses(heapBytes, demand)),
                                    mebibytes(sessionBytes()),
                                    mebibytes(transactionBytes()),
                                    mebibytes(cacheBytes + demand.fixedBytes())));
        }
        return List.copyOf(all);
    }

    private static String mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20) + " MiB";
    }
}
