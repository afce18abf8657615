package io.carillon.servlet.feature.identity;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.Caller;
import io.carillon.servlet.port.OnBehalf;
import io.carillon.servlet.port.Originator;
import io.carillon.servlet.port.Originator.Standing;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Proof;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out on whose behalf a request leaves. Functions of the turn's holder. */
public final class Originators {
    private Originators() {}

    /**
     * Of an initial request as an application gets it.
     *
     * @param trusted peers of the trust domain
     */
    public static Originator of(ServletRequest received, AddressRanges trusted) {
        Passage by = received.known().passage();
        Originator before = by == null ? null : by.provenance().originator();
        Caller caller = received.known().caller();
        Proof proof = received.known().proof();
        String user = caller != null ? caller.name() : proof == null ? null : proof.caller().name();
        if (before != null) {
            // Of several applications the first that asks knows; none of them forgets.
            return before.standing() == Standing.UNKNOWN && user != null
                    ? new Originator(Standing.USER, user, before.claimed())
                    : before;
        }
        Hop from = received.initialHop();
        if (from == null) {
            return by != null && by.origin() == Origin.OWN
                    ? Originator.APPLICATION
                    : Originator.UNKNOWN;
        }
        InetAddress address = from.remote().getAddress();
        Standing standing =
                address != null && trusted.contains(address)
                        ? Standing.TRUSTED
                        : user != null ? Standing.USER : Standing.UNKNOWN;
        return new Originator(standing, user, SignedParts.claimed(received.received()));
    }

    /**
     * Of an initial request that leaves. With the turn.
     *
     * @param trusted peers of the trust domain
     */
    public static Originator of(
            ServletSession session, ServletRequest leaving, AddressRanges trusted) {
        if (leaving.getAttribute(Originator.USER) instanceof String user) {
            return new Originator(Standing.USER, user, null);
        }
        Originator copied = leaving.known().copied().originator();
        return copied != null ? copied : ofCall(session, trusted);
    }

    /**
     * Of a request that an application made otherwise than as the helper's copy: of whoever called
     * in its session. With the turn.
     */
    private static Originator ofCall(ServletSession session, AddressRanges trusted) {
        if (session.parent().origin().stricter(OnBehalf.asked()) == Origin.OWN) {
            return Originator.APPLICATION;
        }
        ServletSession other = session.linked();
        Originator found = other == null ? null : ofCaller(other, trusted);
        if (found != null) {
            return found;
        }
        List<ServletSession> all = session.parent().sessions();
        for (int i = 0; i < all.size(); i++) {
            Originator one = all.get(i) == session ? null : ofCaller(all.get(i), trusted);
            if (one != null && found != null) {
                return Originator.UNKNOWN; // of several callers it may be each
            }
            found = one == null ? found : one;
        }
        return found == null ? Originator.UNKNOWN : found;
    }

    /** Null for a session that nobody called. */
    private static @Nullable Originator ofCaller(ServletSession session, AddressRanges trusted) {
        UasTransaction server = session.underWay().original();
        if (server != null) {
            Originator whole = of(server.request(), trusted);
            // What of it the application has copied is not known.
            return new Originator(whole.standing(), whole.user(), null);
        }
        Caller caller = session.path().caller();
        return caller == null ? null : new Originator(Standing.USER, caller.name(), null);
    }
}
