package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.IdentityResult;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Verifies who a request is from (RFC 8224 section 6.2). Called on threads of applications, never
 * on a shard's; it does not wait.
 */
public interface IdentityVerifier {
    /**
     * Of a request whose source is not known, or is an application of ours that passes on what
     * others wrote: nobody's assertions count.
     *
     * @param nowMillis the wall clock
     * @return completes on any thread, never exceptionally
     */
    CompletionStage<IdentityResult> verify(SipRequest request, long nowMillis);

    /**
     * The same, of a request that came from this address: who is trusted may assert a caller (RFC
     * 3325), and what is done on behalf of one source is not taken from all others.
     */
    default CompletionStage<IdentityResult> verify(
            SipRequest request, InetAddress source, long nowMillis) {
        return verify(request, nowMillis);
    }

    /**
     * A copy of a verified request leaves, with its Identity and another Call-ID, and may come back
     * to us. Any thread.
     *
     * @param identities values of Identity
     */
    default void copied(List<String> identities, String callId) {}

    /** What it has counted since the start, by name. Any thread. */
    default Map<String, Long> counters() {
        return Map.of();
    }
}
