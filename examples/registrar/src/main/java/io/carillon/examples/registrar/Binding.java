package io.carillon.examples.registrar;

import java.util.List;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/** One contact of an address of record. */
final class Binding {
    final String contact;
    final float q;
    final long expiresAtMillis;
    final String callId;
    final long cseq;
    final List<String> path;

    Binding(
            String contact,
            float q,
            long expiresAtMillis,
            String callId,
            long cseq,
            List<String> path) {
        this.contact = contact;
        this.q = q;
        this.expiresAtMillis = expiresAtMillis;
        this.callId = callId;
        this.cseq = cseq;
        this.path = path;
    }

    /** RFC 3261 10.3 step 5: the canonical form has no parameters; null for what is no SIP URI. */
    static String addressOfRecord(URI uri) {
        if (!uri.isSipURI() || ((SipURI) uri).getUser() == null) {
            return null;
        }
        SipURI sip = (SipURI) uri;
        return "sip:" + sip.getUser() + "@" + sip.getHost().toLowerCase(java.util.Locale.ROOT);
    }
}
