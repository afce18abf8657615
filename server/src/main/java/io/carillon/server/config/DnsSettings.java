package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.time.Duration;
import java.util.List;

/**
 * Finding servers by name and going from one to the next (docs/guides/dns.md).
 *
 * @param servers who is asked
 * @param timeout of one question
 * @param attempts per server
 * @param resolutionTimeout of all questions for one target
 * @param cacheEntries remembered answers
 * @param minTtl of remembered answers
 * @param maxTtl of remembered answers
 * @param negativeTtl of "there is none"
 * @param failureTtl of "nobody answers"
 * @param stale how long old answers serve
 * @param maxInFlight questions on their way
 * @param maxWaiting requests that wait
 * @param maxNaptr records looked at
 * @param maxSrv records looked at
 * @param maxServers tried for one request
 * @param maxQuestions for one target
 * @param tryNext when a silent server is left
 * @param downTime how long a failed server comes last
 * @param maxRetryAfter how long a 503 is believed
 * @param responses whether RFC 3263 section 5 is followed
 */
public record DnsSettings(
        @Setting(
                        value = "DNS servers, addresses in digits with their ports.",
                        standardText = "those of the system (/etc/resolv.conf)",
                        common = true)
                List<HostPort> servers,
        @Setting(
                        value = "How long one server may take for one question.",
                        standard = "2 s",
                        min = "100 ms",
                        max = "30 s")
                Duration timeout,
        @Setting(value = "How often each server is asked.", standard = "2", min = "1", max = "10")
                int attempts,
        @Setting(
                        value =
                                "How long all questions for one target may take; then the request goes to the servers"
                                        + " found so far, or nowhere.",
                        standard = "10 s",
                        min = "100 ms",
                        max = "60 s")
                Duration resolutionTimeout,
        @Setting(
                        value = "Answers that are remembered.",
                        standard = "10000",
                        min = "16",
                        max = "10000000",
                        metrics = "net.dns_cache_forgotten")
                int cacheEntries,
        @Setting(
                        value = "An answer is remembered at least so long, whatever its TTL.",
                        standard = "1 s",
                        min = "0 s",
                        max = "24 h")
                Duration minTtl,
        @Setting(
                        value = "An answer is remembered no longer, whatever its TTL.",
                        standard = "1 h",
                        min = "1 s",
                        max = "168 h")
                Duration maxTtl,
        @Setting(
                        value =
                                "How long it is remembered at most that a name has no records (RFC 2308).",
                        standard = "60 s",
                        min = "0 s",
                        max = "3 h")
                Duration negativeTtl,
        @Setting(
                        value =
                                "A question that no server answered is not asked again for so long.",
                        standard = "5 s",
                        min = "0 s",
                        max = "5 min")
                Duration failureTtl,
        @Setting(
                        value =
                                "So long after its time an answer still serves while no server gives a new one"
                                        + " (RFC 8767).",
                        standard = "1 h",
                        min = "0 s",
                        max = "168 h")
                Duration stale,
        @Setting(
                        value = "Questions that may be on their way at once.",
                        more =
                                "Questions about one zone, or of one source, may be as many as"
                                        + " they leave free.",
                        standard = "512",
                        min = "1",
                        max = "65536",
                        metrics = "net.lookups_too_many_waiting")
                int maxInFlight,
        @Setting(
                        value =
                                "Requests that may wait for answers; one without a place gets an"
                                        + " answer that had its time, else 503.",
                        more =
                                "Requests for one zone may be as many as they leave free. When all"
                                        + " places are taken, a request of the source that holds"
                                        + " most gives way to whoever holds less.",
                        standard = "2048",
                        min = "1",
                        max = "1000000",
                        metrics = "net.lookups_too_many_waiting")
                int maxWaiting,
        @Setting(
                        value = "NAPTR records of a name that are looked at.",
                        standard = "16",
                        min = "1",
                        max = "1000")
                int maxNaptr,
        @Setting(
                        value = "SRV records of a name that are looked at.",
                        standard = "100",
                        min = "1",
                        max = "1000")
                int maxSrv,
        @Setting(
                        value =
                                "Servers that are tried for one request, of a stranger four at most.",
                        standard = "16",
                        min = "1",
                        max = "256")
                int maxServers,
        @Setting(
                        value =
                                "Questions that one request may lead to, with all its branches and"
                                        + " redirects; remembered answers cost nothing.",
                        more =
                                "The bound holds for a request that came in, and for a request of"
                                        + " an application. It also bounds the names that are"
                                        + " looked at for one target.",
                        standard = "48",
                        min = "4",
                        max = "4096",
                        metrics = "net.lookups_too_many_questions")
                int maxQuestions,
        @Setting(
                        value =
                                "A server that has answered nothing for so long is left for the"
                                        + " next one of its domain. 0: at Timer B or F.",
                        more =
                                "With 0 we wait for the server until Timer B or F, as RFC 3263 has"
                                        + " it.",
                        standard = "0",
                        min = "0 s",
                        max = "32 s")
                Duration tryNext,
        @Setting(
                        value = "A server that failed is tried after the others for so long.",
                        standard = "30 s",
                        min = "0 s",
                        max = "1 h")
                Duration downTime,
        @Setting(
                        value = "The longest time for which the Retry-After of a 503 is believed.",
                        standard = "5 min",
                        min = "0 s",
                        max = "24 h")
                Duration maxRetryAfter,
        @Setting(
                        value =
                                "A response that cannot reach the address of its client goes to where the name in the"
                                        + " Via leads (RFC 3263 section 5).",
                        standard = "true")
                boolean responses) {

    /** What has to hold between the values. */
    public DnsSettings {
        if (maxTtl.compareTo(minTtl) < 0) {
            throw new IllegalArgumentException("max-ttl has to be at least min-ttl");
        }
    }
}
