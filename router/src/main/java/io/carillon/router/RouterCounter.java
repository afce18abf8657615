package io.carillon.router;

/** What a router counts. The text is a metric's name after {@code carillon_router_}. */
public enum RouterCounter {
    REQUESTS_IN("requests_in", "Requests from outside"),
    RESPONSES_IN("responses_in", "Responses from outside"),
    REQUESTS_OUT("requests_out", "Requests of nodes that were sent"),
    RESPONSES_OUT("responses_out", "Responses of nodes that were sent"),
    TO_OWNER("to_owner", "Messages given to the owner of their partition"),
    TO_NEXT("to_next", "Messages given to the next owner, as the owner does not live"),
    TO_ANY("to_any", "Messages given to some node, as neither owner nor next lives or is known"),
    DROPPED_MALFORMED("dropped_malformed", "Messages dropped that are no SIP or have no Via"),
    DROPPED_STRAY(
            "dropped_stray", "Responses dropped that answer no request of ours (RFC 3261 16.11)"),
    DROPPED_FORGED("dropped_forged", "Responses dropped whose branches do not belong together"),
    DROPPED_NO_NODE("dropped_no_node", "Messages dropped as no node lives"),
    DROPPED_NO_SESSION("dropped_no_session", "Messages dropped as the link took them not"),
    DROPPED_TOO_LARGE("dropped_too_large", "Messages of nodes that fit no datagram with our Via"),
    DROPPED_UNREADABLE("dropped_unreadable", "Messages of nodes that made no sense"),
    FLOWS_GONE("flows_gone", "Messages of nodes for connections that have ended (RFC 5626: 430)"),
    STREAMS_FAILED("streams_failed", "Messages of nodes that no connection could be opened for"),
    CONNECTIONS_REFUSED(
            "connections_refused",
            "Connections ended because a node does not listen to their source"),
    DROPPED_UNHEARD(
            "dropped_unheard",
            "Datagrams dropped as a node drops what floods in from their source"),
    SENT_AGAIN("sent_again", "Messages of connections sent again, to a node or to its successor"),
    UNDELIVERED("undelivered", "Messages of connections given up: no node took or answered them"),
    UNKEPT("unkept", "Messages of connections sent once only, as too many wait for nodes"),
    TAKEN_BEFORE("taken_before", "Messages of nodes dropped that had been taken before"),
    REFUSED("refused", "Requests answered 503: no node has lived for some seconds"),
    REFUSED_OVERLOAD("refused_overload", "Requests answered 503: their node has too much to do"),
    REFUSED_OUTLIER("refused_outlier", "Requests answered 503: their node answers nobody"),
    REFUSED_ACKED(
            "refused_acked", "ACKs dropped that answer a 503 of this router (RFC 3261 8.2.7)"),
    SHED("shed", "Requests refused or dropped as this router itself has too much to do"),
    UNREACHABLE("unreachable", "Times that the network said that a node cannot be reached"),
    TABLES("tables", "Tables of owners taken over from nodes");

    private final String text;
    private final String description;

    RouterCounter(String text, String description) {
        this.text = text;
        this.description = description;
    }

    /** Lower-case name, words joined by underscores. */
    public String text() {
        return text;
    }

    /** One phrase for people. */
    public String description() {
        return description;
    }
}
