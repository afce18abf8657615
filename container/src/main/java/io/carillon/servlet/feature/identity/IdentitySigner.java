package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.Originator;
import io.carillon.sip.message.SipRequest;
import org.jspecify.annotations.Nullable;

/** Vouches for who a request is from (RFC 8224 section 6.1). Any thread; does not wait. */
public interface IdentitySigner {
    /**
     * The value of Identity for a request that is about to leave and has a Date of now.
     *
     * @param nowMillis the wall clock
     * @param originator on whose behalf it leaves
     * @return null when this signer does not vouch for who it is from, or its Date is stale
     */
    @Nullable String sign(SipRequest request, long nowMillis, Originator originator);
}
