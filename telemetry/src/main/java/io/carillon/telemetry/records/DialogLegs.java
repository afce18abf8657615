package io.carillon.telemetry.records;

import io.carillon.servlet.kernel.ServletSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The legs of one Call-ID, and whose they are. Its own monitor guards all of it; it lives in the
 * {@link LegTable} as long as one of its legs does.
 */
final class DialogLegs {
    /** Forks of one Call-ID that get records of their own. */
    static final int MOST_LEGS = 64;

    private static final int MOST_SESSIONS = 8;

    /**
     * An application that had it.
     *
     * @param version that of {@code ./carillon applications}
     * @param session id of its application session
     */
    record Owner(String application, int version, String session) {}

    final String callId;
    private final List<Leg> legs = new ArrayList<>(2);
    private final List<ServletSession> sessions = new ArrayList<>(1);
    private OneCall call;
    private @Nullable Owner first;
    private @Nullable Owner last;
    private volatile @Nullable String linked;
    private @Nullable String transferOf;
    private volatile boolean hadSession;
    private boolean gone;

    /** Its owners are those of another node, which had it before. */
    private boolean taken;

    DialogLegs(String callId, OneCall call) {
        this.callId = callId;
        this.call = call;
        call.add(this);
    }

    /** Taken out of the table: another one of this Call-ID may be there now. */
    synchronized boolean gone() {
        return gone;
    }

    /** Takes it out, where nothing is left of it. */
    synchronized boolean leave() {
        if (!legs.isEmpty()) {
            return false;
        }
        gone = true;
        call.remove(this);
        return true;
    }

    // ---- with the monitor held ----

    List<Leg> legs() {
        return legs;
    }

    /** False where there are too many. */
    boolean add(Leg leg) {
        if (legs.size() >= MOST_LEGS) {
            return false;
        }
        for (Leg other : legs) {
            if (other.invite.in() != leg.invite.in()
                    && Objects.equals(other.invite.fromTag(), leg.invite.fromTag())) {
                other.proxied = true;
                leg.proxied = true;
            }
        }
        return legs.add(leg);
    }

    boolean has(String id, LegTable table) {
        return legs.stream().anyMatch(leg -> leg.id(table).equals(id));
    }

    /** One of another node goes on here. False where there are too many. */
    boolean take(Leg leg, KeptLeg kept) {
        boolean proxied = leg.proxied;
        if (!add(leg)) {
            return false;
        }
        leg.proxied = proxied;
        taken = true;
        hadSession = true;
        if (leg.invite.in()) {
            first = kept.owner();
        } else {
            last = kept.owner();
        }
        linked = kept.linked();
        transferOf = kept.transferOf();
        return true;
    }

    /** The leg whose INVITE has that branch and direction; null for none. */
    @Nullable Leg byBranch(boolean in, @Nullable String branch, long cseq) {
        for (int i = legs.size() - 1; i >= 0; i--) {
            Leg leg = legs.get(i);
            if (leg.invite.in() == in
                    && leg.attempt.cseq() == cseq
                    && leg.first()
                    && Objects.equals(leg.attempt.branch(), branch)) {
                return leg;
            }
        }
        return null;
    }

    /** One that was challenged, whose INVITE goes again. */
    @Nullable Leg challenged(boolean in, @Nullable String fromTag, String peer) {
        for (Leg leg : legs) {
            if (leg.challenged
                    && leg.ended()
                    && leg.invite.in() == in
                    && Objects.equals(leg.invite.fromTag(), fromTag)
                    && leg.invite.peer().equals(peer)) {
                return leg;
            }
        }
        return null;
    }

    /** What a leg is counted by; with the monitor held. */
    CallListener.Kind kind(Leg leg) {
        Owner owner = owner(leg);
        String listener = leg.invite.listener();
        return new CallListener.Kind(
                leg.invite.in(),
                owner == null ? "" : owner.application(),
                listener == null ? "" : listener,
                leg.invite.peerName());
    }

    /** The leg whose INVITE gets its handler now; null where it had it. */
    synchronized @Nullable Leg handledFirst() {
        for (Leg leg : legs) {
            if (leg.invite.in() && !leg.outcome.handled) {
                leg.outcome.handled = true;
                return leg;
            }
        }
        return null;
    }

    /** Any thread. */
    boolean hadSession() {
        return hadSession;
    }

    @Nullable Owner owner(Leg leg) {
        return leg.invite.in() ? first : last;
    }

    /** Any thread. */
    @Nullable String linked() {
        return linked;
    }

    @Nullable String transferOf() {
        return transferOf;
    }

    // ---- any thread ----

    synchronized void transferOf(String callOfRefer) {
        transferOf = callOfRefer;
    }

    synchronized OneCall call() {
        return call;
    }

    /** It belongs to that call. */
    synchronized void join(OneCall other) {
        if (other != call) {
            call.remove(this);
            other.add(this);
            for (OneCall.Ended one : call.ended()) {
                if (one.callId().equals(callId)) {
                    other.ended(one);
                }
            }
            call = other;
        }
    }

    /** A session of an application has its dialogs. */
    synchronized void opened(ServletSession session) {
        if (sessions.size() < MOST_SESSIONS && !sessions.contains(session)) {
            sessions.add(session);
            hadSession = true;
            Owner owner =
                    new Owner(
                            session.application().name(),
                            session.application().version(),
                            session.parent().getId());
            if (first == null) {
                first = owner;
            }
            if (last == null || !taken) {
                last = owner;
            }
        }
        ServletSession other = session.linked();
        if (other != null) {
            linked = other.getCallId(); // the last one: an application may try one after the other
        }
    }

    synchronized boolean knows(ServletSession session) {
        ServletSession other = session.linked();
        return sessions.contains(session) && (other == null || other.getCallId().equals(linked));
    }

    /** That session is over. True when no other one has its dialogs. */
    synchronized boolean ended(ServletSession session) {
        return sessions.remove(session) && sessions.isEmpty();
    }

    synchronized boolean holds(Leg leg) {
        return legs.contains(leg);
    }

    /** Has no session of an application its dialogs? */
    synchronized boolean hasNoSession() {
        return sessions.isEmpty();
    }

    /** Sessions that ended without a word, as those that went to another node. */
    synchronized boolean dropInvalid() {
        sessions.removeIf(session -> !session.isValid());
        return sessions.isEmpty();
    }
}
