package io.carillon.servlet.port;

import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * What is known of who sent a request, on its way from one application of ours to the next.
 * Immutable.
 *
 * @param verified what came of its Identity header; null where nobody looked
 * @param proof credentials that an application before accepted; null without
 * @param requestUri as it came from outside; null where nobody needs it
 * @param originator for whom it may be signed; null where nothing is signed
 */
public record Provenance(
        @Nullable IdentityResult verified,
        @Nullable Proof proof,
        @Nullable Uri requestUri,
        @Nullable Originator originator) {
    /** Nothing. */
    public static final Provenance NONE = new Provenance(null, null, null, null);

    /**
     * Of a copy that an application makes of the request: an Identity header is about the request
     * that had it.
     */
    public Provenance ofCopy() {
        return proof == null && requestUri == null && originator == null
                ? NONE
                : new Provenance(null, proof, requestUri, originator);
    }
}
