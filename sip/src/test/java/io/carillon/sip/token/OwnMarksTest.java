package io.carillon.sip.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class OwnMarksTest {
    private static final long NOW = 7 * OwnMarks.PERIOD_NANOS + 1;

    private final RandomSource random = RandomSource.seeded(3);
    private final OwnMarks marks = new OwnMarks(random);

    @Test
    void theMarkOfAnInviteIsThatOfItsCallTagNumberAndTime() {
        long chance = marks.ofInvite(random.nextLong(), "call", "tag", 7, NOW);
        assertThat(marks.isOfInvite(chance, "call", "tag", 7, NOW)).isTrue();
        assertThat(marks.isOfInvite(chance, "call2", "tag", 7, NOW)).isFalse();
        assertThat(marks.isOfInvite(chance, "call", "tag2", 7, NOW)).isFalse();
        assertThat(marks.isOfInvite(chance, "callt", "ag", 7, NOW)).isFalse();
        assertThat(marks.isOfInvite(chance, "call", "tag", 8, NOW)).isFalse();
        assertThat(marks.isOfInvite(chance ^ 1, "call", "tag", 7, NOW)).isFalse();
        assertThat(marks.isOfInvite(chance ^ 1L << 63, "call", "tag", 7, NOW)).isFalse();
        assertThat(new OwnMarks(random).isOfInvite(chance, "call", "tag", 7, NOW)).isFalse();
    }

    @Test
    void itIsGoodForTenToFifteenMinutes() {
        long chance = marks.ofInvite(random.nextLong(), "call", "tag", 7, NOW);
        long tenMinutes = 2 * OwnMarks.PERIOD_NANOS;
        assertThat(marks.isOfInvite(chance, "call", "tag", 7, NOW + tenMinutes)).isTrue();
        assertThat(marks.isOfInvite(chance, "call", "tag", 7, NOW + tenMinutes * 3 / 2)).isFalse();
        assertThat(marks.isOfInvite(chance, "call", "tag", 7, NOW - OwnMarks.PERIOD_NANOS))
                .as("time does not run back")
                .isFalse();
        long early = marks.ofInvite(1, "call", "tag", 7, -5);
        assertThat(marks.isOfInvite(early, "call", "tag", 7, 5)).as("a clock below zero").isTrue();
    }

    @Test
    void theMarkOfARouteIsThatOfItsCallAndNoInvites() {
        long chance = marks.ofRoute(random.nextLong(), "call", NOW);
        assertThat(marks.isOfRoute(chance, "call")).isTrue();
        assertThat(marks.isOfRoute(chance, "other")).isFalse();
        assertThat(marks.isOfRoute(chance ^ 2, "call")).isFalse();
        assertThat(marks.isOfInvite(chance, "call", "", 0, 0)).isFalse();
        assertThat(marks.isOfRoute(marks.ofInvite(1, "call", "tag", 7, NOW), "call")).isFalse();
    }

    @Test
    void theMarkOfARouteTellsItsTime() {
        for (long then : new long[] {NOW, -5, 300 * OwnMarks.PERIOD_NANOS}) {
            long chance = marks.ofRoute(random.nextLong(), "call", then);
            long tenMinutes = 2 * OwnMarks.PERIOD_NANOS;
            assertThat(marks.isOfRecentRoute(chance, "call", then)).isTrue();
            assertThat(marks.isOfRecentRoute(chance, "call", then + tenMinutes)).isTrue();
            assertThat(marks.isOfRecentRoute(chance, "call", then + tenMinutes * 3 / 2)).isFalse();
            assertThat(marks.isOfRecentRoute(chance, "call", then - OwnMarks.PERIOD_NANOS))
                    .as("time does not run back")
                    .isFalse();
            assertThat(marks.isOfRecentRoute(chance ^ 1, "call", then)).isFalse();
            assertThat(marks.isOfRecentRoute(chance, "other", then)).isFalse();
        }
    }

    @Test
    void whatIsMarkedIsAsRandomAsBefore() {
        assertRandom(() -> marks.ofInvite(random.nextLong(), "call", "tag", 1, NOW));
        assertRandom(() -> marks.ofRoute(random.nextLong(), "call", NOW));
    }

    private static void assertRandom(LongSupplier next) {
        Set<Integer> upper = new HashSet<>();
        int[] ones = new int[64];
        int count = 4_096;
        for (int i = 0; i < count; i++) {
            long chance = next.getAsLong();
            upper.add((int) (chance >>> 32));
            for (int bit = 0; bit < 64; bit++) {
                ones[bit] += (int) (chance >>> bit & 1);
            }
        }
        assertThat(upper).hasSizeGreaterThan(count - 4);
        for (int bit = 0; bit < 64; bit++) {
            assertThat(ones[bit]).as("bit %d", bit).isBetween(count * 45 / 100, count * 55 / 100);
        }
    }

    @Test
    void aTokenAndABranchGiveBackTheirChance() {
        byte[] room = new byte[ShardToken.MOST_BYTES];
        for (int i = 0; i < 1_000; i++) {
            long chance = random.nextLong();
            assertThat(ShardToken.chance(ShardToken.encode(2, 5, chance))).isEqualTo(chance);
            String branch = ShardToken.branch(2, 5, chance, i, room);
            assertThat(ShardToken.chance(branch)).isEqualTo(chance);
        }
        assertThat(ShardToken.chance("")).isZero();
        assertThat(ShardToken.chance("z9hG4bKcrln0")).isZero();
        assertThat(ShardToken.chance("crln0aWWWWWWWWWWWWaaaa")).isZero();
        assertThat(ShardToken.chance("crln0Zaaaaaaaaaaaaaaaa")).isZero();
    }
}
