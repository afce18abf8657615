package io.carillon.grid;

import io.carillon.cluster.voting.MemberLink;
import io.carillon.cluster.voting.Voting;
import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import io.carillon.grid.link.LinkTls;
import io.carillon.grid.store.Company;
import io.carillon.grid.store.InfinispanCallStore;
import io.carillon.grid.voting.RaftVoting;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A node's part in its cluster: it votes on who owns what, talks to the other members, and keeps
 * copies of calls. A witness votes and keeps none.
 *
 * <p>Two ports: votes and messages on the one that is configured, copies on the next. Both speak
 * TLS with the cluster's key and nothing else.
 *
 * <p>Built without a thread or a socket; then listeners are set on {@link #voting} and {@link
 * #link}; then {@link #start}. Owner: who composes the server.
 */
public final class GridNode implements AutoCloseable {
    /** The port of copies lies so far above that of votes. */
    public static final int STORE_PORT_OFFSET = 1;

    private final LinkSettings settings;
    private final boolean witness;
    private final int witnessNumber;

    /** Is it the only voter? */
    private final boolean alone;

    private final RaftVoting voting;
    private @Nullable InfinispanCallStore store;

    private GridNode(Builder builder) throws Exception {
        settings =
                new LinkSettings(
                        builder.cluster,
                        builder.member,
                        Objects.requireNonNull(builder.listen, "a node listens somewhere"),
                        0,
                        Objects.requireNonNull(builder.discovery, "a node finds the others"),
                        new ClusterKey(builder.cluster, builder.secrets));
        witness = builder.member == builder.witness;
        witnessNumber = builder.witness;
        alone = builder.voters.size() <= 1;
        voting =
                new RaftVoting(
                        settings,
                        builder.voters,
                        builder.witness,
                        Objects.requireNonNull(builder.folder, "votes are kept in a folder"));
    }

    /** A node of this cluster, with a number from 0 to 254 that no other has. */
    public static Builder of(String cluster, int member) {
        return new Builder(cluster, member);
    }

    /** The votes; {@link #start} starts them. */
    public Voting voting() {
        return voting;
    }

    /**
     * By which nodes prove themselves to each other, for what else goes between them: TLS 1.3, both
     * sides with the cluster's key.
     *
     * @throws IllegalStateException where this Java cannot
     */
    public SSLContext tls() {
        try {
            return LinkTls.context(settings.key());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS between nodes", e);
        }
    }

    /** Messages between members. */
    public MemberLink link() {
        return voting.members();
    }

    /** The copies. Only of a started node that is no witness. */
    public InfinispanCallStore store() {
        InfinispanCallStore open = store;
        if (open == null) {
            throw new IllegalStateException(
                    witness ? "a witness keeps no calls" : "this node has not been started");
        }
        return open;
    }

    /**
     * Joins the cluster. Waits for some seconds, two minutes where grids that were divided are
     * being merged; a node that is the first begins a cluster, after some 12 s alone.
     *
     * @throws IllegalStateException in a sentence, when a port is taken, or something else than our
     *     own stack came up
     */
    public void start() {
        voting.start();
        if (!witness) {
            try {
                store =
                        new InfinispanCallStore(
                                settings.withPortOffset(STORE_PORT_OFFSET), new Voters());
            } catch (RuntimeException e) {
                voting.close();
                throw e;
            }
        }
    }

    /** Who keeps copies too, as far as the voters see. */
    private final class Voters implements Company {
        @Override
        public Set<Integer> others() {
            Set<Integer> others = new HashSet<>(voting.members().seen());
            others.remove(settings.member());
            others.remove(witnessNumber);
            return others;
        }

        @Override
        public boolean majority() {
            return voting.majority() && (alone || !others().isEmpty());
        }
    }

    /** Leaves: the others take over what lies here, as far as it is on another node too. */
    @Override
    public void close() {
        InfinispanCallStore open = store;
        if (open != null) {
            open.close();
        }
        voting.close();
    }

    /** What a node has to know. */
    public static final class Builder {
        private final String cluster;
        private final int member;
        private final List<byte[]> secrets = new ArrayList<>();
        private Collection<Integer> voters = List.of();
        private @Nullable InetSocketAddress listen;
        private @Nullable Discovery discovery;
        private @Nullable Path folder;
        private int witness = -1;

        private Builder(String cluster, int member) {
            if (member < 0 || member > 254) {
                throw new IllegalArgumentException("members have numbers from 0 to 254");
            }
            this.cluster = cluster;
            this.member = member;
        }

        /** Where this node listens, by an address that the others reach. */
        public Builder listen(InetSocketAddress address) {
            listen = address;
            return this;
        }

        /** How the others are found. */
        public Builder discovery(Discovery how) {
            discovery = how;
            return this;
        }

        /** Where all nodes listen. */
        public Builder nodes(List<InetSocketAddress> addresses) {
            return discovery(new Discovery.Nodes(addresses));
        }

        /** Where nodes listen, as far as it is known now: see {@link Discovery.Nodes}. */
        public Builder nodes(Supplier<List<InetSocketAddress>> addresses) {
            return discovery(new Discovery.Nodes(addresses));
        }

        /** Who votes: the same numbers on all nodes. */
        public Builder voters(Collection<Integer> numbers) {
            voters = List.copyOf(numbers);
            return this;
        }

        /** A secret of the cluster, 32 bytes or more; the first is the one this node shows. */
        public Builder secret(byte[] secret) {
            secrets.add(secret.clone());
            return this;
        }

        /** Where the log of votes lies. */
        public Builder folder(Path path) {
            folder = path;
            return this;
        }

        /** The number of the voter that keeps no calls: the same on all nodes. */
        public Builder witness(int number) {
            witness = number;
            return this;
        }

        /**
         * Makes the node.
         *
         * @throws IllegalArgumentException for what cannot be
         */
        public GridNode build() {
            try {
                return new GridNode(this);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("this node cannot be made: " + e.getMessage(), e);
            }
        }
    }
}
