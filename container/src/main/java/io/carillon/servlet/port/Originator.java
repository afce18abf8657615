package io.carillon.servlet.port;

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
    public boolean written(CanonicalIdentity identity) {
        return claimed != null && claimed.stream().noneMatch(identity::mayBe);
    }
}
