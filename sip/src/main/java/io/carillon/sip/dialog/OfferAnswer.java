package io.carillon.sip.dialog;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;

/**
 * Whose offer waits for an answer in one dialog (RFC 3264 4, RFC 3311 5, RFC 6337): at most one at
 * a time. Bodies are not read, only who sent one in which message. Owner: its dialog's.
 */
final class OfferAnswer {
    enum State {
        STABLE,
        /** We offered, the peer has not answered. */
        LOCAL,
        /** The peer offered, we have not answered. */
        REMOTE
    }

    private State state = State.STABLE;

    /**
     * The transaction that carries the offer: who began it, its CSeq, and whether the offer stood
     * in a response of it.
     */
    private boolean carrierOurs;

    private long carrierCSeq;
    private boolean inResponse;

    /** The last INVITE that carried an offer, by who sent the INVITE; -1 none. */
    private long offeredInOwnInvite = -1;

    private long offeredInPeerInvite = -1;

    State state() {
        return state;
    }

    /** No offer waits any more. */
    void forget() {
        state = State.STABLE;
    }

    /** What an UPDATE or a PRACK has offered is gone with it; an offer of an INVITE stays. */
    void withoutRequests() {
        if (state != State.STABLE && !inResponse && !answeredEarlier(carrierCSeq, carrierOurs)) {
            state = State.STABLE;
        }
    }

    /** Does this message carry a session description? */
    static boolean in(SipMessage message) {
        if (message.bodyLength() == 0) {
            return false;
        }
        String type = message.header(HeaderName.CONTENT_TYPE);
        return type != null
                && (type.regionMatches(true, 0, "application/sdp", 0, 15)
                        || type.regionMatches(true, 0, "multipart/", 0, 10));
    }

    /**
     * Would a description in a PRACK of the peer answer? RFC 3262 5: "If the UAC receives a
     * reliable provisional response with an offer ..., it MUST generate an answer in the PRACK."
     */
    boolean answeredByPrack() {
        return state == State.LOCAL && inResponse;
    }

    /** A request went out ({@code ours}) or was accepted. */
    void request(boolean ours, String method, long cseq, boolean description) {
        State own = ours ? State.LOCAL : State.REMOTE;
        boolean answers = state != State.STABLE && state != own && inResponse;
        if (method.equals(Methods.ACK)) {
            // RFC 3261 13.2.1: the offer in a 2xx is answered in the ACK; without an answer there
            // it is gone all the same.
            if (answers && carrierCSeq == cseq) {
                state = State.STABLE;
            }
        } else if (description && method.equals(Methods.PRACK) && answers) {
            // RFC 3262 5: "If the UAC receives a reliable provisional response with an offer ...,
            // it MUST generate an answer in the PRACK."
            state = State.STABLE;
        } else if (description && offers(method)) {
            offer(own, ours, cseq, false, method);
        }
    }

    /**
     * A response went out to the peer's transaction ({@code ours} = we send it) or came to one of
     * ours.
     */
    void response(
            boolean ours,
            String method,
            long cseq,
            int status,
            boolean reliable,
            boolean description) {
        boolean transactionOurs = !ours;
        boolean carrier =
                state != State.STABLE && carrierOurs == transactionOurs && carrierCSeq == cseq;
        if (status >= 300) {
            // RFC 3311 5.1, RFC 3261 14.1: a refused offer leaves the session as it was.
            if (carrier) {
                state = State.STABLE;
            }
            return;
        }
        if (status < 200 && !reliable) {
            return;
        }
        State own = ours ? State.LOCAL : State.REMOTE;
        if (carrier && state != own) {
            if (description || status >= 200) {
                state = State.STABLE;
            }
        } else if (description
                && state == State.STABLE
                && method.equals(Methods.INVITE)
                && !answeredEarlier(cseq, transactionOurs)) {
            offer(own, transactionOurs, cseq, true, method);
        }
    }

    /** A transaction ended without a final response: its offer is gone. */
    void abandoned(boolean transactionOurs, long cseq) {
        if (state != State.STABLE && carrierOurs == transactionOurs && carrierCSeq == cseq) {
            state = State.STABLE;
        }
    }

    /**
     * An INVITE's later responses may repeat a description that was answered already (RFC 3261
     * 13.2.1: "the UAC MUST ... ignore any session descriptions in subsequent responses").
     */
    private boolean answeredEarlier(long cseq, boolean transactionOurs) {
        return cseq == (transactionOurs ? offeredInOwnInvite : offeredInPeerInvite);
    }

    private void offer(
            State by, boolean transactionOurs, long cseq, boolean response, String method) {
        if (method.equals(Methods.INVITE)) {
            if (transactionOurs) {
                offeredInOwnInvite = cseq;
            } else {
                offeredInPeerInvite = cseq;
            }
        }
        state = by;
        carrierOurs = transactionOurs;
        carrierCSeq = cseq;
        inResponse = response;
    }

    private static boolean offers(String method) {
        return method.equals(Methods.INVITE)
                || method.equals(Methods.UPDATE)
                || method.equals(Methods.PRACK);
    }

    /** The order of the states is part of the byte form. */
    @SuppressWarnings("EnumOrdinal")
    void write(StateWriter out) {
        out.putVarint(state.ordinal())
                .putBoolean(carrierOurs)
                .putVarint(carrierCSeq)
                .putBoolean(inResponse);
        out.putSigned(offeredInOwnInvite).putSigned(offeredInPeerInvite);
    }

    void read(StateReader in) {
        State[] states = State.values();
        state = states[in.getCount(states.length - 1)];
        carrierOurs = in.getBoolean();
        carrierCSeq = in.getVarint();
        inResponse = in.getBoolean();
        offeredInOwnInvite = in.getSigned();
        offeredInPeerInvite = in.getSigned();
    }
}
