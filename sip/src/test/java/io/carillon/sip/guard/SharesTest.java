package io.carillon.sip.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SharesTest {
    private static final long SEED = 0x1234_5678_9ABC_DEF0L;

    private static Shares quarterOf(int all) {
        return new Shares(all, 25, source -> false, SEED);
    }

    @Test
    void aSourceMayHoldItsShareAndOthersMayHoldTheirs() {
        Shares shares = quarterOf(100);
        int one = shares.place(SourceKey.ofInet4(1));
        int other = shares.place(SourceKey.ofInet4(2));
        for (int i = 0; i < 25; i++) {
            assertThat(shares.full(one)).isFalse();
            shares.take(one, 1);
        }
        assertThat(shares.full(one)).isTrue();
        assertThat(shares.full(other)).isFalse();
        shares.giveBack(one, 1);
        assertThat(shares.full(one)).isFalse();
        assertThat(shares.held(one)).isEqualTo(24);
    }

    @Test
    void sharesBindFromHalfOfAllOn() {
        assertThat(quarterOf(100).bind(49)).isFalse();
        assertThat(quarterOf(100).bind(50)).isTrue();
    }

    @Test
    void whatIsHeavyCountsByItsWeight() {
        Shares shares = quarterOf(100);
        int one = shares.place(SourceKey.ofInet4(1));
        shares.take(one, 20);
        shares.take(one, 5);
        assertThat(shares.full(one)).isTrue();
        shares.giveBack(one, 20);
        assertThat(shares.held(one)).isEqualTo(5);
    }

    @Test
    void whoIsExemptIsNotCounted() {
        long trusted = SourceKey.ofInet4(7);
        Shares shares = new Shares(4, 25, source -> source == trusted, SEED);
        int place = shares.place(trusted);
        assertThat(place).isEqualTo(Shares.NONE);
        shares.take(place, 1_000);
        assertThat(shares.full(place)).isFalse();
        assertThat(shares.held(place)).isZero();
    }

    @Test
    void aWholeForOneSourceIsNoLimit() {
        Shares shares = new Shares(4, 100, source -> false, SEED);
        int place = shares.place(SourceKey.ofInet4(1));
        shares.take(place, 1_000);
        assertThat(shares.full(place)).isFalse();
    }

    /** Two rows: a hundred that hold their share leave a million others free. */
    @Test
    void strangersDoNotPayForThoseThatHoldMuch() {
        Shares shares = quarterOf(100);
        for (int i = 0; i < 100; i++) {
            shares.take(shares.place(SourceKey.ofInet4(i)), 25);
        }
        int hit = 0;
        for (int i = 100; i < 1_000_100; i++) {
            hit += shares.full(shares.place(SourceKey.ofInet4(i))) ? 1 : 0;
        }
        // 1,000,000 * (100 / 32,768)^2 is 9.
        assertThat(hit).isLessThan(40);
    }

    @Test
    void whatWasTakenIsGivenBackExactly() {
        Shares shares = quarterOf(100);
        int[] places = new int[100_000];
        for (int i = 0; i < places.length; i++) {
            places[i] = shares.place(SourceKey.ofInet4(i));
            shares.take(places[i], 1);
        }
        for (int place : places) {
            shares.giveBack(place, 1);
        }
        for (int place : places) {
            assertThat(shares.held(place)).isZero();
        }
    }

    @Test
    void aShareIsAPartOfSomething() {
        assertThatThrownBy(() -> new Shares(0, 25, source -> false, SEED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Shares(1, 101, source -> false, SEED))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
