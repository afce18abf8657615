package io.carillon.server.cdr;

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

    /** What of its INVITE the record will hold; as it was sent. */
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
            boolean recordRouted) {}

    /** Where a time is not known. */
    static final long NEVER = Long.MIN_VALUE;

    final long number;
    final Invite invite;
    final long beganNanos;
    final long beganMillis;
    final @Nullable Leg forkOf;

    /** Those of its INVITE as it went last: after a challenge it goes again. */
    @Nullable String branch;

    long cseq;

    @Nullable String toTag;
    long ringNanos = NEVER;
    long answerNanos = NEVER;
    long endNanos = NEVER;
    boolean cancelled;

    /** Its INVITE comes and goes: this server is a proxy of it. */
    boolean proxied;

    boolean challenged;
    final Outcome outcome = new Outcome();

    Leg(long number, Invite invite, long nanos, long millis, @Nullable Leg forkOf) {
        this.number = number;
        this.invite = invite;
        this.beganNanos = nanos;
        this.beganMillis = millis;
        this.forkOf = forkOf;
        this.branch = invite.branch();
        this.cseq = invite.cseq();
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

        int repeatsIn;
        int repeatsOut;

        /** The last request in its dialog that came, as CSeq and method; finds those repeated. */
        @Nullable String lastIn;
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
