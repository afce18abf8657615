package io.carillon.server.config;

import io.carillon.sip.address.AddressRanges;
import java.util.List;

/**
 * Where messages may go, and how (docs/guides/dns.md).
 *
 * @param allow opened
 * @param deny closed
 * @param icmp whether it is heard of
 * @param udpLimit when TCP is used
 */
public record EgressSettings(
        @Setting(
                        reload = true,
                        value =
                                "Ranges that the server may send to although they are loopback,"
                                        + " link-local, of this machine or a cloud's metadata.",
                        more =
                                "An example is 127.0.0.0/8 where a listening point on all"
                                        + " addresses has peers on this machine.",
                        standardText = "none",
                        common = true)
                List<String> allow,
        @Setting(
                        reload = true,
                        value = "Ranges that nothing is sent to; stronger than allow.",
                        standardText = "none",
                        common = true)
                List<String> deny,
        @Setting(
                        value =
                                "Whether \"unreachable\" from the network (ICMP) fails the requests that it is about"
                                        + " at once; with epoll only.",
                        standard = "true")
                boolean icmp,
        @Setting(
                        value =
                                "Requests of more bytes leave by TCP where the peer takes that,"
                                        + " else by UDP (RFC 3261 18.1.1: 1300 where the path's"
                                        + " MTU is unknown).",
                        standard = "1300",
                        min = "500",
                        max = "65507")
                int udpLimit) {

    /** What has to hold for the values. */
    public EgressSettings {
        AddressRanges.of(allow);
        AddressRanges.of(deny);
    }
}
