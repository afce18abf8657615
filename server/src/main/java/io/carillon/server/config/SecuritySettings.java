package io.carillon.server.config;

import io.carillon.servlet.security.Security;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.privacy.AddressRange;
import java.time.Duration;
import java.util.List;

/**
 * How callers are asked who they are.
 *
 * @param realm by default
 * @param algorithms offered
 * @param nonceLife how long a challenge may be answered
 * @param trustedPeers whose asserted identities count
 */
public record SecuritySettings(
        @Setting(
                        value = "Realm of applications whose login-config names none.",
                        standard = "carillon")
                String realm,
        @Setting(
                        value = "Digest algorithms that are offered, most preferred first.",
                        standard = "sha-256,sha-512-256,md5")
                List<DigestAlgorithm> algorithms,
        @Setting(
                        value = "How long a challenge may be answered.",
                        standard = "5 min",
                        min = "1 s",
                        max = "24 h")
                Duration nonceLife,
        @Setting(
                        value =
                                "Peers whose P-Asserted-Identity is believed, where an application asks for identity"
                                        + " assertion: addresses in digits, ranges as 192.0.2.0/24, or `tls:DOMAIN` for who proved by a TLS"
                                        + " certificate to be that domain (RFC 5922).",
                        standardText = "none")
                List<String> trustedPeers) {
    public SecuritySettings {
        for (String peer : trustedPeers) {
            if (peer.startsWith(Security.TLS) && peer.length() > Security.TLS.length()) {
                continue;
            }
            try {
                AddressRange.parse(peer);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "trusted-peers names addresses in digits, ranges and tls:DOMAIN, not '"
                                + peer
                                + "'",
                        e);
            }
        }
    }
}
