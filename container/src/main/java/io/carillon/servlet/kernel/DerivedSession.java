package io.carillon.servlet.kernel;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/**
 * SIP Servlet 1.1, 6.2.3.2: the session of another dialog of the same initial request is derived
 * from the first: like it but for the dialog. With the turn held.
 */
final class DerivedSession {
    private DerivedSession() {}

    /** For a fork that answers a request of ours. */
    static ServletSession of(ServletSession first, String remoteTag) {
        ServletSession derived = made(first, first.local, first.remote.withTag(remoteTag));
        derived.role = first.role;
        derived.localTag = first.localTag;
        derived.localCSeq = first.localCSeq;
        derived.target = first.target;
        SessionExtras rare = first.seldom;
        if (rare != null) {
            SessionExtras its = derived.seldom();
            its.outbound = rare.outbound;
            its.outboundTransport = rare.outboundTransport;
            its.caller = rare.caller;
            its.challenges = rare.challenges;
        }
        return told(derived);
    }

    /** For the dialog of another notifier; null where the forks are too many, or what they keep. */
    static @Nullable ServletSession notified(ServletSession first, String remoteTag, int forks) {
        Shard home = first.parent().home();
        if (forks == home.config().forks()) {
            home.forkRefused();
            return null;
        }
        if (first.host().refusesFurther(first.parent(), first.countedAt())) {
            first.host().counters().refusedAddresses.increment();
            return null;
        }
        return of(first, remoteTag);
    }

    /** For another answer of ours to the same request. */
    static ServletSession answering(ServletSession first, String localTag) {
        ServletSession derived = made(first, first.local.withTag(localTag), first.remote);
        derived.localTag = localTag;
        derived.peer = first.peer;
        derived.heard = first.heard;
        SessionExtras rare = first.seldom;
        if (rare != null && (rare.caller != null || rare.challenges != null)) {
            derived.seldom().caller = rare.caller; // it is the same caller
            derived.seldom().challenges = rare.challenges;
        }
        return told(derived);
    }

    private static ServletSession made(
            ServletSession first, NameAddress local, NameAddress remote) {
        ServletSession derived =
                first.host()
                        .objects()
                        .session(first.parent(), first.getCallId(), local, remote, first.handler);
        derived.countsFor(first.countedAt());
        derived.routing = first.routing;
        derived.depth = first.depth;
        derived.origin = first.origin;
        derived.composed = first.composed;
        derived.invalidateWhenReady = first.invalidateWhenReady;
        derived.attributes.become(first.attributes);
        return derived;
    }

    private static ServletSession told(ServletSession derived) {
        derived.host().events().created(derived);
        return derived;
    }
}
