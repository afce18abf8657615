package io.carillon.sip.dialog;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * What is under way in one dialog, in either direction: INVITE and UPDATE transactions, offers,
 * reliable provisional responses; and the rules on what may join them (RFC 3261 14, RFC 3311, RFC
 * 3262). Owner: its dialog's.
 */
final class Exchanges {
    private static final long NONE = -1;

    /** To be written, never changed. */
    private static final ReliableProvisionals NO_PROVISIONALS = new ReliableProvisionals();

    /** CSeq of the INVITE or UPDATE in progress, by who sent it; NONE without one. */
    private long ownInvite = NONE;

    private long peerInvite = NONE;
    private long ownUpdate = NONE;
    private long peerUpdate = NONE;

    /** CSeq of the peer's INVITE whose 2xx waits for its ACK. */
    private long unacknowledged = NONE;

    private final OfferAnswer offers = new OfferAnswer();

    /** Null while no reliable provisional response was sent or came. */
    private @Nullable ReliableProvisionals provisionals;

    ReliableProvisionals provisionals() {
        ReliableProvisionals own = provisionals;
        if (own == null) {
            own = new ReliableProvisionals();
            provisionals = own;
        }
        return own;
    }

    boolean awaitsPrack() {
        ReliableProvisionals own = provisionals;
        return own != null && own.waiting();
    }

    boolean awaitsAck() {
        return unacknowledged != NONE;
    }

    // Requests of ours

    boolean maySend(String method, boolean description, boolean confirmed) {
        boolean stable = offers.state() == OfferAnswer.State.STABLE;
        if (method.equals(Methods.INVITE)) {
            // RFC 3261 14.1: "a UAC MUST NOT initiate a new INVITE transaction within a dialog
            // while another INVITE transaction is in progress in either direction."
            return confirmed
                    && ownInvite == NONE
                    && peerInvite == NONE
                    && unacknowledged == NONE
                    && stable;
        }
        if (method.equals(Methods.UPDATE)) {
            // RFC 3311 5.1 with RFC 3264 4: no second offer while one waits.
            return ownUpdate == NONE && (!description || stable);
        }
        return true;
    }

    void sent(SipRequest request) {
        long cseq = request.cseqNumber();
        String method = request.method();
        if (method.equals(Methods.INVITE)) {
            ownInvite = cseq;
        } else if (method.equals(Methods.UPDATE)) {
            ownUpdate = cseq;
        }
        String rack = method.equals(Methods.PRACK) ? request.header(HeaderName.RACK) : null;
        if (rack != null) {
            provisionals().acknowledges(rack, cseq);
        }
        offers.request(true, method, cseq, OfferAnswer.in(request));
    }

    Progress received(SipResponse response) {
        long cseq = response.cseqNumber();
        String method = response.cseqMethod();
        int status = response.status();
        Progress progress = Progress.PROCESS;
        if (status < 200) {
            if (!method.equals(Methods.INVITE) || !ReliableProvisionals.reliable(response)) {
                return progress;
            }
            progress = provisionals().received(cseq, ReliableProvisionals.rseq(response));
        } else {
            ended(method, cseq);
            if (method.equals(Methods.PRACK)) {
                provisionals().prackAnswered(cseq);
            }
        }
        if (progress.process()) {
            offers.response(false, method, cseq, status, true, OfferAnswer.in(response));
        }
        return progress;
    }

    /** The ACK for a 2xx to our INVITE goes out: whatever offer the 2xx made is answered. */
    void acknowledging(long cseq) {
        offers.request(true, Methods.ACK, cseq, true);
    }

    /** A transaction of ours ended without a response. */
    void abandoned(String method, long cseq) {
        ended(method, cseq);
        offers.abandoned(true, cseq);
    }

    private void ended(String method, long cseq) {
        if (method.equals(Methods.INVITE) && ownInvite == cseq) {
            ownInvite = NONE;
        } else if (method.equals(Methods.UPDATE) && ownUpdate == cseq) {
            ownUpdate = NONE;
        }
    }

    // Requests of the peer

    Accept permitted(SipRequest request) {
        return switch (request.method()) {
            case Methods.INVITE -> invitePermitted(request);
            case Methods.UPDATE -> updatePermitted(request);
            case Methods.PRACK -> prackPermitted(request);
            default -> Accept.OK;
        };
    }

    private Accept invitePermitted(SipRequest request) {
        // RFC 3261 14.2: "A UAS that receives a second INVITE before it sends the final response to
        // a first INVITE with a lower CSeq sequence number on the same dialog MUST return a 500
        // (Server Internal Error) response".
        if (peerInvite != NONE) {
            return Accept.INVITE_UNANSWERED;
        }
        // RFC 3261 14.2: "A UAS that receives an INVITE on a dialog while an INVITE it had sent on
        // that dialog is in progress MUST return a 491 (Request Pending) response".
        if (ownInvite != NONE) {
            return Accept.GLARE;
        }
        return offerPermitted(OfferAnswer.in(request));
    }

