package io.carillon.servlet.port;

import java.util.List;
import java.util.function.Predicate;
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

    /**
     * Attribute of a request that an application sends: the name of the user for whom it does, of
     * whom it has a proof that this server does not know, as a page behind a sign-in has.
     */
    public static final String USER = "io.carillon.identity.user";

    public static final Originator APPLICATION =
            new Originator(Standing.APPLICATION, null, List.of());

    public static final Originator UNKNOWN = new Originator(Standing.UNKNOWN, null, null);

    /**
     * Did it not stand in the request as it came, but was written by an application of ours? An
     * application that completes what it finds there has not written it: a number that ends with
     * the other is the same, and so is a user at another host. But for what the user has proved to
     * be called by.
     *
     * @param own is that his name?
     */
    public boolean written(CanonicalIdentity identity, Predicate<CanonicalIdentity> own) {
        return claimed != null
                && claimed.stream().noneMatch(claim -> identity.mayBe(claim) && !own.test(claim));
    }
}
