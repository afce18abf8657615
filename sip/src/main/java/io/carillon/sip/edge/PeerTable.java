package io.carillon.sip.edge;

import io.carillon.sip.address.AddressRange;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the peer of an address: one look into a hash table for each length of prefix that any peer
 * has, the longest first. Immutable, any thread.
 */
public final class PeerTable {
    private record Length(int bytes, int bits) {}

    private final Map<AddressRange, Peer> byPrefix = new HashMap<>();
    private final Length[] lengths;
    private final Map<String, Peer> byListener = new HashMap<>();
    private final List<Peer> all;

    private PeerTable(Builder b) {
        byPrefix.putAll(b.byPrefix);
        byListener.putAll(b.byListener);
        all = List.copyOf(b.all);
        lengths =
                byPrefix.keySet().stream()
                        .map(prefix -> new Length(prefix.bytes(), prefix.bits()))
                        .distinct()
                        .sorted(Comparator.comparingInt(Length::bits).reversed())
                        .toArray(Length[]::new);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The peer at that address; null for a stranger. */
    public @Nullable Peer of(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (Length length : lengths) {
            if (length.bytes == bytes.length) {
                Peer found = byPrefix.get(AddressRange.around(bytes, length.bits));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Do switches hang on any of our listening points? */
    boolean hasListeners() {
        return !byListener.isEmpty();
    }

    /**
     * What holds for who comes through that listening point.
     *
     * @param host as it is printed to peers
     */
    @Nullable Peer through(String host, int port) {
        String name = host.toLowerCase(Locale.ROOT);
        Peer exact = byListener.get(name + ":" + port);
        return exact != null ? exact : byListener.get(name);
    }

    /** All of them. */
    public List<Peer> all() {
        return all;
    }

    /** Collects peers. */
    public static final class Builder {
        private final Map<AddressRange, Peer> byPrefix = new HashMap<>();
        private final Map<String, Peer> byListener = new HashMap<>();
        private final List<Peer> all = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a peer.
         *
         * @param addresses where its messages come from and go to
         * @param listeners {@code HOST} or {@code HOST:PORT} of listening points, as they are
         *     printed to peers: who comes through them is this peer unless he is another by his
         *     address
         * @throws IllegalArgumentException when another one has one of them
         */
        public Builder add(Peer peer, List<AddressRange> addresses, List<String> listeners) {
            all.add(peer);
            for (AddressRange prefix : addresses) {
                claimed(byPrefix.putIfAbsent(prefix, peer), peer, prefix);
            }
            for (String listener : listeners) {
                String key = listener.toLowerCase(Locale.ROOT);
                claimed(byListener.putIfAbsent(key, peer), peer, listener);
            }
            return this;
        }

        private static void claimed(@Nullable Peer before, Peer peer, Object what) {
            if (before != null && !before.name().equals(peer.name())) {
                throw new IllegalArgumentException(
                        "the peers "
                                + before.name()
                                + " and "
                                + peer.name()
                                + " both have "
                                + what);
            }
        }

        public PeerTable build() {
            return new PeerTable(this);
        }
    }
}
