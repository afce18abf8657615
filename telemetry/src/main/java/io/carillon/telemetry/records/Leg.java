package io.carillon.telemetry.records;

import org.jspecify.annotations.Nullable;

/**
 * One leg while it is followed: an INVITE that came or went, and the dialog that it led to. Guarded
 * by the monitor of its {@link DialogLegs}. It dies when its record was written.
 */
final class Leg {
    /** Who ended a leg. */
    enum By {
        CALLER,
        CALLEE,
        /** This server: its application, or the server itself. */
        SERVER,
        /** Nobody was heard, or nobody could be reached. */
        NETWORK,
        NOBODY
    }

    /**
     * What of its INVITE the record will hold, as it was sent.
     *
     * @param listener that it came to or left from; null for a leg that a node without listeners in
     *     its records had before
     */
    record Invite(
            boolean in,
            String callId,
            @Nullable String fromTag,
            @Nullable String branch,
            long cseq,
            String from,
            String to,
            String requestUri,
            @Nullable String asserted,
            @Nullable String privacy,
            String peer,
            String peerName,
            @Nullable String referredBy,
            @Nullable String replaces,
            boolean recordRouted,
            @Nullable String listener) {}

    /** What an answer to an INVITE is known by. */
    record Attempt(@Nullable String branch, long cseq) {}

    /**
     * Where a leg comes from that began at another node of the cluster.
     *
     * @param id that it has there, and keeps
     * @param node name of the node that had it before
     * @param forkOf id of the leg whose INVITE led to it too
     */
    record Taken(String id, String node, @Nullable String forkOf) {}

    /** Where a time is not known. */
    static final long NEVER = Long.MIN_VALUE;

    final long number;
    final Invite invite;
    final long beganNanos;
    final long beganMillis;
    final @Nullable Leg forkOf;

    /** Its INVITE as it went last: after a challenge it goes again. */
    Attempt attempt;

    @Nullable String toTag;
    long ringNanos = NEVER;
    long answerNanos = NEVER;
    long endNanos = NEVER;
    boolean cancelled;

    /** Its INVITE comes and goes: this server is a proxy of it. */
    boolean proxied;

    boolean challenged;

    /** Null for one that began here. */
    @Nullable Taken taken;

    final Outcome outcome = new Outcome();

    Leg(long number, Invite invite, long nanos, long millis, @Nullable Leg forkOf) {
        this.number = number;
        this.invite = invite;
        this.beganNanos = nanos;
        this.beganMillis = millis;
        this.forkOf = forkOf;
        this.attempt = new Attempt(invite.branch(), invite.cseq());
    }

    /** What it came to. */
    static final class Outcome {
        int status;
        @Nullable String phrase;
        By by = By.NOBODY;
        @Nullable String with;
        @Nullable String reason;
        @Nullable String problem;
        @Nullable String referTo;
        @Nullable String offer;
        @Nullable String answer;
        int forks;

        /** Has a handler had its INVITE? */
        boolean handled;

        /**
         * It is over for this node only: {@link CallRecord#MOVED} or {@link CallRecord#LOST}; null
         * for one that is over for all.
         */
        @Nullable String left;

        int repeatsIn;
        int repeatsOut;

        /** The last request in its dialog that came, as CSeq and method; finds those repeated. */
        @Nullable String lastIn;
    }

    /** The same at all nodes that ever have it. */
    String id(LegTable table) {
        return taken == null ? table.id(number) : taken.id();
    }

    /** Id of the leg whose INVITE led to this one too; null for none. */
    @Nullable String forkOf(LegTable table) {
        if (forkOf != null) {
            return forkOf.id(table);
        }
        return taken == null ? null : taken.forkOf();
    }

    /** Did an INVITE of its own lead to it? */
    boolean first() {
        return forkOf == null && (taken == null || taken.forkOf() == null);
    }

    /** Others go on with it, or nobody knows who does. Once, and where it is not over. */
    boolean leave(long nanos, String how) {
        if (ended()) {
            return false;
        }
        endNanos = Math.max(nanos, beganNanos);
        outcome.left = how;
        return true;
    }

    boolean ended() {
        return endNanos != NEVER;
    }

    boolean answered() {
        return answerNanos != NEVER;
    }

    /** Ends it, the first time only. */
    boolean finish(long nanos, By by, String with) {
        if (ended()) {
            return false;
        }
        endNanos = Math.max(nanos, beganNanos);
        outcome.by = by;
        outcome.with = with;
        return true;
    }
}
