package io.carillon.sip.edge;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.Violation;
import io.carillon.sip.feedback.OcMode;
import io.carillon.sip.message.HeaderForm;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is agreed with a peer, or with everybody who comes through one of our listening points.
 * Immutable.
 *
 * @param name what the operator calls it
 * @param hidesTopology nothing of what is internal may be seen by it
 * @param maxLine most characters of a line that it gets, its line break not counted; 0: any
 * @param names in which form header names are printed
 * @param lists in which form lists are printed
 * @param tolerate faults of its messages that are passed over beside those of the server
 * @param refuse faults of its messages that are not, although the server does
 * @param local our address that it is reached from, its port 0 for any; null: as the routes have it
 * @param mediaHost what stands for internal addresses in session descriptions; null: what Via
 *     prints
 * @param overload what is agreed about overload control
 * @param networks what lies behind it: addresses that are not ours although they look internal
 */
public record Peer(
        String name,
        boolean hidesTopology,
        int maxLine,
        HeaderForm names,
        ListForm lists,
        Set<Violation> tolerate,
        Set<Violation> refuse,
        @Nullable InetSocketAddress local,
        @Nullable String mediaHost,
        OcMode overload,
        List<AddressRange> networks) {

    public Peer {
        tolerate = Set.copyOf(tolerate);
        refuse = Set.copyOf(refuse);
        networks = List.copyOf(networks);
        if (maxLine != 0 && maxLine < 80) {
            throw new IllegalArgumentException(
                    "no SIP message fits into lines of " + maxLine + " characters");
        }
    }

    /** A peer without any switch. */
    public static Peer named(String name) {
        return new Peer(
                name,
                false,
                0,
                HeaderForm.DEFAULT,
                ListForm.AS_IS,
                Set.of(),
                Set.of(),
                null,
                null,
                OcMode.OFF,
                List.of());
    }

    /** The same with its topology hiding on. */
    public Peer hiding() {
        return new Peer(
                name, true, maxLine, names, lists, tolerate, refuse, local, mediaHost, overload,
                networks);
    }

    /** The same with forms of header lines. */
    public Peer with(int longestLine, HeaderForm nameForm, ListForm listForm) {
        return new Peer(
                name,
                hidesTopology,
                longestLine,
                nameForm,
                listForm,
                tolerate,
                refuse,
                local,
                mediaHost,
                overload,
                networks);
    }

    /** The same with another tolerance. */
    public Peer tolerating(Set<Violation> more, Set<Violation> less) {
        return new Peer(
                name,
                hidesTopology,
                maxLine,
                names,
                lists,
                more,
                less,
                local,
                mediaHost,
                overload,
                networks);
    }

    /** The same, reached from that address of ours. */
    public Peer from(@Nullable InetSocketAddress address) {
        return new Peer(
                name,
                hidesTopology,
                maxLine,
                names,
                lists,
                tolerate,
                refuse,
                address,
                mediaHost,
                overload,
                networks);
    }

    /** The same with that in session descriptions, and these networks behind it. */
    public Peer media(@Nullable String host, List<AddressRange> behind) {
        return new Peer(
                name,
                hidesTopology,
                maxLine,
                names,
                lists,
                tolerate,
                refuse,
                local,
                host,
                overload,
                behind);
    }

    /** The same with that agreed about overload control. */
    public Peer overload(OcMode mode) {
        return new Peer(
                name,
                hidesTopology,
                maxLine,
                names,
                lists,
                tolerate,
                refuse,
                local,
                mediaHost,
                mode,
                networks);
    }

    /** Are header lines printed anew for it? */
    boolean reforms() {
        return maxLine > 0 || names != HeaderForm.DEFAULT || lists != ListForm.AS_IS;
    }

    /** What is tolerated of it. */
    Compliance compliance(Compliance ofServer) {
        Set<Violation> all = new HashSet<>(ofServer.tolerated());
        all.addAll(tolerate);
        all.removeAll(refuse);
        return Compliance.of(all);
    }
}
