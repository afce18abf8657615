package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.Originator;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.SipDate;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import java.time.Instant;

/**
 * Which requests leave with a signed identity. Immutable; any thread.
 *
 * @param signer who signs
 * @param trusted peers of the trust domain, who say who calls
 * @param proxied whether requests that proxies of ours forward are signed too, or only those that
 *     applications send
 */
public record SigningPolicy(IdentitySigner signer, AddressRanges trusted, boolean proxied) {
    /** Is this a request whose caller is vouched for? */
    public static boolean concerns(String method) {
        return method.equals(Methods.INVITE) || method.equals(Methods.MESSAGE);
    }

    /** Adds Date and Identity to an initial request that has none, where the signer is asked. */
    public void sign(MessageDraft draft, long nowMillis, Originator originator) {
        if (draft.has(HeaderName.IDENTITY)) {
            return;
        }
        MessageDraft dated = draft;
        if (!draft.has(HeaderName.DATE)) {
            dated = draft.copy();
            dated.set(
                    HeaderName.DATE,
                    new SipDate(Instant.ofEpochSecond(nowMillis / 1000)).toString());
        }
        String identity = signer.sign(dated.copy().freezeRequest(), nowMillis, originator);
        if (identity != null) {
            // RFC 8224 6.1 step 3: it "MUST add a Date header field to SIP requests that do not
            // have one".
            draft.set(HeaderName.DATE, String.valueOf(dated.get(HeaderName.DATE)));
            draft.addLast(HeaderName.IDENTITY, identity);
        }
    }
}
