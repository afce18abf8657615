package io.carillon.servlet.identity;

import io.carillon.sip.message.SipRequest;
import java.util.concurrent.CompletionStage;

/**
 * Verifies who a request is from (RFC 8224 section 6.2). Called on threads of applications, never
 * on a shard's; it does not wait.
 */
public interface IdentityVerifier {
    /**
     * @param nowMillis the wall clock
     * @return completes on any thread, never exceptionally
     */
    CompletionStage<IdentityResult> verify(SipRequest request, long nowMillis);
}
