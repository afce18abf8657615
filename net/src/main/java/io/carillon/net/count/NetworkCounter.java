package io.carillon.net.count;

/** What a network counts. The text is a metric's name after {@code carillon_net_}. */
public enum NetworkCounter {
    DATAGRAMS_IN("datagrams_in", "Datagrams received"),
    DATAGRAMS_OUT("datagrams_out", "Datagrams handed to the kernel's queue"),
    DATAGRAM_BYTES_IN("datagram_bytes_in", "Bytes received in datagrams"),
    DATAGRAM_BYTES_OUT("datagram_bytes_out", "Bytes sent in datagrams"),
    READ_BATCHES("read_batches", "Times a datagram socket was found readable"),
    WRITE_BATCHES("write_batches", "Times datagrams were flushed"),
    KEEPALIVES("keepalives", "Empty or line-break keep-alives, and pings on streams"),
    STUN_REQUESTS("stun_requests", "STUN Binding requests answered on UDP ports"),
    STUN_DROPPED("stun_dropped", "STUN messages dropped: malformed, or too many in a second"),
    WRONG_SHARD_HOPS("wrong_shard_hops", "Messages that arrived on another shard's thread"),
    LOOPS_TAKEN_OVER(
            "loops_taken_over", "Times a handler held the thread of a loop, which got another"),
    LOOPS_MOVED("loops_moved", "Times a loop began to share a thread, or got its own again"),
    HOPS_DROPPED("hops_dropped", "Messages dropped because the right shard's queue was full"),
    DATAGRAM_SEND_ERRORS("datagram_send_errors", "Datagrams the kernel refused to send"),
    DATAGRAMS_UNSENT("datagrams_unsent", "Datagrams dropped because the socket's queue was full"),
    DATAGRAMS_OVER_RATE(
            "datagrams_over_rate", "Datagrams dropped of sources that send more than one may"),
    DATAGRAMS_BANNED("datagrams_banned", "Datagrams dropped of banned sources"),
    DATAGRAM_READ_ERRORS("datagram_read_errors", "Errors on reading a datagram socket"),
    NO_ROUTE("no_route", "Messages for a transport or address family that is not open here"),
    STREAM_BYTES_IN("stream_bytes_in", "Bytes received on connections"),
    STREAM_BYTES_OUT("stream_bytes_out", "Bytes sent on connections"),
    STREAM_MESSAGES_IN("stream_messages_in", "Messages received on connections"),
    STREAM_READS_PAUSED(
            "stream_reads_paused",
            "Times a connection opened by us was not read, as its peer sent more than one may"),
    STREAM_MESSAGES_OUT("stream_messages_out", "Messages sent on connections"),
    STREAM_SEND_FAILURES("stream_send_failures", "Messages that could not be sent on a connection"),
    CONNECTIONS_CONNECTING("connections_connecting", "Connections being opened, now"),
    CONNECTIONS_OPEN("connections_open", "Connections open, now"),
    CONNECTIONS_ACCEPTED("connections_accepted", "Connections accepted"),
    CONNECTIONS_OPENED("connections_opened", "Connections opened by us"),
    CLOSED_BY_PEER("closed_by_peer", "Connections closed by the peer"),
    CLOSED_BY_ERROR("closed_by_error", "Connections ended by an error below them"),
    CLOSED_CONNECT_FAILED("closed_connect_failed", "Connections that could not be opened"),
    CLOSED_CONNECT_TIMEOUT("closed_connect_timeout", "Connections not open in time"),
    CLOSED_TLS_FAILED("closed_tls_failed", "Connections whose TLS failed"),
    CLOSED_HANDSHAKE_TIMEOUT(
            "closed_handshake_timeout", "Connections whose TLS handshake took too long"),
    CLOSED_UPGRADE_REFUSED("closed_upgrade_refused", "WebSocket upgrades refused on either side"),
    CLOSED_UPGRADE_TIMEOUT("closed_upgrade_timeout", "WebSocket upgrades that took too long"),
    CLOSED_NO_FIRST_MESSAGE(
            "closed_no_first_message", "Connections closed without a first message in time"),
    CLOSED_UNANSWERED(
            "closed_unanswered", "Connections opened by us and closed, as nobody answered on them"),
    CLOSED_SLOW_MESSAGE(
            "closed_slow_message", "Connections closed for a message that took too long"),
    CLOSED_IDLE("closed_idle", "Connections closed at the idle limit"),
    CLOSED_NO_PONG("closed_no_pong", "Connections closed for a keep-alive without an answer"),
    CLOSED_MALFORMED("closed_malformed", "Connections closed for bytes that are no SIP"),
    CLOSED_PING_FLOOD("closed_ping_flood", "Connections closed for too many WebSocket pings"),
    CLOSED_FRAGMENT_FLOOD(
            "closed_fragment_flood", "Connections closed for too many fragments of WebSocket"),
    CLOSED_WRITE_QUEUE_FULL(
            "closed_write_queue_full", "Connections closed for a peer that does not read"),
    CLOSED_TOO_MANY("closed_too_many", "Connections refused or closed over the limits"),
    NOT_OPENED_TOO_MANY("not_opened_too_many", "Connections of ours not opened over the limit"),
    CLOSED_TOO_FAST("closed_too_fast", "Connections closed of sources that send more than one may"),
    CLOSED_BANNED("closed_banned", "Connections refused or closed of banned sources"),
    PROXY_HEADERS_REFUSED(
            "proxy_headers_refused",
            "Connections closed that began with a PROXY header and are not of a trusted proxy"),
    PROXY_HEADERS_BROKEN(
            "proxy_headers_broken",
            "Connections of trusted proxies closed whose PROXY header was wrong, or came too late"),
    CLOSED_UNFINISHED_MESSAGES(
            "closed_unfinished_messages",
            "Connections closed because unfinished messages held too much"),
    STREAM_BYTES_WAITING("stream_bytes_waiting", "Bytes of unfinished messages, now"),
    STREAM_BYTES_UNSENT("stream_bytes_unsent", "Bytes that wait for slow readers, now"),
    CLOSED_SHUTDOWN("closed_shutdown", "Connections closed at the end"),
    TARGETS_REFUSED(
            "targets_refused", "Targets refused: broadcast, multicast, unspecified or port 0"),
    TARGETS_UNSUPPORTED("targets_unsupported", "Targets refused: transport not supported"),
    TARGETS_UNRESOLVED("targets_unresolved", "Targets whose host name has no usable address"),
    EGRESS_PORT("egress_port", "Messages and targets refused: port 0"),
    EGRESS_UNSPECIFIED("egress_unspecified", "Messages and targets refused: address of nobody"),
    EGRESS_BROADCAST("egress_broadcast", "Messages and targets refused: broadcast"),
    EGRESS_MULTICAST("egress_multicast", "Messages and targets refused: multicast"),
    EGRESS_LOOPBACK("egress_loopback", "Messages and targets refused: loopback"),
    EGRESS_LINK_LOCAL(
            "egress_link_local", "Messages and targets refused: link-local or a cloud's metadata"),
    EGRESS_DENIED("egress_denied", "Messages and targets refused: egress.deny"),
    LOOKUPS("lookups", "Questions asked of the DNS"),
    LOOKUPS_TOO_MANY_WAITING(
            "lookups_too_many_waiting", "Questions not asked because too many were waiting"),
    LOOKUPS_TOO_MANY_QUESTIONS(
            "lookups_too_many_questions",
            "Questions not asked because the request that they were for had asked so many"),
    DNS_CACHE_FORGOTTEN("dns_cache_forgotten", "Answers forgotten to make room for others"),
    LOOKUPS_FAILED("lookups_failed", "Questions that no DNS server answered"),
    LOOKUPS_STALE(
            "lookups_stale", "Questions that no DNS server answered, but an older answer did"),
    LOOKUPS_TIMED_OUT("lookups_timed_out", "Targets whose look-up took too long in all"),
    LOOKUPS_LIMITED("lookups_limited", "Targets with more records than are looked at"),
    ICMP_ERRORS("icmp_errors", "ICMP errors about requests of ours"),
    ICMP_IGNORED("icmp_ignored", "ICMP errors that say nothing about a request of ours"),
    FAULTS("faults", "Exceptions that reached an event loop: bugs of ours");

    private final String text;
    private final String description;

    NetworkCounter(String text, String description) {
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

    /** True for what goes down again. */
    public boolean gauge() {
        return this == CONNECTIONS_CONNECTING
                || this == CONNECTIONS_OPEN
                || this == STREAM_BYTES_WAITING
                || this == STREAM_BYTES_UNSENT;
    }
}
