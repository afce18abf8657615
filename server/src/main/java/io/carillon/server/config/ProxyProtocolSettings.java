package io.carillon.server.config;

import io.carillon.sip.address.AddressRanges;
import java.util.List;

/**
 * Balancers before the server that say whom they connect.
 *
 * @param trusted their addresses
 */
public record ProxyProtocolSettings(
        @Setting(
                        value =
                                "Balancers whose connections begin with a header of the PROXY"
                                        + " protocol: addresses in digits or ranges as in"
                                        + " 192.0.2.0/24.",
                        more =
                                "This holds for SIP ports of TCP, TLS, WS and WSS, and for version"
                                        + " 1 or 2 (HAProxy: `send-proxy` or `send-proxy-v2`). The"
                                        + " source that the header names counts for limits, bans,"
                                        + " traces and applications. A balancer named here has to"
                                        + " send the header; nobody else may.",
                        standardText = "none")
                List<String> trusted) {
    /** Each is an address or a range. */
    public ProxyProtocolSettings {
        AddressRanges.of(trusted);
    }
}
