package io.carillon.sip.proxy;

import io.carillon.sip.stack.AttemptUser;
import io.carillon.sip.stack.RequestAttempt;
import io.carillon.sip.stack.ServerTransaction;
import io.carillon.sip.uri.Uri;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The target set of a {@link ResponseContext} (RFC 3261 16.5): its branches in order, and how many
 * may run at once (RFC 5393 5.3). To others it is a list that they cannot change. Owner: the
 * context's turn.
 */
final class BranchSet extends AbstractList<ProxyBranch> implements RandomAccess {
    private static final ProxyBranch[] NONE = {};

    /** Nearly always the only one. */
    private @Nullable ProxyBranch first;

    private @Nullable ProxyBranch[] others = NONE;
    private int size;

    /** Attempts that the stack has not finished yet: more than the active branches. */
    private int unfinished;

    @Override
    public ProxyBranch get(int index) {
        Objects.checkIndex(index, size);
        return Objects.requireNonNull(index == 0 ? first : others[index - 1]);
    }

    @Override
    public int size() {
        return size;
    }

    ProxyBranch append(ProxyBranch branch) {
        if (size == 0) {
            first = branch;
        } else {
            if (size > others.length) {
                others = Arrays.copyOf(others, Math.max(4, 2 * others.length));
            }
            others[size - 1] = branch;
        }
        size++;
        modCount++;
        return branch;
    }

    /**
     * RFC 3261 16.5: "If a target URI is already present in the set (based on the definition of
     * equality for the URI type), it MUST NOT be added again."
     */
    boolean has(Uri target) {
        for (int i = 0; i < size; i++) {
            if (get(i).target().matches(target)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Starts waiting branches: all that the breadth allows, or the next one.
     *
     * @param incomingBreadth the Max-Breadth of the received request
     * @return false when the policy wants 440 rather than less than all of them
     */
    boolean start(ProxyPolicy policy, int incomingBreadth) {
        int waiting = 0;
        int outgoing = 0;
        for (int i = 0; i < size; i++) {
            waiting += get(i).waiting() ? 1 : 0;
            outgoing += get(i).breadth();
        }
        if (waiting == 0 || (!policy.parallel() && active() > 0)) {
            return true;
        }
        // RFC 5393 5.3.3: "SIP proxies MUST NOT allow the Outgoing Max-Breadth to exceed the
        // Incoming Max-Breadth in a given response context."
        int breadth = incomingBreadth - outgoing;
        int starting = policy.parallel() ? waiting : 1;
        if (breadth < starting && policy.refuseNarrow()) {
            return false;
        }
        starting = Math.min(starting, breadth);
        for (int i = 0; i < size && starting > 0; i++) {
            ProxyBranch branch = get(i);
            if (branch.waiting()) {
                int share = breadth / starting;
                breadth -= share;
                starting--;
                unfinished++;
                branch.start(share);
            }
        }
        return true;
    }

    /** Branches without a final response. */
    int active() {
        int active = 0;
        for (int i = 0; i < size; i++) {
            active += get(i).active() ? 1 : 0;
        }
        return active;
    }

    /** Is there a branch that waits or runs? */
    boolean open() {
        for (int i = 0; i < size; i++) {
            if (!get(i).ended()) {
                return true;
            }
        }
        return false;
    }

    int unfinished() {
        return unfinished;
    }

    void finished() {
        unfinished--;
    }

    void dropWaiting() {
        for (int i = 0; i < size; i++) {
            if (get(i).waiting()) {
                get(i).drop();
            }
        }
    }

    /** The candidates stay, and nobody waits for them. */
    void letGo() {
        for (int i = 0; i < size; i++) {
            get(i).letGo();
        }
    }

    void dropCandidates() {
        for (int i = 0; i < size; i++) {
            get(i).dropCandidate();
        }
    }

    void cancelBut(@Nullable ProxyBranch but, @Nullable List<String> reasons) {
        for (int i = 0; i < size; i++) {
            ProxyBranch branch = get(i);
            if (branch != but && branch.active()) {
                branch.cancel(reasons);
            }
        }
    }

    /**
     * Cancels one with those that came of its redirects.
     *
     * @return whether one of them had not been started
     */
    boolean cancel(ProxyBranch branch, @Nullable List<String> reasons) {
        boolean dropped = false;
        for (ProxyBranch each : this) {
            if (each.isOrComesOf(branch)) {
                if (each.waiting()) {
                    each.drop();
                    dropped = true;
                } else {
                    each.cancel(reasons);
                }
            }
        }
        return dropped;
    }

    /** A late 2xx goes upstream by what lingers of the server transaction. */
    void handOver(ServerTransaction server) {
        AttemptUser late = null;
        for (int i = 0; i < size; i++) {
            RequestAttempt attempt = get(i).attempt();
            if (attempt != null) {
                late = late == null ? server.lateAnswers() : late;
                attempt.handOver(late);
            }
        }
    }
}
