package io.carillon.server.config;

import io.carillon.servlet.feature.security.Security;
import io.carillon.sip.address.AddressRange;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestUri;
import java.time.Duration;
import java.util.List;

/**
 * How callers are asked who they are.
 *
 * @param realm by default
 * @param algorithms offered
 * @param nonceLife how long a challenge may be answered
 * @param digestUri how the uri of credentials is compared with the Request-URI
 * @param nonces whose used counts are remembered
 * @param usersRemembered of what the store said
 * @param lookups names that the store is asked for at once
 * @param trustedPeers whose asserted identities count
 */
public record SecuritySettings(
        @Setting(
                        reload = true,
                        value = "Realm of applications whose login-config names none.",
                        standard = "carillon",
                        common = true)
                String realm,
        @Setting(
                        reload = true,
                        value = "Digest algorithms that are offered, most preferred first.",
                        standard = "sha-256,sha-512-256,md5")
                List<DigestAlgorithm> algorithms,
        @Setting(
                        reload = true,
                        value = "How long a challenge may be answered.",
                        standard = "5 min",
                        min = "1 s",
                        max = "24 h")
                Duration nonceLife,
        @Setting(
                        reload = true,
                        value =
                                "How the `uri` of credentials has to agree with the Request-URI:"
                                        + " `same`, in user and host; `user`, in the user; `any`,"
                                        + " not compared.",
                        more =
                                "With `same`, all hosts of ours are one. `user` is for a proxy"
                                        + " before this server that changes the host, `any` for"
                                        + " one that changes users too.",
                        standard = "same",
                        metrics = "security.uris_refused")
                DigestUri digestUri,
        @Setting(
                        value =
                                "Nonces whose used counts are remembered, of all realms and applications. Of more the"
                                        + " oldest are asked for anew.",
                        standard = "200000",
                        min = "1000",
                        max = "10000000",
                        metrics = "security.nonces_forgotten")
                int nonces,
        @Setting(
                        value =
                                "Users that are remembered for 60 s, and a fifth as many names that do not exist.",
                        standard = "50000",
                        min = "100",
                        max = "10000000",
                        metrics = "security.users_forgotten")
                int usersRemembered,
        @Setting(
                        value =
                                "User names that the database is asked for at once; the next request with another one"
                                        + " gets 503.",
                        standard = "1000",
                        min = "1",
                        max = "100000",
                        metrics = "security.lookups_refused")
                int lookups,
        @Setting(
                        reload = true,
                        value =
                                "Peers whose P-Asserted-Identity is believed where an application"
                                        + " asks for identity assertion: addresses, ranges, or"
                                        + " `tls:DOMAIN`.",
                        more =
                                "Addresses are in digits, ranges as in 192.0.2.0/24. `tls:DOMAIN`"
                                        + " is who proved by a TLS certificate to be that domain"
                                        + " (RFC 5922).",
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
