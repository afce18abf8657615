package io.carillon.server.config;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.edge.InternalHosts;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is hidden from the peers that are not to see it.
 *
 * @param keyFile keys of the tokens
 * @param internal networks and names
 */
public record HidingSettings(
        @Setting(
                        value =
                                "File with the key of the tokens that stand for what is hidden: a"
                                        + " line of 32 characters or more.",
                        more =
                                "Nodes with the same file understand each other's tokens, and"
                                        + " calls outlive a restart. Further lines are older keys,"
                                        + " which are still read.",
                        standardText = "a key of this run")
                @Nullable Path keyFile,
        @Setting(
                        value =
                                "What must not be seen: networks as in 10.0.0.0/8, names of hosts,"
                                        + " and domains with all below them.",
                        more =
                                "Private, shared, loopback and link-local networks, our other"
                                        + " addresses and the name of this machine always belong"
                                        + " to it.",
                        standardText = "none")
                List<String> internal) {
    /** Each is a network or a name that can be looked for. */
    public HidingSettings {
        for (String text : internal) {
            if (AddressRange.looksLike(text)) {
                AddressRange.parse(text);
            } else if (!InternalHosts.searchable(text)) {
                throw new IllegalArgumentException(
                        "internal: '"
                                + text
                                + "' is no network, and no name that can be looked for: 3 characters"
                                + " or more, and no word that every message holds");
            }
        }
    }
}
