package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.grid.link.LinkStack;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.Test;

/** A node keeps copies only together with those whom the voters see. */
class GatheringTest {
    /** Goes by where somebody waits. */
    private static final class VirtualTime implements Gathering.Time {
        private Duration passed = Duration.ZERO;

        @Override
        public long nanos() {
            return passed.toNanos();
        }

        @Override
        public void pass(Duration span) {
            passed = passed.plus(span);
        }
    }

    private final AtomicInteger looks = new AtomicInteger();
    private final VirtualTime time = new VirtualTime();
    private final List<InetSocketAddress> nodes = Loopback.addresses(2);

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

    /** Knows of nobody. */
    private InfinispanCallStore first() {
        return new InfinispanCallStore(
                InfinispanCluster.settings(nodes.getFirst(), 0, nodes), Company.NOBODY);
    }

    private InfinispanCallStore second(Company company, List<InetSocketAddress> named) {
        return new InfinispanCallStore(
                InfinispanCluster.settings(nodes.getLast(), 1, named), company);
    }

    @Test
    void whoIsNotInTheGridYetIsWaitedFor() {
        new Gathering(company(true, 1, 2), time)
                .awaitGrid(() -> looks.incrementAndGet() < 4 ? Set.of(0, 1) : Set.of(0, 1, 2));
        assertThat(looks).hasValue(4);
    }

    @Test
    void nobodyIsWaitedForWhereTheMajorityIsInTheGrid() {
        new Gathering(company(true, 1), time)
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
        new Gathering(others, time).awaitGrid(() -> Set.of(0));
        assertThat(seen).containsExactly(false, false, true);
        seen.clear();
        new Gathering(others, time).awaitVoters();
        assertThat(seen).containsExactly(false, false, true);
    }

    /** As the first node of a cluster: what it waited for the voters is not waited for twice. */
    @Test
    void whoNeverSeesAMajorityGoesOnAlone() {
        Gathering gathering = new Gathering(company(false), time);
        gathering.awaitVoters();
        assertThat(time.passed).isEqualTo(Gathering.FOR_MAJORITY);
        gathering.awaitGrid(() -> Set.of(0));
        assertThat(time.passed).isEqualTo(Gathering.FOR_MAJORITY);
    }

    /** A port that a firewall closes must not keep a node from serving. */
    @Test
    void whoseGridNeverHoldsTheOthersGoesOnAfterAWhile() {
        new Gathering(company(true, 1), time).awaitGrid(() -> Set.of(0));
        assertThat(time.passed).isEqualTo(Gathering.LONGEST);
    }

    /** As one whose machine is so slow that nobody answers within the time for that. */
    @Test
    void aNodeThatFoundNobodyBeginsToKeepCopiesWhenItsGridIsTheOthers() {
        try (InfinispanCallStore first = first()) {
            try (InfinispanCallStore lost = second(company(true, 0), nodes.subList(1, 2))) {
                assertThat(lost.channel().getView().size()).isEqualTo(2);
                Loopback.until("two copies", () -> first.placement(0).length == 2);
            }
        }
    }

    /** What has copies in two grids is compared when they meet. */
    @Test
    void noCopyIsKeptBeforeTheGridHoldsTheOthers() {
        try (InfinispanCallStore first = first()) {
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
            try (InfinispanCallStore second = second(looks, nodes)) {
                assertThat(holders).hasSizeGreaterThan(1).containsOnly(1);
                Loopback.until("two copies", () -> second.placement(0).length == 2);
            }
        }
    }

    /** A grid of its own would have to be merged with theirs. */
    @Test
    void whoKnowsOfOthersLooksForThemLonger() {
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
        try (InfinispanCallStore first = first();
                InfinispanCallStore second = second(found, nodes)) {
            assertThat(joinMillis(first)).isEqualTo(LinkStack.JOIN_ALONE.toMillis());
            assertThat(joinMillis(second)).isEqualTo(LinkStack.JOIN_OTHERS.toMillis());
        }
    }

    private static long joinMillis(InfinispanCallStore store) {
        GMS membership = store.channel().getProtocolStack().findProtocol(GMS.class);
        return membership.getJoinTimeout();
    }
}
