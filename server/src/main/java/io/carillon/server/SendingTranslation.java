package io.carillon.server;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.resolve.DnsConfig;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.server.config.DnsSettings;
import io.carillon.server.config.EgressSettings;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.FailoverConfig;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is configured about names and ways, in the words of the modules below. */
final class SendingTranslation {
    private static final int MAX_DOWN = 1024;

    private SendingTranslation() {}

    static FailoverConfig failover(DnsSettings dns) {
        return new FailoverConfig(
                dns.tryNext().toNanos(),
                dns.downTime().toNanos(),
                dns.maxRetryAfter().toNanos(),
                MAX_DOWN,
                dns.responses());
    }

    /**
     * @throws IllegalArgumentException for a DNS server that is no address in digits
     */
    static DnsConfig dns(DnsSettings dns) {
        List<InetSocketAddress> servers = new ArrayList<>();
        for (HostPort server : dns.servers()) {
            InetAddress address = HostLiteral.parse(server.bareHost());
            if (address == null || server.port() == 0) {
                throw new IllegalArgumentException(
                        "dns.servers: " + server + " is no address in digits with a port");
            }
            servers.add(new InetSocketAddress(address, server.port()));
        }
        return DnsConfig.defaults()
                .withServers(servers)
                .withQuestions(
                        new DnsConfig.Questions(
                                millis(dns.timeout()),
                                dns.attempts(),
                                dns.maxInFlight(),
                                dns.maxWaiting()))
                .withCache(
                        new DnsConfig.Cache(
                                dns.cacheEntries(),
                                seconds(dns.minTtl()),
                                seconds(dns.maxTtl()),
                                seconds(dns.negativeTtl()),
                                seconds(dns.failureTtl()),
                                seconds(dns.stale())))
                .withLimits(
                        new DnsConfig.Limits(
                                millis(dns.resolutionTimeout()),
                                dns.maxNaptr(),
                                dns.maxSrv(),
                                dns.maxServers(),
                                dns.maxQuestions()));
    }

    static EgressConfig egress(EgressSettings egress) {
        return new EgressConfig(
                AddressRanges.of(egress.allow()), AddressRanges.of(egress.deny()), egress.icmp());
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(duration.toSeconds());
    }
}
