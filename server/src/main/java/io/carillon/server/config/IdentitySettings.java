package io.carillon.server.config;

import io.carillon.sip.address.AddressRanges;
import java.util.List;

/**
 * Who a caller is, and who may know it.
 *
 * @param boundary whether there is a border between trusted peers and others
 * @param trustedPeers who is inside of it
 * @param foreign what becomes of identities that others assert
 * @param domains ours
 * @param assertCallers whether callers that proved who they are, are asserted
 * @param privacyService whether callers are made anonymous who ask for it
 * @param verify see {@link VerifySettings}
 * @param sign see {@link SignSettings}
 */
public record IdentitySettings(
        @Setting(
                        value =
                                "Whether there is a border of trust (RFC 3325): asserted"
                                        + " identities neither come in over it nor leave over it.",
                        more =
                                "P-Asserted-Identity, Remote-Party-ID and their like neither come"
                                        + " in from peers outside of the border nor leave to them."
                                        + " History-Info and Diversion leave as their privacy"
                                        + " says. P-Preferred-Identity goes no further.",
                        standard = "false")
                boolean boundary,
        @Setting(
                        value =
                                "Peers inside the border: addresses in digits, or ranges as in"
                                        + " 192.0.2.0/24.",
                        more =
                                "With or without a border, verifying believes the"
                                        + " P-Asserted-Identity of these peers alone, and signing"
                                        + " believes what they say of callers.",
                        standardText = "none",
                        common = true)
                List<String> trustedPeers,
        @Setting(
                        value =
                                "`strip`: identities that peers outside assert are taken out of"
                                        + " their messages. `keep`: they stay, and applications"
                                        + " judge them by the peer's address.",
                        standard = "strip")
                Foreign foreign,
        @Setting(
                        value =
                                "Our domains: the user of a P-Preferred-Identity in one of them is ours; asserted"
                                        + " identities are of the first.",
                        standardText = "the realm of the application")
                List<String> domains,
        @Setting(
                        value =
                                "Callers who proved by digest who they are get P-Asserted-Identity: the identity that"
                                        + " they prefer, where it is theirs.",
                        standard = "false")
                boolean assertCallers,
        @Setting(
                        value =
                                "Whether there is a privacy service (RFC 3323) for calls that a"
                                        + " B2BUA carries on.",
                        more =
                                "With `Privacy: user` the other leg comes from"
                                        + " `sip:anonymous@anonymous.invalid`, and what else names"
                                        + " the caller is left out.",
                        standard = "false")
                boolean privacyService,
        @Setting("Verifying signed identities (RFC 8224).") VerifySettings verify,
        @Setting("Signing identities (RFC 8224).") SignSettings sign) {

    /** What becomes of identities that peers outside of the border assert. */
    public enum Foreign {
        STRIP,
        KEEP
    }

    public IdentitySettings {
        AddressRanges.of(trustedPeers);
    }

    /** The peers inside the border. */
    public AddressRanges trusted() {
        return AddressRanges.of(trustedPeers);
    }
}
