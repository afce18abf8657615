package io.carillon.sip.proxy;

import io.carillon.sip.message.SipMessage;
import org.jspecify.annotations.Nullable;

/**
 * How many targets of one request may be tried, where somebody else than the application makes them
 * many.
 *
 * <p>Targets of redirects: who answers 3xx names whom he likes. Until somebody there has answered
 * he may be another's victim, who shall not get more bytes than came in for it. So what leaves for
 * such targets is no more than the received request and the redirects had, but one target has
 * always its turn. A target that answers counts no longer, one that is silent counts for good.
 *
 * <p>A request that comes back: an address that leads to itself under several names forks each time
 * it comes by, and Max-Breadth bounds only how many branches run at once. So in a request that was
 * here before no branch takes the breadth of one that has ended: of all its copies together there
 * are never more than the Max-Breadth of the first.
 *
 * <p>Owner: the turn of the {@link ResponseContext}.
 */
final class TargetBudget {
    /** What we add to a copy: Via, Max-Breadth, Record-Route. */
    private static final int OWN_HEADERS = 256;

    private static final int UNBOUNDED = -1;

    private final int cost;
    private long received;
    private long sent;
    private int breadth = UNBOUNDED;

    TargetBudget(SipMessage request) {
        received = request.length();
        cost = request.length() + OWN_HEADERS;
    }

    // Redirects

    /** A redirect is followed. */
    void add(SipMessage redirect) {
        received += redirect.length();
    }

    /** Targets of redirects that may be tried now. */
    int room() {
        long room = Math.max(0, received - sent) / cost;
        return (int) (sent == 0 ? Math.max(1, room) : room);
    }

    /** One is tried. */
    void take() {
        sent += cost;
    }

    /** Somebody answered there. */
    void giveBack() {
        sent -= cost;
    }

    // Spirals

    /** The request was here before: that is all the breadth that its branches have together. */
    void comesBack(int maxBreadth) {
        breadth = maxBreadth;
    }

    /** Is the request one that was here before? */
    static boolean isSpiral(@Nullable TargetBudget budget) {
        return budget != null && budget.breadth != UNBOUNDED;
    }

    /** Breadth that no branch has had. */
    int breadth() {
        return breadth;
    }

    /** The breadth of one of those that wait: a quarter is left for what comes later. */
    int share(int waiting) {
        int share = Math.max(1, (breadth - breadth / 4) / waiting);
        breadth -= share;
        return share;
    }
}
