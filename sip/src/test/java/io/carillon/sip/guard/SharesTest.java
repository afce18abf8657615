package io.carillon.sip.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
    private static final long SEED = 0x1234_5678_9ABC_DEF0L;

    private static Shares quarterOf(int all) {
        return new Shares(all, 25, source -> false, SEED);
    }

    private static int source(Shares shares, int number) {
        return shares.place(SourceKey.ofInet4(number));
    }

    /** All take one each in turn, as long as anybody may. What they have taken together. */
    private static int takeWhatTheyMay(Shares shares, int all, int taken, int... places) {
        int now = taken;
        for (int before = -1; before != now; ) {
            before = now;
            for (int place : places) {
                if (now < all && !(shares.bind(now) && shares.full(place, now))) {
                    shares.take(place, 1);
                    now++;
                }
            }
        }
        return now;
    }

    @Test
    void aSourceMayHoldItsPartOfWhatOthersLeave() {
        Shares shares = quarterOf(100);
        int one = source(shares, 1);
        int other = source(shares, 2);
        shares.take(other, 60);
        // A quarter of four fifths of what is left, as that is four fifths of the half.
        for (int i = 0; i < 8; i++) {
            assertThat(shares.full(one, 60 + i)).isFalse();
            shares.take(one, 1);
        }
        assertThat(shares.full(one, 68)).isTrue();
        assertThat(shares.full(source(shares, 3), 68)).isFalse();
        shares.giveBack(one, 1);
        assertThat(shares.full(one, 67)).isFalse();
        assertThat(shares.held(one)).isEqualTo(7);
        // What the other gives back is for all.
        shares.giveBack(other, 20);
        assertThat(shares.limit(one, 47)).isEqualTo(15);
    }

    @Test
    void aRoomOfAnotherSizeKeepsWhatIsHeld() {
        Shares shares = quarterOf(100);
        int one = source(shares, 1);
        shares.take(one, 40);
        assertThat(shares.bind(60)).isTrue();
        assertThat(shares.full(one, 60)).isTrue();
        shares.resize(1000);
        assertThat(shares.bind(60)).isFalse();
        assertThat(shares.held(one)).isEqualTo(40);
        assertThat(shares.full(one, 500)).isFalse();
        shares.resize(50);
        assertThat(shares.bind(60)).isTrue();
        assertThat(shares.full(one, 60)).isTrue();
        shares.giveBack(one, 40);
        assertThat(shares.held(one)).isZero();
        assertThatThrownBy(() -> shares.resize(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasNothingMayHaveOneWhereOneIsLeft() {
        Shares shares = quarterOf(100);
        assertThat(shares.full(source(shares, 1), 99)).isFalse();
        shares.take(source(shares, 1), 1);
        assertThat(shares.full(source(shares, 1), 99)).isTrue();
    }

    /** As many as there are take all that they may: the next one has room beside them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 20, 100})
    void theNextSourceFindsRoomBesideAnyNumberOfThem(int greedy) {
        int all = 100_000;
        Shares shares = quarterOf(all);
        int[] places = IntStream.range(0, greedy).map(i -> source(shares, i)).toArray();
        int taken = takeWhatTheyMay(shares, all, 0, places);
        assertThat(taken).as("most of it serves somebody").isGreaterThanOrEqualTo(all / 2);
        int next = source(shares, greedy);
        takeWhatTheyMay(shares, all, taken, next);
        int each = greedy == 1 ? all / 4 : shares.held(places[0]);
        assertThat(shares.held(next)).as("beside %d of each", each).isGreaterThan(each / 2 - 2);
    }

    /** One after the other, each takes all that it may before the next one comes. */
    @ParameterizedTest
    @ValueSource(ints = {10, 45, 100, 500})
    void theNextSourceFindsRoomBesideThoseThatComeOneAfterTheOther(int greedy) {
        int all = 200_000;
        Shares shares = quarterOf(all);
        int taken = 0;
        for (int i = 0; i < greedy; i++) {
            taken = takeWhatTheyMay(shares, all, taken, source(shares, i));
        }
        int next = source(shares, greedy);
        takeWhatTheyMay(shares, all, taken, next);
        assertThat(shares.held(next))
                .as("beside %d that hold %d", greedy, taken)
                .isGreaterThan(all / (3 * greedy * greedy));
    }

    /** Who came first, alone, has half: what is left is shared all the same. */
    @Test
    void theNextSourceFindsRoomBesideOneThatHasHalf() {
        int all = 100_000;
        Shares shares = quarterOf(all);
        int taken = takeWhatTheyMay(shares, all, 0, source(shares, 0));
        assertThat(taken).isEqualTo(all / 2);
        int[] places = IntStream.range(1, 50).map(i -> source(shares, i)).toArray();
        taken = takeWhatTheyMay(shares, all, taken, places);
        int next = source(shares, 50);
        takeWhatTheyMay(shares, all, taken, next);
        assertThat(shares.held(next)).isGreaterThan(shares.held(places[0]) / 2);
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
        assertThat(shares.full(one, 25)).isTrue();
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
        assertThat(shares.full(place, 1_000)).isFalse();
        assertThat(shares.held(place)).isZero();
    }

    @Test
    void aWholeForOneSourceIsNoLimit() {
        Shares shares = new Shares(4, 100, source -> false, SEED);
        int place = shares.place(SourceKey.ofInet4(1));
        shares.take(place, 1_000);
        assertThat(shares.full(place, 1_000)).isFalse();
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
            hit += shares.held(shares.place(SourceKey.ofInet4(i))) > 0 ? 1 : 0;
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
