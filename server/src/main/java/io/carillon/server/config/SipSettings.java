package io.carillon.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SIP side.
 *
 * @param listen where to listen
 * @param externalHost what others call us
 * @param domains names that are ours
 * @param shards event loops
 * @param receiveBuffer of a UDP socket
 * @param sendBuffer of a UDP socket
 * @param t1 RFC 3261 17.1.1.1
 * @param t2 RFC 3261 17.1.2.2
 * @param t4 RFC 3261 17.1.2.2
 * @param timerC RFC 3261 16.6
 * @param ringingWithin RFC 3261 13.3.1.1
 * @param trying when 100 Trying is sent
 * @param maxTransactions cap of a server
 * @param requestHeap cap of a server
 * @param sharePerSource of transactions and request heap, in percent
 * @param maxMessage cap of a message
 * @param maxHeaders cap of a message
 * @param maxHeader cap of a header
 */
public record SipSettings(
        @Setting(
                        reload = true,
                        value = "Where to listen for SIP. The default is this machine only.",
                        more =
                                "Strangers find an open port within the hour. `as HOST:PORT` after"
                                        + " an address says what others call it, as in"
                                        + " `tls:10.0.0.5:5061 as sip.example.com:5061`.",
                        standard = "udp:127.0.0.1:5060, tcp:127.0.0.1:5060",
                        common = true)
                List<ListenAddress> listen,
        @Setting(
                        value =
                                "Host that Via, Contact and Record-Route name, where others reach"
                                        + " the server under another address than the one it listens"
                                        + " on.",
                        standardText = "the address of the listening socket",
                        common = true)
                @Nullable String externalHost,
        @Setting(
                        reload = true,
                        value = "Host names that mean this server, beside its addresses.",
                        common = true)
                List<String> domains,
        @Setting(
                        value =
                                "Event loops; a call lives on one of them. 0 is one for each"
                                        + " processor.",
                        standard = "0",
                        min = "0",
                        max = "256")
                int shards,
        @Setting(
                        value =
                                "Whether the kernel puts a datagram into the socket of the event"
                                        + " loop that its call lives on, where there are several.",
                        more =
                                "This needs Linux with `net.core.optmem_max` of at least 131072,"
                                        + " the default from 6.8 on. Otherwise one loop passes the"
                                        + " datagram on to the other.",
                        standard = "true")
                boolean socketByCall,
        @Setting(
                        value =
                                "Whether event loops that have little to do share a thread, where"
                                        + " there are several (Linux).",
                        standard = "false")
                boolean shareThreads,
        @Setting(
                        value =
                                "Receive buffer of each UDP socket. The kernel may grant less"
                                        + " (net.core.rmem_max); the start says so.",
                        standard = "4 MiB",
                        min = "64 KiB",
                        max = "256 MiB",
                        metrics = "kernel.drops")
                ByteSize receiveBuffer,
        @Setting(
                        value = "Send buffer of each UDP socket.",
                        standard = "4 MiB",
                        min = "64 KiB",
                        max = "256 MiB")
                ByteSize sendBuffer,
        @Setting(
                        value = "Timer T1, the round trip estimate (RFC 3261 17.1.1.1).",
                        standard = "500 ms",
                        min = "50 ms",
                        max = "10 s")
                Duration t1,
        @Setting(
                        value = "Timer T2, the longest gap between retransmissions.",
                        standard = "4 s",
                        min = "100 ms",
                        max = "60 s")
                Duration t2,
        @Setting(
                        value = "Timer T4, how long a message may stay in the network.",
                        standard = "5 s",
                        min = "100 ms",
                        max = "60 s")
                Duration t4,
        @Setting(
                        value = "Timer C, how long a proxied INVITE may ring (RFC 3261 16.6).",
                        standard = "181 s",
                        min = "10 s",
                        max = "24 h",
                        metrics = "sip.ringing_too_long")
                Duration timerC,
        @Setting(
                        value =
                                "How long the callee of an application's INVITE may ring after its"
                                        + " last provisional response; then the server cancels the"
                                        + " INVITE.",
                        more = "RFC 3261 13.3.1.1 has a callee send one every minute.",
                        standard = "15 min",
                        min = "3 min",
                        max = "24 h",
                        metrics = "sip.ringing_too_long")
                Duration ringingWithin,
        @Setting(
                        value =
                                "When 100 Trying answers an INVITE: at once, or only where nothing"
                                        + " else was sent for 200 ms (RFC 3261 17.2.1).",
                        standard = "delayed")
                Trying trying,
        @Setting(
                        value =
                                "Transactions that may exist at once, where the heap has room for"
                                        + " them; more are refused with 503.",
                        more =
                                "There are no more than the heap has room for beside all other"
                                        + " bounds, at 1.5 KiB each.",
                        standard = "2000000",
                        min = "1000",
                        max = "50000000",
                        metrics = {
                            "transactions",
                            "sip.refused_full",
                            "sip.unsent_full",
                            "sip.refused_share"
                        })
                int maxTransactions,
        @Setting(
                        value =
                                "Percent of the heap that received requests may hold until they"
                                        + " are answered; above it, new calls get 503 with"
                                        + " Retry-After.",
                        more =
                                "An INVITE holds its part until the ACK. A quarter above the"
                                        + " bound, every request but BYE and CANCEL is refused;"
                                        + " half above it, every request. Messages of more than 8"
                                        + " KiB have half of the bound. Messages that wait for"
                                        + " busy calls may hold half as much beside it.",
                        standard = "10",
                        min = "1",
                        max = "45",
                        unit = "%",
                        metrics = {
                            "sip.refused_request_heap",
                            "sip.refused_large",
                            "sip.unsent_full",
                            "sip.finals_not_kept",
                            "sip.refused_share",
                            "sip.messages_not_queued",
                            "sip.requests_not_queued",
                            "sip.finals_not_queued",
                            "net.hops_dropped",
                            "sip.bytes_held",
                            "sip.bytes_waiting"
                        })
                int requestHeap,
        @Setting(
                        value =
                                "Percent of the transactions and of the request heap that others"
                                        + " leave, for one source; its new requests beyond get"
                                        + " 503. 100: no limit.",
                        more =
                                "The share is one of what others leave of `max-transactions`, of"
                                        + " `request-heap` and of what may wait for busy calls."
                                        + " The limit holds while more than half of that is taken."
                                        + " New requests beyond the share get 503, other requests"
                                        + " of the source a quarter above it. Sources in"
                                        + " `guard.trusted` have no limit.",
                        standard = "25",
                        min = "1",
                        max = "100",
                        unit = "%",
                        metrics = {"sip.refused_share", "sip.requests_not_queued"})
                int sharePerSource,
        @Setting(
                        value = "Longest message.",
                        standard = "65535",
                        min = "2048",
                        max = "1 MiB",
                        metrics = {"sip.malformed_answered", "net.closed_malformed"})
                ByteSize maxMessage,
        @Setting(
                        value = "Headers in a message.",
                        standard = "512",
                        min = "32",
                        max = "10000",
                        metrics = {"sip.malformed_answered", "net.closed_malformed"})
                int maxHeaders,
        @Setting(
                        value = "Longest header.",
                        standard = "16 KiB",
                        min = "512",
                        max = "64 KiB",
                        metrics = {"sip.malformed_answered", "net.closed_malformed"})
                ByteSize maxHeader) {

    /** What has to hold between the values. */
    public SipSettings {
        if (t2.compareTo(t1) < 0) {
            throw new IllegalArgumentException(
                    "t2 has to be at least t1, as RFC 3261 17.1.2.2 doubles t1 up to t2");
        }
    }

    /** When 100 Trying is sent. */
    public enum Trying {
        /** With the arrival of the INVITE. */
        IMMEDIATE,
        /** After 200 ms without another response. */
        DELAYED
    }

    SipSettings withListen(List<ListenAddress> other) {
        return new SipSettings(
                other,
                externalHost,
                domains,
                shards,
                socketByCall,
                shareThreads,
                receiveBuffer,
                sendBuffer,
                t1,
                t2,
                t4,
                timerC,
                ringingWithin,
                trying,
                maxTransactions,
                requestHeap,
                sharePerSource,
                maxMessage,
                maxHeaders,
                maxHeader);
    }
}
