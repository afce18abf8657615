package io.carillon.server.config;

import io.carillon.sip.address.AddressRanges;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps strangers from taking the server.
 *
 * @param trusted never limited, never banned
 * @param datagramRate per source and second
 * @param datagramBurst at once
 * @param streamRate per source and second, on all its connections
 * @param streamBurst at once
 * @param connectionRate connections that one source opens per second
 * @param connectionBurst at once
 * @param connectionsPerAddress of one source
 * @param unfinishedMessages bytes of all connections
 * @param unsentMessages bytes of all connections
 * @param banAfter failures
 * @param banWindow of those failures
 * @param banTime of a source whose address is certain
 * @param datagramBanTime of a source whose address may be forged
 * @param scanners beginnings of User-Agent values
 * @param forks of one request
 * @param applicationLog lines per second
 * @param serverHeader of responses that the server makes
 */
public record GuardSettings(
        @Setting(
                        reload = true,
                        value =
                                "Sources that are neither limited nor banned: addresses in digits or ranges as in"
                                        + " 192.0.2.0/24. Name your trunks and proxies here.",
                        standard = "127.0.0.0/8,::1",
                        common = true)
                List<String> trusted,
        @Setting(
                        reload = true,
                        value =
                                "Datagrams that one source may send per second, one IPv6 /64 being one source; the"
                                        + " rest is dropped unread. 0: no limit.",
                        standard = "5000",
                        min = "0",
                        max = "10000000",
                        metrics = "net.datagrams_over_rate")
                int datagramRate,
        @Setting(
                        reload = true,
                        value = "Datagrams that one source may send at once.",
                        standard = "2500",
                        min = "1",
                        max = "10000000",
                        metrics = "net.datagrams_over_rate")
                int datagramBurst,
        @Setting(
                        reload = true,
                        value =
                                "Messages per second that one source may send on all its"
                                        + " connections; over it a connection is closed or slowed."
                                        + " 0: no limit.",
                        more =
                                "Over the rate, the server closes a connection that the source"
                                        + " opened. A connection that the server opened itself is"
                                        + " read more slowly.",
                        standard = "5000",
                        min = "0",
                        max = "10000000",
                        metrics = {"net.stream_reads_paused", "net.closed_too_fast"})
                int streamRate,
        @Setting(
                        reload = true,
                        value = "Messages that one source may send at once on all its connections.",
                        standard = "2500",
                        min = "1",
                        max = "10000000",
                        metrics = {"net.stream_reads_paused", "net.closed_too_fast"})
                int streamBurst,
        @Setting(
                        reload = true,
                        value =
                                "Connections that one source may open per second; more are"
                                        + " refused. TLS handshakes cost the server more than the"
                                        + " client. 0: no limit.",
                        standard = "100",
                        min = "0",
                        max = "1000000",
                        metrics = "net.closed_too_fast")
                int connectionRate,
        @Setting(
                        reload = true,
                        value = "Connections that one source may open at once.",
                        standard = "1000",
                        min = "1",
                        max = "1000000",
                        metrics = "net.closed_too_fast")
                int connectionBurst,
        @Setting(
                        reload = true,
                        value =
                                "Connections that one source may have open to us, beside those that we open. 0: no limit.",
                        standard = "1000",
                        min = "0",
                        max = "1000000",
                        metrics = "net.closed_too_many")
                int connectionsPerAddress,
        @Setting(
                        value =
                                "Bytes allocated for unfinished messages of all connections; over"
                                        + " it, connections of the source that holds most are"
                                        + " closed.",
                        more =
                                "A message is unfinished while its rest has not come yet. The"
                                        + " bound is at most a 32nd of the heap.",
                        standard = "64 MiB",
                        min = "1 MiB",
                        max = "1 GiB",
                        metrics = {"net.closed_unfinished_messages", "net.stream_bytes_waiting"})
                ByteSize unfinishedMessages,
        @Setting(
                        value =
                                "Bytes that may wait for slow readers on all connections; over it,"
                                        + " connections of the source that lets most wait are"
                                        + " closed.",
                        more = "A connection counts where more than 16 KiB wait on it.",
                        standard = "128 MiB",
                        min = "1 MiB",
                        max = "16 GiB",
                        metrics = {"net.stream_bytes_unsent", "net.closed_write_queue_full"})
                ByteSize unsentMessages,
        @Setting(
                        reload = true,
                        value =
                                "Failures within `ban-window` after which the server does not"
                                        + " listen to a source. 0: no bans.",
                        more =
                                "Failures are malformed messages, names that do not exist (404),"
                                        + " and wrong credentials. A scanner's User-Agent counts"
                                        + " for ten.",
                        standard = "60",
                        min = "0",
                        max = "1000000",
                        metrics = {"net.bans", "net.bans_made"})
                int banAfter,
        @Setting(
                        reload = true,
                        value = "The time in which failures add up.",
                        standard = "1 min",
                        min = "1 s",
                        max = "24 h")
                Duration banWindow,
        @Setting(
                        reload = true,
                        value =
                                "How long a source is banned whose address is certain: it failed on a connection, or"
                                        + " answered a challenge that was sent to it.",
                        standard = "10 min",
                        min = "1 s",
                        max = "240 h")
                Duration banTime,
        @Setting(
                        reload = true,
                        value =
                                "How long the datagrams of a source are dropped that failed in datagrams, whose"
                                        + " address may be forged.",
                        standard = "1 min",
                        min = "1 s",
                        max = "240 h")
                Duration datagramBanTime,
        @Setting(
                        reload = true,
                        value =
                                "Beginnings of the User-Agent of programs that look for victims, in any case: their"
                                        + " requests get no answer.",
                        standard =
                                "friendly-scanner,sipvicious,sip-scan,sipcli,sundayddr,iwar,vaxsipuseragent,pplsip,smap")
                List<String> scanners,
        @Setting(
                        value =
                                "Forks that are taken of one INVITE or SUBSCRIBE; what comes of a"
                                        + " further one is dropped.",
                        more =
                                "Forks are told apart by their tags. At a proxy the first one of"
                                        + " each target counts for nothing, and a 2xx of a further"
                                        + " one is passed on without a session.",
                        standard = "64",
                        min = "1",
                        max = "10000",
                        metrics = "sip.forks_refused")
                int forks,
        @Setting(
                        value =
                                "Lines per second that one application may write with ServletContext.log; the rest is"
                                        + " counted. 0: no limit.",
                        standard = "1000",
                        min = "0",
                        max = "1000000",
                        metrics = "applications.log_lines_left_out")
                int applicationLog,
        @Setting(
                        value =
                                "Text of the Server header in responses that the server makes by itself. It tells"
                                        + " scanners whom they met.",
                        standardText = "no such header")
                @Nullable String serverHeader) {

    /** What has to hold of the texts. */
    public GuardSettings {
        AddressRanges.of(trusted);
        for (String scanner : scanners) {
            if (scanner.isBlank()) {
                throw new IllegalArgumentException("scanners: an empty text would be everybody's");
            }
        }
        if (serverHeader != null && serverHeader.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("server-header is one line of printable ASCII");
        }
    }
}
