package io.carillon.servlet.identity;

import io.carillon.servlet.compose.Passage;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.security.Caller;
import io.carillon.servlet.security.Proof;
import io.carillon.servlet.security.SessionSecurity;
import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.privacy.AddressRanges;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a request leaves, as far as this server knows: what its signature may attest.
 * Immutable.
 *
 * @param standing how that is known
 * @param user the name of a user who proved to be one, or whom a trusted peer asserts; else null
 * @param claimed the identities that stood in the request as it came; null: all may have
 */
public record Originator(
        Standing standing, @Nullable String user, @Nullable List<CanonicalIdentity> claimed) {

    /** How it is known who calls. */
    public enum Standing {
        /** An application of this server calls by itself, on nobody's behalf. */
        APPLICATION,
        /** A peer of the trust domain says it. */
        TRUSTED,
        /** A user proved to be one. */
        USER,
        /** Nobody vouches for it. */
        UNKNOWN
    }

    public static final Originator APPLICATION =
            new Originator(Standing.APPLICATION, null, List.of());

    public static final Originator UNKNOWN = new Originator(Standing.UNKNOWN, null, null);

    /**
     * Did it not stand in the request as it came, but was written by an application of ours? An
     * application that writes a number in another form has not written it: one that ends with the
     * other is the same.
     */
    boolean written(CanonicalIdentity identity) {
        return claimed != null && claimed.stream().noneMatch(identity::mayBe);
    }

    /**
     * Of an initial request as an application gets it.
     *
     * @param trusted peers of the trust domain
     */
    public static Originator of(ServletRequest received, AddressRanges trusted) {
        Passage by = received.passage();
        Originator before = by == null ? null : by.provenance().originator();
        Caller caller = received.caller();
        Proof proof = received.proof();
        String user = caller != null ? caller.name() : proof == null ? null : proof.caller().name();
        if (before != null) {
            // Of several applications the first that asks knows; none of them forgets.
            return before.standing == Standing.UNKNOWN && user != null
                    ? new Originator(Standing.USER, user, before.claimed)
                    : before;
        }
        Hop from = received.initialHop();
        if (from == null) {
            return by != null && by.origin() == Origin.OWN ? APPLICATION : UNKNOWN;
        }
        InetAddress address = from.remote().getAddress();
        Standing standing =
                address != null && trusted.contains(address)
                        ? Standing.TRUSTED
                        : user != null ? Standing.USER : Standing.UNKNOWN;
        return new Originator(standing, user, SignedParts.claimed(received.received()));
    }

    /**
     * Of a request that an application made otherwise than as the helper's copy: of whoever called
     * in its session. With the turn.
     */
    public static Originator ofCall(ServletSession session, AddressRanges trusted) {
        if (session.parent().origin() == Origin.OWN) {
            return APPLICATION;
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
                return UNKNOWN; // of several callers it may be each
            }
            found = one == null ? found : one;
        }
        return found == null ? UNKNOWN : found;
    }

    /** Null for a session that nobody called. */
    private static @Nullable Originator ofCaller(ServletSession session, AddressRanges trusted) {
        UasTransaction server = session.original();
        if (server != null) {
            Originator whole = of(server.request(), trusted);
            // What of it the application has copied is not known.
            return new Originator(whole.standing, whole.user, null);
        }
        SessionSecurity memory = session.securityOrNull();
        Caller caller = memory == null ? null : memory.caller();
        return caller == null ? null : new Originator(Standing.USER, caller.name(), null);
    }
}
