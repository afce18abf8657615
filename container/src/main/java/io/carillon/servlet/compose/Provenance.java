package io.carillon.servlet.compose;

import io.carillon.servlet.identity.IdentityResult;
import io.carillon.servlet.identity.Originator;
import io.carillon.servlet.identity.SigningPolicy;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.security.Proof;
import io.carillon.sip.header.HeaderName;
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

    /** Of a received request that goes on as itself. */
    static Provenance of(ServletRequest request) {
        IdentityResult verified = request.verified();
        Proof proof = request.proof();
        boolean asked =
                request.has(HeaderName.AUTHORIZATION)
                        || request.has(HeaderName.PROXY_AUTHORIZATION);
        SigningPolicy signing = request.container().signing();
        Originator originator =
                signing != null && SigningPolicy.concerns(request.method())
                        ? Originator.of(request, signing.trusted())
                        : null;
        return verified == null && proof == null && !asked && originator == null
                ? NONE
                : new Provenance(verified, proof, asked ? request.askedUri() : null, originator);
    }

    /**
     * Of a received request that an application copies: an Identity header is about the request
     * that had it.
     */
    public static Provenance ofCopy(ServletRequest request) {
        Provenance whole = of(request);
        return whole.proof == null && whole.requestUri == null && whole.originator == null
                ? NONE
                : new Provenance(null, whole.proof, whole.requestUri, whole.originator);
    }
}
