package io.carillon.sip.server;

import io.carillon.sip.header.Via;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;

/**
 * What stands for a branch when the top Via has none, or only the bare magic cookie: RFC 3261
 * section 17.2.3 for peers of RFC 2543.
 *
 * <p>Stateless; any thread.
 */
final class LegacyKey {
    private LegacyKey() {}

    // 17.2.3: "The INVITE request matches a transaction if the Request-URI, To tag, From tag,
    // Call-ID, CSeq, and top Via header field match [...] The ACK request matches a transaction if
    // the Request-URI, From tag, Call-ID, CSeq number (not the method), and top Via header field
    // match [...] and the To tag of the ACK matches the To tag of the response". So the To tag
    // stands apart for INVITE, ACK and CANCEL.
    static String of(SipRequest request, Via top) {
        StringBuilder key = new StringBuilder(160);
        key.append(request.requestUri()).append('|').append(request.fromTag()).append('|');
        key.append(request.callId()).append('|').append(request.cseq().number()).append('|');
        key.append(top.transport()).append(' ').append(top.branch());
        String method = request.method();
        boolean ofInvite =
                method.equals(Methods.INVITE)
                        || method.equals(Methods.ACK)
                        || method.equals(Methods.CANCEL);
        if (!ofInvite) {
            key.append('|').append(request.toTag());
        }
        return key.toString();
    }
}
