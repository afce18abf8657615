package io.carillon.net.resolve;

import io.carillon.sip.hop.Transport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.NAPTRRecord;
import org.xbill.DNS.Record;

/**
 * A name that SRV records are asked for, and the transport that they are of.
 *
 * @param transport of the servers
 * @param name {@code _sip._udp.example.com}
 */
public record SrvName(Transport transport, String name) {

    /** The service that a transport has in a domain (RFC 3263 4.1); null for those without one. */
    static @Nullable SrvName of(Transport transport, String domain) {
        String prefix =
                switch (transport) {
                    case UDP -> "_sip._udp.";
                    case TCP -> "_sip._tcp.";
                    case TLS -> "_sips._tcp.";
                    // RFC 7118 section 6.1 gives NAPTR services to WebSocket, but no SRV name.
                    case WS, WSS -> null;
                };
        return prefix == null ? null : new SrvName(transport, prefix + domain);
    }

    /**
     * What NAPTR records offer that we can use, the best first (RFC 3263 4.1, RFC 3403 4.1).
     *
     * @param secure for a SIPS URI: "a client resolving a SIPS URI MUST discard any services that
     *     do not contain "SIPS" as the protocol in the service field"
     * @param most records looked at
     */
    public static List<SrvName> of(
            List<Record> records, boolean secure, int most, Predicate<Transport> usable) {
        List<NAPTRRecord> sorted = new ArrayList<>();
        for (Record record : records) {
            if (record instanceof NAPTRRecord naptr) {
                sorted.add(naptr);
            }
        }
        sorted.sort(
                Comparator.comparingInt(NAPTRRecord::getOrder)
                        .thenComparingInt(NAPTRRecord::getPreference));
        List<SrvName> services = new ArrayList<>();
        int order = -1;
        for (NAPTRRecord naptr : sorted.subList(0, Math.min(most, sorted.size()))) {
            // RFC 3403 4.1: once a record was found that fits, "the client MUST NOT consider any
            // NAPTRs with a different value for ORDER".
            if (order >= 0 && naptr.getOrder() != order) {
                break;
            }
            Transport transport = transport(naptr.getService().toUpperCase(Locale.ROOT));
            if (transport != null
                    && (!secure || transport.secure())
                    && usable.test(transport)
                    && naptr.getFlags().equalsIgnoreCase("s")
                    && naptr.getRegexp().isEmpty()) {
                order = naptr.getOrder();
                services.add(new SrvName(transport, naptr.getReplacement().toString(true)));
            }
        }
        return services;
    }

    private static @Nullable Transport transport(String service) {
        return switch (service) {
            case "SIP+D2U" -> Transport.UDP;
            case "SIP+D2T" -> Transport.TCP;
            case "SIPS+D2T" -> Transport.TLS;
            case "SIP+D2W" -> Transport.WS;
            case "SIPS+D2W" -> Transport.WSS;
            default -> null;
        };
    }
}
