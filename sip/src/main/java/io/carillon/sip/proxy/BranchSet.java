package io.carillon.sip.proxy;

import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
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
     * @param budget of targets that others have made many; null where nobody has
     * @return false when the policy wants 440 rather than less than all of them
     */
    boolean start(ProxyPolicy policy, int incomingBreadth, @Nullable TargetBudget budget) {
        int waiting = 0;
        int may = 0;
        int outgoing = 0;
        int room = budget == null ? 0 : budget.room();
        for (int i = 0; i < size; i++) {
            ProxyBranch branch = get(i);
            outgoing += branch.breadth();
            if (branch.waiting()) {
                waiting++;
                may += budget == null || !branch.byStranger() || room-- > 0 ? 1 : 0;
            }
        }
        if (may == 0 || (!policy.parallel() && active() > 0)) {
            return true;
        }
        boolean spiral = TargetBudget.isSpiral(budget);
        // RFC 5393 5.3.3: "SIP proxies MUST NOT allow the Outgoing Max-Breadth to exceed the
        // Incoming Max-Breadth in a given response context."
        int breadth = budget != null && spiral ? budget.breadth() : incomingBreadth - outgoing;
        int starting = policy.parallel() ? may : 1;
        if (breadth < starting && policy.refuseNarrow()) {
            return false;
        }
        if (spiral && breadth == 0) {
            refuseWaiting();
            return true;
        }
        starting = Math.min(starting, breadth);
        // Those that have to wait for others of a redirect need some of it too.
        int sharing = policy.parallel() ? Math.min(waiting, breadth) : 1;
        for (int i = 0; i < size && starting > 0; i++) {
            ProxyBranch branch = get(i);
            if (!branch.waiting()) {
                continue;
            }
            if (budget != null && branch.byStranger()) {
                if (budget.room() == 0) {
                    continue;
                }
                branch.budgeted(budget);
            }
            int share = budget != null && spiral ? budget.share(waiting--) : breadth / sharing--;
            breadth -= share;
            starting--;
            unfinished++;
            branch.start(share);
        }
        return true;
    }

    /**
     * RFC 5393 6.2: "The request was not fulfilled because its Max-Breadth did not permit this
     * response context to issue additional forks." Once no branch runs any more.
     */
    private void refuseWaiting() {
        if (active() > 0) {
            return;
        }
        for (int i = 0; i < size; i++) {
            ProxyBranch branch = get(i);
            if (branch.waiting()) {
                branch.refuse(440);
                unfinished++;
                branch.start(0);
            }
        }
    }

    /**
     * Is there another branch whose request has left for that source, and brought no response yet?
     * On the shard's thread, which may not see what the turn adds at the same moment.
     */
    boolean silentAt(long source, ProxyBranch but) {
        @Nullable ProxyBranch[] more = others;
        for (int i = 0; i <= more.length; i++) {
            ProxyBranch other = i == 0 ? first : more[i - 1];
            if (other != null && other != but && BranchResponses.silentAt(source, other)) {
                return true;
            }
        }
        return false;
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

    /** Returns how many there were. */
    int dropWaiting() {
        int dropped = 0;
        for (int i = 0; i < size; i++) {
            if (get(i).waiting()) {
                get(i).drop();
                dropped++;
            }
        }
        return dropped;
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
