package io.carillon.server.config;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Violation;
import io.carillon.sip.edge.ListForm;
import io.carillon.sip.feedback.OcMode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is agreed with one peer.
 *
 * @param addresses where it is
 * @param listeners where it comes in
 * @param localAddress what it sees of us
 * @param hideTopology whether it sees nothing of the inside
 * @param mediaAddress in session descriptions
 * @param networks behind it
 * @param maxLine longest line that it gets
 * @param headerNames form of names that it gets
 * @param lists form of lists that it gets
 * @param weight of its share
 * @param overloadStatus of the answer to what is shed
 * @param overload what is agreed about overload control
 * @param tolerate faults of its messages
 * @param refuse faults of its messages
 */
public record PeerSettings(
        @Setting(
                        reload = true,
                        value =
                                "Where the peer is: addresses, networks as in 192.0.2.0/24, or"
                                        + " host names.",
                        more =
                                "The server looks host names up at the start and every minute. Of"
                                        + " two peers the narrower network decides.",
                        standardText = "none",
                        common = true)
                List<String> addresses,
        @Setting(
                        reload = true,
                        value =
                                "Listening points, HOST or HOST:PORT as Via prints them: everybody"
                                        + " who comes or is reached through one of them is this"
                                        + " peer.",
                        more = "Who has the address of another peer is that peer instead.",
                        standardText = "none")
                List<String> listeners,
        @Setting(
                        reload = true,
                        value =
                                "Address of ours that requests to the peer leave from; one that a listening point has.",
                        standardText = "as the routes have it")
                @Nullable String localAddress,
        @Setting(
                        reload = true,
                        value =
                                "Whether no internal address, name or route may be in a message to the peer"
                                        + " (docs/guides/carrier.md).",
                        standard = "false",
                        common = true)
                boolean hideTopology,
        @Setting(
                        reload = true,
                        value =
                                "What stands in session descriptions for internal addresses: where a media relay or"
                                        + " an address translator takes media.",
                        standardText = "the address that Via prints")
                @Nullable String mediaAddress,
        @Setting(
                        reload = true,
                        value =
                                "Networks behind the peer: their addresses are its own, although they look internal.",
                        standardText = "its addresses")
                List<String> networks,
        @Setting(
                        reload = true,
                        value =
                                "Longest line of a message to the peer. Longer ones are parted or folded; where that"
                                        + " cannot be, the answer is 513.",
                        standard = "off")
                LineLimit maxLine,
        @Setting(
                        reload = true,
                        value = "Form of header names in messages to the peer (RFC 3261 7.3.3).",
                        standard = "as-is")
                HeaderNames headerNames,
        @Setting(
                        reload = true,
                        value =
                                "Form of list headers in messages to the peer: one line with commas, or a line for"
                                        + " each element (RFC 3261 7.3.1).",
                        standard = "as-is")
                ListForm lists,
        @Setting(
                        reload = true,
                        value =
                                "How many sources the peer stands for, as all calls behind a trunk"
                                        + " come from its addresses.",
                        more =
                                "Each of its addresses may have as much as so many sources"
                                        + " together: of sessions, subscriptions, transactions,"
                                        + " and of what is let in while new work is shed. A peer"
                                        + " that is known by its `listeners` alone has 1.",
                        standard = "1",
                        min = "1",
                        max = "100")
                int weight,
        @Setting(
                        reload = true,
                        value =
                                "Status of the answer to new work of the peer that is shed (docs/guides/overload.md).",
                        standard = "503",
                        min = "400",
                        max = "699")
                int overloadStatus,
        @Setting(
                        reload = true,
                        value =
                                "Overload control with the peer (docs/guides/carrier.md): `loss`"
                                        + " (RFC 7339), `rate` (RFC 7415), or `off`.",
                        more =
                                "`loss` leaves a share of the requests unsent. `rate` sends so"
                                        + " many each second, and is `loss` where the peer has no"
                                        + " more. Each side tells the other how much it may send;"
                                        + " `off` tells and obeys nothing. Overload control holds"
                                        + " for addresses of the peer, not for everybody who comes"
                                        + " through its `listeners`.",
                        standard = "loss")
                OcMode overload,
        @Setting(
                        reload = true,
                        value =
                                "Faults in the peer's messages that are passed over beside those that always are.",
                        standardText = "none")
                List<Violation> tolerate,
        @Setting(
                        reload = true,
                        value =
                                "Faults in the peer's messages that are answered 400, although others' are passed"
                                        + " over.",
                        standardText = "none")
                List<Violation> refuse) {

    /** In which form names are printed. */
    public enum HeaderNames {
        /** As they came, or as the application wrote them. */
        AS_IS,
        /** The long form. */
        LONG,
        /** One letter, where there is such a form. */
        COMPACT
    }

    /** What can be read of each value without the network. */
    public PeerSettings {
        for (String text : addresses) {
            if (AddressRange.looksLike(text)) {
                AddressRange.parse(text);
            }
        }
        networks.forEach(AddressRange::parse);
        if (localAddress != null && (localAddress.indexOf('/') >= 0 || !single(localAddress))) {
            throw new IllegalArgumentException(
                    "local-address is an address in digits, not '" + localAddress + "'");
        }
        for (Violation fault : tolerate) {
            if (refuse.contains(fault)) {
                throw new IllegalArgumentException(
                        "tolerate and refuse both name " + fault.name().toLowerCase(Locale.ROOT));
            }
        }
    }

    private static boolean single(String text) {
        AddressRange.parse(text);
        return true;
    }
}
