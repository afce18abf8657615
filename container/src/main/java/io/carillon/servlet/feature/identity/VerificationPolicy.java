package io.carillon.servlet.feature.identity;

import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;

/**
 * What is done about the identity of initial INVITE and MESSAGE requests. Immutable.
 *
 * @param verifier who verifies
 * @param required whether a request without a valid one is refused, or applications are told only
 */
public record VerificationPolicy(IdentityVerifier verifier, boolean required) {
    /** Is this a request whose caller is verified? */
    public boolean concerns(SipRequest request) {
        return request.is(Methods.INVITE) || request.is(Methods.MESSAGE);
    }
}
