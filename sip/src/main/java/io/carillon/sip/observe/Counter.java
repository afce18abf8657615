package io.carillon.sip.observe;

/** What a shard counts. */
public enum Counter {
    REQUESTS_IN,
    REQUESTS_OUT,
    RESPONSES_IN_1XX,
    RESPONSES_IN_2XX,
    RESPONSES_IN_3XX,
    RESPONSES_IN_4XX,
    RESPONSES_IN_5XX,
    RESPONSES_IN_6XX,
    RESPONSES_OUT_1XX,
    RESPONSES_OUT_2XX,
    RESPONSES_OUT_3XX,
    RESPONSES_OUT_4XX,
    RESPONSES_OUT_5XX,
    RESPONSES_OUT_6XX,
    /** Requests received again, ACK for a final response that was acknowledged included. */
    REQUEST_RETRANSMISSIONS_SEEN,
    /** Responses received again or too late. */
    RESPONSE_RETRANSMISSIONS_SEEN,
    /** Final responses to INVITE that came again more often than their ACK is sent again for. */
    ACKS_NOT_REPEATED,
    /** Requests sent again by Timer A or E, and ACK sent again. */
    REQUEST_RETRANSMISSIONS_SENT,
    /**
     * Responses sent again: Timer G, for a repeated request, 2xx without ACK, reliable provisionals
     * without PRACK.
     */
    RESPONSE_RETRANSMISSIONS_SENT,
    /** Malformed requests answered by 400 or what the parser chose. */
    MALFORMED_ANSWERED,
    /** Malformed messages that cannot or must not be answered. */
    MALFORMED_DROPPED,
    /** Datagrams that are no SIP. */
    DROPPED_NOT_SIP,
    /** RFC 3261 section 18.1.2: responses whose top Via is not ours. */
    DROPPED_FOREIGN_VIA,
    /** RFC 3261 section 8.1.3.3: responses with several Via for a request of our own. */
    DROPPED_SEVERAL_VIAS,
    /** Responses without a client transaction. */
    STRAY_RESPONSES,
    /** CANCEL without a transaction, answered by 481. */
    STRAY_CANCELS,
    /** ACK for a response that was sent without a transaction. */
    STATELESS_ACKS,
    /** INVITE cancelled and answered by our 487. */
    CANCELLED_487,
    /**
     * INVITE taken over that had got a refusal, as its ACK shows, which no record says: ended as by
     * a CANCEL.
     */
    REFUSED_ELSEWHERE,
    /** Merged requests, answered by 482. */
    MERGED_REQUESTS,
    /** New requests answered by 503 because the server wants no new calls. */
    REFUSED,
    /** New requests that were refused before they were parsed, as too much waits. */
    SHED,
    /** Such requests that got no answer: too many were refused, or who they are is not clear. */
    SHED_UNANSWERED,
    /** Requests answered by 503 because the table of transactions is full. */
    REFUSED_FULL,
    /** Requests of our own and of proxies that were not sent as that table is full. */
    UNSENT_FULL,
    /**
     * Requests that were not sent as the next server is overloaded and asked for less (RFC 7339).
     */
    UNSENT_PEER_OVERLOADED,
    /** INVITEs of ours, or large ones of proxies, that were cancelled as they only rang. */
    RINGING_TOO_LONG,
    /** Requests of ours by UDP to where nobody was heard, and so not sent again. */
    REQUESTS_TO_UNHEARD,
    /** Requests answered by 503 because open requests hold too many bytes. */
    REFUSED_REQUEST_HEAP,
    /** Large requests answered by 503 because the part of that room for large ones is full. */
    REFUSED_LARGE,
    /**
     * Large final responses, and ACKs for them, that are not sent again as there was no room to
     * keep them.
     */
    FINALS_NOT_KEPT,
    /**
     * Requests answered by 503 because more than half of the bytes or transactions are taken, and
     * their source holds its share.
     */
    REFUSED_SHARE,
    /**
     * ACKs and responses that came again while the first one still waited for its turn, or ACKs
     * that had been taken: dropped.
     */
    REPEATS_NOT_QUEUED,
    /** Repeated requests beyond those that a client sends, which got no answer. */
    REPEATS_NOT_ANSWERED,
    /** ACKs, provisional responses and 2xx to INVITE dropped as too much waits: all come again. */
    MESSAGES_NOT_QUEUED,
    /** Requests answered by 500 with Retry-After because too much waits for the turn of a call. */
    REQUESTS_NOT_QUEUED,
    /**
     * Final responses given up because too much waits: the request's sender is told 503, or where
     * they wait for other branches of a proxy, the status is kept.
     */
    FINALS_NOT_QUEUED,
    /** Responses of the layer above that the state, RFC 4320 or an earlier decision forbids. */
    RESPONSES_SUPPRESSED,
    /** Timer B and F. */
    CLIENT_TIMEOUTS,
    /** Timer H: a final response of 300 and above without ACK. */
    ACK_TIMEOUTS,
    /** A 2xx without ACK for 64*T1. */
    ACKS_MISSING,
    /** A reliable provisional without PRACK for 64*T1. */
    PRACKS_MISSING,
    /** Non-INVITE requests to which the layer above gave no final response in 64*T1. */
    EXPIRED_UNANSWERED,
    TRANSPORT_FAILURES,
    /** Requests tried at another hop of their target. */
    FAILOVERS,
    /** Silent hops that were left for the next one before Timer B or F. */
    TRIED_NEXT,
    /** Responses of hops that had been left already. */
    LATE_RESPONSES,
    /** ICMP errors that quoted a request which was waiting: it failed. */
    ICMP_ERRORS,
    /** Requests too large for a datagram that left by TCP. */
    LARGE_REQUESTS,
    /** Contacts of redirects that a proxy did not try: too many targets, or too deep. */
    REDIRECTS_REFUSED,
    /** ACKs that a proxy did not pass on: they had been here before, or had no hop left. */
    ACKS_LOOPED,
    /**
     * Responses of an INVITE's forks, and NOTIFYs of a SUBSCRIBE's, beyond the limit: dropped; of a
     * proxied INVITE a 2xx is passed on.
     */
    FORKS_REFUSED,
    /** Initial requests of scanners: dropped. */
    SCANNERS_DROPPED,
    /** Targets without an address. */
    UNRESOLVED,
    /** Requests whose Route named a flow (RFC 5626) that is gone, answered by 430. */
    FLOWS_FAILED,
    /** Requests whose Route carried a flow token that we did not make, answered by 403. */
    FLOW_TOKENS_FORGED,
    /** Exceptions of layers above: each went to the error sink. */
    USER_ERRORS,
    TRANSACTIONS_STARTED,
    /** Messages that left in another form than the layer above gave them: for a peer's switches. */
    EDGE_REWRITTEN,
    /** Requests with a token of ours in it that we did not make, or made with another key. */
    EDGE_TOKENS_REFUSED,
    /** Messages with a header line that cannot be made as short as the peer wants it. */
    EDGE_LINES_REFUSED,
    /** Messages that did not leave because they could not be rewritten. */
    EDGE_WITHHELD,
    /**
     * Messages that came for a partition of the cluster that this node may not act for: dropped.
     */
    NOT_OWNED_IN,
    /** Messages that did not leave because their partition was not this node's any more. */
    NOT_OWNED_OUT,
    /** Timers that waited because their partition was not this node's, each time they were due. */
    NOT_OWNED_TIMERS
}
