package io.carillon.examples.registrar;

import java.util.List;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * One contact of an address of record; with an instance and a reg-id, one flow of a user agent (RFC
 * 5626). Immutable.
 */
final class Binding {
    /** What the address of record of every user ends with. */
    static final String ANY_HOST = "@*";

    /** URI of the Contact. */
    final String contact;

    final float q;
    final long expiresAtMillis;
    final String callId;
    final long cseq;

    /** Values of Path, the nearest to us first. */
    final List<String> path;

    /** Value of {@code +sip.instance} without quotes; empty without. */
    final String instance;

    /** 0 where it is no flow of RFC 5626. */
    final int regId;

    /** The route of ours that stands for the flow to the user agent; empty where none is used. */
    final String flow;

    /** Further parameters of the Contact as they are printed, {@code ;methods="INVITE"}. */
    final String params;

    /** When it was last refreshed. */
    final long updatedAtMillis;

    private Binding(Draft draft) {
        contact = draft.contact;
        q = draft.q;
        expiresAtMillis = draft.expiresAtMillis;
        callId = draft.callId;
        cseq = draft.cseq;
        path = draft.path;
        instance = draft.instance;
        regId = draft.regId;
        flow = draft.flow;
        params = draft.params;
        updatedAtMillis = draft.updatedAtMillis;
    }

    /** Collects what a binding holds. */
    static final class Draft {
        private final String contact;
        private final long expiresAtMillis;
        private float q = 1;
        private String callId = "";
        private long cseq;
        private List<String> path = List.of();
        private String instance = "";
        private int regId;
        private String flow = "";
        private String params = "";
        private long updatedAtMillis;

        Draft(String contact, long expiresAtMillis) {
            this.contact = contact;
            this.expiresAtMillis = expiresAtMillis;
        }

        Draft q(float value) {
            q = value;
            return this;
        }

        /** The REGISTER that made it. */
        Draft by(String ofCallId, long number, long atMillis) {
            callId = ofCallId;
            cseq = number;
            updatedAtMillis = atMillis;
            return this;
        }

        Draft path(List<String> values) {
            path = List.copyOf(values);
            return this;
        }

        Draft instance(String id, int flowNumber) {
            instance = id;
            regId = flowNumber;
            return this;
        }

        Draft flow(String route) {
            flow = route;
            return this;
        }

        Draft params(String text) {
            params = text;
            return this;
        }

        Binding build() {
            return new Binding(this);
        }
    }

    /**
     * What tells it from the others of its address of record. RFC 5626 6: "the corresponding
     * binding is between an AOR and the combination of the instance-id [...] and the value of
     * "reg-id"".
     */
    String key() {
        return regId == 0 ? contact : flowKey(instance, regId);
    }

    static String flowKey(String instance, int regId) {
        return instance + ";reg-id=" + regId;
    }

    /**
     * RFC 3261 10.3 step 5: the canonical form has no parameters. All hosts of this server are one,
     * so a user has one address of record, whichever of them is written: it ends with {@code @*}.
     * Null for what is no SIP URI with a user.
     */
    static String addressOfRecord(URI uri) {
        return uri.isSipURI() && ((SipURI) uri).getUser() != null
                ? addressOfRecord(((SipURI) uri).getUser())
                : null;
    }

    static String addressOfRecord(String user) {
        return "sip:" + user + ANY_HOST;
    }
}
