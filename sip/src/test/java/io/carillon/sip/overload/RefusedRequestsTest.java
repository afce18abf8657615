package io.carillon.sip.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RefusedRequestsTest {
    private static final long SECOND = 1_000_000_000L;

    private final RefusedRequests refused = new RefusedRequests();
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void aRequestStaysRefusedFor32Seconds() {
        long hash = random.nextLong();
        refused.add(hash, 5 * SECOND);

        assertThat(refused.contains(hash, 5 * SECOND)).isTrue();
        assertThat(refused.contains(hash, 37 * SECOND)).isTrue();
        assertThat(refused.contains(hash, 38 * SECOND)).isFalse();
    }

    @Test
    void aRepeatThatIsRefusedBeginsItsTimeAnew() {
        long hash = random.nextLong();
        refused.add(hash, 0);
        refused.add(hash, 20 * SECOND);

        assertThat(refused.contains(hash, 50 * SECOND)).isTrue();
    }

    @Test
    void halfAMillionAreHeldAndStrangersAreNotTakenForThem() {
        long[] all = random.longs(500_000).toArray();
        for (int i = 0; i < all.length; i++) {
            refused.add(all[i], i * (30 * SECOND / all.length));
        }

        int lost = 0;
        for (long hash : all) {
            lost += refused.contains(hash, 31 * SECOND) ? 0 : 1;
        }
        assertThat(lost).isLessThan(all.length / 100);
        long strangers =
                random.longs(500_000).filter(h -> refused.contains(h, 31 * SECOND)).count();
        assertThat(strangers).isLessThan(10);
    }

    @Test
    void moreThanItHoldsPushOutTheOldest() {
        long[] all = random.longs(3_000_000).toArray();
        for (int i = 0; i < all.length; i++) {
            refused.add(all[i], i * (30 * SECOND / all.length));
        }

        int kept = 0;
        for (int i = all.length - 500_000; i < all.length; i++) {
            kept += refused.contains(all[i], 30 * SECOND) ? 1 : 0;
        }
        assertThat(kept).isGreaterThan(495_000);
        assertThat(refused.contains(all[0], 30 * SECOND)).isFalse();
    }

    @Test
    void timesBelowZeroAreTimesToo() {
        long hash = random.nextLong();
        refused.add(hash, -40 * SECOND);

        assertThat(refused.contains(hash, -10 * SECOND)).isTrue();
        assertThat(refused.contains(hash, -7 * SECOND)).isFalse();
    }
}
