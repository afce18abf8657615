package io.carillon.servlet.kernel;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/**
 * SIP Servlet 1.1, 6.2.3.2: the session of another dialog of the same initial request is derived
 * from the first: like it but for the dialog. With the turn held.
 */
public final class DerivedSession {
    private DerivedSession() {}

    /** A fork answers a request of ours: its session is like the first but for the dialog. */
    public static ServletSession of(ServletSession first, String remoteTag) {
        SessionDialog before = first.dialog();
        ServletSession derived = made(first, before.local, before.remote.withTag(remoteTag));
        SessionDialog dialog = derived.dialog();
        dialog.role = before.role;
        dialog.localTag = before.localTag;
        dialog.localCSeq = before.localCSeq;
        dialog.target = before.target;
        derived.path().outbound = first.path().outbound;
        return told(derived);
    }

    /**
     * Another notifier of the same request (RFC 6665 4.4.1).
     *
     * @param forks such sessions so far
     * @return null where the forks are too many, or what they keep, which is counted
     */
    public static @Nullable ServletSession notified(
            ServletSession first, String remoteTag, int forks) {
        Shard home = first.parent().home();
        if (forks == home.config().forks()) {
            home.counted(Counter.FORKS_REFUSED, 1);
            return null;
        }
        if (first.host().refusesFurther(first.parent(), first.countedAt())) {
            first.host().counters().refusedAddresses.increment();
            return null;
        }
        return of(first, remoteTag);
    }

    /** Another answer of ours to the same request, with a tag of its own. */
    public static ServletSession answering(ServletSession first, String localTag) {
        SessionDialog before = first.dialog();
        ServletSession derived = made(first, before.local.withTag(localTag), before.remote);
        derived.dialog().localTag = localTag;
        derived.path().peer = first.path().peer;
        derived.path().heard = first.path().heard;
        return told(derived);
    }

    private static ServletSession made(
            ServletSession first, NameAddress local, NameAddress remote) {
        ServletSession derived =
                first.host()
                        .objects()
                        .session(first.parent(), first.getCallId(), local, remote, first.handler);
        derived.countsFor(first.countedAt());
        SessionPath path = derived.path();
        path.routing = first.path().routing;
        path.depth = first.path().depth;
        path.origin = first.path().origin;
        path.composed = first.path().composed;
        path.caller = first.path().caller; // it is the same caller
        AnsweredChallenges challenges = first.challenges();
        if (challenges != null) {
            derived.challenges(challenges);
        }
        derived.invalidateWhenReady = first.invalidateWhenReady;
        derived.attributes.become(first.attributes);
        return derived;
    }

    private static ServletSession told(ServletSession derived) {
        derived.host().events().created(derived);
        return derived;
    }
}
