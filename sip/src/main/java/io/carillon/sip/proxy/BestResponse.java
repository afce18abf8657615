package io.carillon.sip.proxy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3261 16.7 steps 6 and 7: which of the final responses goes upstream, and the challenges it
 * carries for the others. Stateless.
 */
final class BestResponse {
    private BestResponse() {}

    /** The branch with the best final response; null when no branch has one. */
    static @Nullable ProxyBranch of(List<ProxyBranch> branches, boolean cancelled) {
        ProxyBranch best = null;
        int bestRank = Integer.MAX_VALUE;
        for (int i = 0; i < branches.size(); i++) {
            ProxyBranch branch = branches.get(i);
            SipResponse response = branch.candidate();
            if (response != null) {
                int rank = rank(response.status(), cancelled);
                if (rank < bestRank) {
                    best = branch;
                    bestRank = rank;
                }
            }
        }
        return best;
    }

    /** Lower is better. */
    private static int rank(int status, boolean cancelled) {
        int statusClass = status / 100;
        // RFC 3261 16.7 step 6: "It MUST choose from the 6xx class responses if any exist in the
        // context. If no 6xx class responses are present, the proxy SHOULD choose from the lowest
        // response class stored in the response context."
        if (statusClass == 6) {
            return status - 600;
        }
        return statusClass * 10_000 + preference(status, cancelled) * 1_000 + status % 100;
    }

    private static int preference(int status, boolean cancelled) {
        return switch (status) {
            // "The proxy SHOULD give preference to responses that provide information affecting
            // resubmission of this request, such as 401, 407, 415, 420, and 484 if the 4xx class is
            // chosen."
            case 401, 407 -> 1;
            case 415, 420, 484 -> 2;
            // What the caller asked for with its CANCEL; else it is only what our own CANCEL made.
            case 487 -> cancelled ? 0 : 5;
            case 408 -> 4;
            // RFC 5626 11.5: it tells a proxy of the way, and the caller nothing.
            case 430 -> 6;
            // "A proxy which receives a 503 (Service Unavailable) response SHOULD NOT forward it
            // upstream".
            case 503 -> 6;
            default -> 3;
        };
    }

    /**
     * RFC 3261 16.7 step 7: adds the challenges of all other 401 and 407 responses to the chosen
     * one.
     */
    static void addChallenges(
            ProxyBranch chosen,
            SipResponse response,
            List<ProxyBranch> branches,
            MessageDraft outgoing) {
        // "If the selected response is a 401 (Unauthorized) or 407 (Proxy Authentication Required),
        // the proxy MUST collect any WWW-Authenticate and Proxy-Authenticate header field values
        // from all other 401 ... and 407 ... responses received so far in this response context and
        // add them to this response without modification before forwarding."
        if (!challenge(response)) {
            return;
        }
        for (int i = 0; i < branches.size(); i++) {
            ProxyBranch branch = branches.get(i);
            SipResponse other = branch.candidate();
            if (branch != chosen && other != null && challenge(other)) {
                copy(other, HeaderName.WWW_AUTHENTICATE, outgoing);
                copy(other, HeaderName.PROXY_AUTHENTICATE, outgoing);
            }
        }
    }

    private static boolean challenge(SipResponse response) {
        return response.status() == 401 || response.status() == 407;
    }

    private static void copy(SipResponse from, HeaderName name, MessageDraft to) {
        for (int i = from.find(name, 0); i >= 0; i = from.find(name, i + 1)) {
            to.addLast(name, from.valueAt(i));
        }
    }
}