    private Accept updatePermitted(SipRequest request) {
        // RFC 3311 5.2: "A UAS that receives an UPDATE before it has generated a final response to
        // a previous UPDATE on the same dialog MUST return a 500 response to the new UPDATE, and
        // MUST include a Retry-After header field".
        if (peerUpdate != NONE) {
            return Accept.UPDATE_UNANSWERED;
        }
        return offerPermitted(OfferAnswer.in(request));
    }

    private Accept offerPermitted(boolean description) {
        if (!description) {
            return Accept.OK;
        }
        // RFC 3311 5.2: "If an UPDATE is received that contains an offer, and the UAS has generated
        // an offer ... to which it has not yet received an answer, the UAS MUST reject the UPDATE
        // with a 491 response. Similarly, if ... the UAS has received an offer ... to which it has
        // not yet generated an answer, ... a 500 response".
        return switch (offers.state()) {
            case STABLE -> Accept.OK;
            case LOCAL -> Accept.GLARE;
            case REMOTE -> Accept.UPDATE_UNANSWERED;
        };
    }

    private Accept prackPermitted(SipRequest request) {
        String value = request.header(HeaderName.RACK);
        if (value == null) {
            return Accept.PRACK_UNMATCHED;
        }
        // RFC 3262 3: "If a PRACK request is received by the UA core that does not match any
        // unacknowledged reliable provisional response, the UAS MUST respond to the PRACK with a
        // 481 response."
        if (!provisionals().acknowledged(value, request.cseqNumber())) {
            return Accept.PRACK_UNMATCHED;
        }
        // RFC 3262 5 lets a PRACK offer, but RFC 3264 4: "At any time, either agent MAY generate a
        // new offer that updates the session. However, it MUST NOT generate a new offer if it has
        // received an offer which it has not yet answered or rejected. Furthermore, it MUST NOT
        // generate a new offer if it has generated a prior offer for which it has not yet received
        // an answer". So it is refused as in UPDATE; the response counts as acknowledged.
        return offerPermitted(OfferAnswer.in(request) && !offers.answeredByPrack());
    }

    void accepted(SipRequest request) {
        long cseq = request.cseqNumber();
        String method = request.method();
        if (method.equals(Methods.INVITE)) {
            peerInvite = cseq;
        } else if (method.equals(Methods.UPDATE)) {
            peerUpdate = cseq;
        }
        offers.request(false, method, cseq, OfferAnswer.in(request));
    }

    void acknowledged(SipRequest ack) {
        long cseq = ack.cseqNumber();
        if (unacknowledged == cseq) {
            unacknowledged = NONE;
        }
        offers.request(false, Methods.ACK, cseq, OfferAnswer.in(ack));
    }

    void ackMissing(long inviteCSeq) {
        if (unacknowledged == inviteCSeq) {
            unacknowledged = NONE;
            offers.abandoned(false, inviteCSeq);
        }
    }

    void responded(SipRequest request, SipResponse response) {
        String method = request.method();
        long cseq = request.cseqNumber();
        int status = response.status();
        boolean reliable = status >= 200 || ReliableProvisionals.reliable(response);
        offers.response(true, method, cseq, status, reliable, OfferAnswer.in(response));
        if (status < 200) {
            return;
        }
        if (method.equals(Methods.INVITE) && peerInvite == cseq) {
            peerInvite = NONE;
            unacknowledged = status < 300 ? cseq : unacknowledged;
        } else if (method.equals(Methods.UPDATE) && peerUpdate == cseq) {
            peerUpdate = NONE;
        }
    }

    /**
     * At another node: no transaction is under way but those of INVITEs. What the peer has told
     * reliably, and the application has not acknowledged, the peer tells again.
     */
    void withoutRequests() {
        ownUpdate = NONE;
        peerUpdate = NONE;
        offers.withoutRequests();
        ReliableProvisionals own = provisionals;
        if (own != null) {
            own.goOn();
        }
    }

    /** At another node: nothing is under way; who owes an ACK or an answer gives it to nobody. */
    void adopted() {
        ownInvite = NONE;
        peerInvite = NONE;
        ownUpdate = NONE;
        peerUpdate = NONE;
        unacknowledged = NONE;
        offers.forget();
        ReliableProvisionals own = provisionals;
        if (own != null) {
            own.forgetWaiting();
        }
    }

    // State as a value

    void write(StateWriter out) {
        out.putSigned(ownInvite)
                .putSigned(peerInvite)
                .putSigned(ownUpdate)
                .putSigned(peerUpdate)
                .putSigned(unacknowledged);
        offers.write(out);
        ReliableProvisionals own = provisionals;
        (own == null ? NO_PROVISIONALS : own).write(out);
    }

    /** What there is since version 2. */
    void writeMore(StateWriter out) {
        ReliableProvisionals own = provisionals;
        (own == null ? NO_PROVISIONALS : own).writeMore(out);
    }

    /**
     * Behind {@link #read}.
     *
     * @param version of what was written
     */
    void readMore(StateReader in, int version) {
        if (version >= 2) {
            provisionals().readMore(in);
        } else {
            provisionals().allAcknowledged();
        }
    }

    void read(StateReader in) {
        ownInvite = in.getSigned();
        peerInvite = in.getSigned();
        ownUpdate = in.getSigned();
        peerUpdate = in.getSigned();
        unacknowledged = in.getSigned();
        offers.read(in);
        provisionals().read(in);
    }
}
