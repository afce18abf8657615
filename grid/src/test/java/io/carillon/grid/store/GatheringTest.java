package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.grid.link.LinkStack;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.Test;

/** A node keeps copies only together with those whom the voters see. */
class GatheringTest {
    private final AtomicInteger looks = new AtomicInteger();

    private static Company company(boolean majority, Integer... others) {
        return new Company() {
            @Override
            public Set<Integer> others() {
                return Set.of(others);
            }

            @Override
            public boolean majority() {
                return majority;
            }
        };
    }

    @Test
    void whoIsNotInTheGridYetIsWaitedFor() {
        new Gathering(company(true, 1, 2))
                .awaitGrid(() -> looks.incrementAndGet() < 4 ? Set.of(0, 1) : Set.of(0, 1, 2));
        assertThat(looks).hasValue(4);
    }

    @Test
    void nobodyIsWaitedForWhereTheMajorityIsInTheGrid() {
        new Gathering(company(true, 1))
                .awaitGrid(() -> {
                    looks.incrementAndGet();
                    return Set.of(0, 1);
                });
        assertThat(looks).hasValue(1);
    }

    /** The voters may be about to find each other, too. */
    @Test
    void whileNoMajorityIsSeenItWaitsForThat() {
        List<Boolean> seen = new ArrayList<>();
        Company others =
                new Company() {
                    @Override
                    public Set<Integer> others() {
                        return Set.of();
                    }

                    @Override
                    public boolean majority() {
                        seen.add(seen.size() == 2);
                        return seen.getLast();
                    }
                };
        new Gathering(others).awaitGrid(() -> Set.of(0));
        assertThat(seen).containsExactly(false, false, true);
        seen.clear();
        new Gathering(others).awaitVoters();
        assertThat(seen).containsExactly(false, false, true);
    }

    /** As one whose machine is so slow that nobody answers within the time for that. */
    @Test
    void aNodeThatFoundNobodyBeginsToKeepCopiesWhenItsGridIsTheOthers() {
        List<InetSocketAddress> nodes = Loopback.addresses(2);
        try (InfinispanCallStore first =
                new InfinispanCallStore(
                        InfinispanCluster.settings(nodes.getFirst(), 0, nodes), Company.NOBODY)) {
            try (InfinispanCallStore lost =
                    new InfinispanCallStore(
                            InfinispanCluster.settings(
                                    nodes.getLast(), 1, List.of(nodes.getLast())),
                            company(true, 0))) {
                assertThat(lost.channel().getView().size()).isEqualTo(2);
                Loopback.until("two copies", () -> first.placement(0).length == 2);
            }
        }
    }

    /** What has copies in two grids is compared when they meet. */
    @Test
    void noCopyIsKeptBeforeTheGridHoldsTheOthers() {
        List<InetSocketAddress> nodes = Loopback.addresses(2);
        try (InfinispanCallStore first =
                new InfinispanCallStore(
                        InfinispanCluster.settings(nodes.getFirst(), 0, nodes), Company.NOBODY)) {
            List<Integer> holders = new ArrayList<>();
            Company looks =
                    new Company() {
                        @Override
                        public Set<Integer> others() {
                            holders.add(first.placement(0).length);
                            return Set.of(0);
                        }

                        @Override
                        public boolean majority() {
                            return true;
                        }
                    };
            try (InfinispanCallStore second =
                    new InfinispanCallStore(
                            InfinispanCluster.settings(nodes.getLast(), 1, nodes), looks)) {
                assertThat(holders).hasSizeGreaterThan(1).containsOnly(1);
                Loopback.until("two copies", () -> second.placement(0).length == 2);
            }
        }
    }

    /** A grid of its own would have to be merged with theirs. */
    @Test
    void whoKnowsOfOthersLooksForThemLonger() {
        List<InetSocketAddress> nodes = Loopback.addresses(2);
        AtomicInteger asked = new AtomicInteger();
        Company found =
                new Company() {
                    @Override
                    public Set<Integer> others() {
                        return asked.get() < 3 ? Set.of() : Set.of(0);
                    }

                    @Override
                    public boolean majority() {
                        return asked.incrementAndGet() >= 3;
                    }
                };
        try (InfinispanCallStore first =
                        new InfinispanCallStore(
                                InfinispanCluster.settings(nodes.getFirst(), 0, nodes),
                                Company.NOBODY);
                InfinispanCallStore second =
                        new InfinispanCallStore(
                                InfinispanCluster.settings(nodes.getLast(), 1, nodes), found)) {
            assertThat(joinMillis(first)).isEqualTo(LinkStack.JOIN_ALONE.toMillis());
            assertThat(joinMillis(second)).isEqualTo(LinkStack.JOIN_OTHERS.toMillis());
        }
    }

    private static long joinMillis(InfinispanCallStore store) {
        GMS membership = store.channel().getProtocolStack().findProtocol(GMS.class);
        return membership.getJoinTimeout();
    }
}
