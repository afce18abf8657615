package io.carillon.net.resolve;

import io.carillon.net.config.NumberChecks;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How names are looked up, and how much of it. Immutable; {@link #defaults} gives the defaults, the
 * {@code with} methods change one part.
 *
 * @param servers DNS servers; none: those of the system
 * @param hostsFile names that need no DNS; null for none
 * @param questions how one question is asked
 * @param cache what is remembered
 * @param limits of one resolution
 */
public record DnsConfig(
        List<InetSocketAddress> servers,
        @Nullable Path hostsFile,
        Questions questions,
        Cache cache,
        Limits limits) {

    public DnsConfig {
        servers = List.copyOf(servers);
    }

    /** The system's servers and hosts file. */
    public static DnsConfig defaults() {
        return new DnsConfig(
                List.of(),
                Path.of("/etc/hosts"),
                new Questions(2_000, 2, 512, 2_048),
                new Cache(10_000, 1, 3_600, 60, 5, 3_600),
                new Limits(10_000, 16, 100, 16, 48));
    }

    public DnsConfig withServers(List<InetSocketAddress> list) {
        return new DnsConfig(list, hostsFile, questions, cache, limits);
    }

    public DnsConfig withHostsFile(@Nullable Path file) {
        return new DnsConfig(servers, file, questions, cache, limits);
    }

    public DnsConfig withQuestions(Questions part) {
        return new DnsConfig(servers, hostsFile, part, cache, limits);
    }

    public DnsConfig withCache(Cache part) {
        return new DnsConfig(servers, hostsFile, questions, part, limits);
    }

    public DnsConfig withLimits(Limits part) {
        return new DnsConfig(servers, hostsFile, questions, cache, part);
    }

    /**
     * Questions.
     *
     * @param timeoutMillis how long one server may take for one question
     * @param attempts how often each server is asked
     * @param maxInFlight questions that may be on their way at once
     * @param maxWaiting requests that may wait for answers; over it a target stays unresolved
     */
    public record Questions(int timeoutMillis, int attempts, int maxInFlight, int maxWaiting) {
        public Questions {
            NumberChecks.positive("time of a question", timeoutMillis);
            NumberChecks.positive("attempts", attempts);
            NumberChecks.positive("questions in flight", maxInFlight);
            NumberChecks.positive("waiting requests", maxWaiting);
        }
    }

    /**
     * Answers that are remembered. All times in seconds.
     *
     * @param cacheEntries names and types
     * @param minTtlSeconds answers are kept at least so long, whatever their TTL
     * @param maxTtlSeconds answers are kept no longer
     * @param negativeTtlSeconds it is remembered no longer that there is no answer (RFC 2308)
     * @param failureTtlSeconds how long a question that nobody answered is not asked again
     * @param staleSeconds how long after its time an answer still serves while nobody gives a new
     *     one (RFC 8767)
     */
    public record Cache(
            int cacheEntries,
            int minTtlSeconds,
            int maxTtlSeconds,
            int negativeTtlSeconds,
            int failureTtlSeconds,
            int staleSeconds) {
        public Cache {
            NumberChecks.positive("cached answers", cacheEntries);
            if (minTtlSeconds < 0
                    || maxTtlSeconds < minTtlSeconds
                    || negativeTtlSeconds < 0
                    || failureTtlSeconds < 0
                    || staleSeconds < 0) {
                throw new IllegalArgumentException("times of the DNS cache cannot be negative");
            }
        }
    }

    /**
     * Limits of one resolution.
     *
     * @param resolutionTimeoutMillis how long it may take in all
     * @param maxNaptr NAPTR records that are looked at
     * @param maxSrv SRV records of one name that are looked at
     * @param maxServers servers that are tried
     * @param maxQuestions names that are asked for; questions of one {@link
     *     io.carillon.sip.hop.LookupBudget}
     */
    public record Limits(
            int resolutionTimeoutMillis,
            int maxNaptr,
            int maxSrv,
            int maxServers,
            int maxQuestions) {
        public Limits {
            NumberChecks.positive("time of a resolution", resolutionTimeoutMillis);
            NumberChecks.positive("NAPTR records", maxNaptr);
            NumberChecks.positive("SRV records", maxSrv);
            NumberChecks.positive("servers tried", maxServers);
            NumberChecks.positive("questions", maxQuestions);
        }
    }
}
