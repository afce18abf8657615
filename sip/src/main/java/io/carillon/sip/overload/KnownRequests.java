package io.carillon.sip.overload;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.transaction.TransactionTable;

/** What was decided about a request before, when it comes again. Owner: the shard's thread. */
public final class KnownRequests {
    private final TransactionTable accepted;
    private final TransactionTable sent;
    private final OwnTokens tokens;
    private final RefusedRequests refused = new RefusedRequests();

    /** Until then a repeat of one that was refused may come. */
    private long untilNanos;

    /** Of the request that was asked about last. */
    private long hash;

    /**
     * @param accepted server transactions: what was let in
     * @param sent client transactions: what we have sent ourselves belongs to calls that were let
     *     in
     * @param tokens which are ours
     * @param startNanos the time now, of the executor's clock
     */
    public KnownRequests(
            TransactionTable accepted, TransactionTable sent, OwnTokens tokens, long startNanos) {
        this.accepted = accepted;
        this.sent = sent;
        this.tokens = tokens;
        this.untilNanos = startNanos;
    }

    /** May one come that was refused? */
    boolean remembers(long nowNanos) {
        return nowNanos - untilNanos < 0;
    }

    /**
     * Was it let in, and its transaction lives? Or is it one that we have sent, to a listening
     * point of ours, and that waits for its answer?
     *
     * @param request identified
     * @param source where it came from
     */
    boolean accepted(MessageScan request, long source) {
        byte[] b = request.bytes();
        hash =
                TransactionTable.received(
                        b,
                        request.topVia(),
                        request.methodHash(),
                        request.callId().from(),
                        request.callId().to(),
                        request.cseqNumber(),
                        source);
        int branch = request.topVia().branchStart();
        int end = request.topVia().branchEnd();
        return accepted.holds(hash, b, branch, end)
                || (tokens.begins(b, branch, end)
                        && sent.holds(
                                TransactionTable.ours(b, branch, end, request.methodHash()),
                                b,
                                branch,
                                end));
    }

    /** Was the request that was asked about last refused? What is reliable does not come again. */
    boolean refused(Hop from, long nowNanos) {
        return !from.reliable() && refused.contains(hash, nowNanos);
    }

    /** It is refused now. */
    void refuse(Hop from, long nowNanos) {
        if (!from.reliable()) {
            refused.add(hash, nowNanos);
            untilNanos = nowNanos + RefusedRequests.KEPT_NANOS;
        }
    }

    /** By which it is always answered alike. */
    long hash() {
        return hash;
    }
}
