package io.carillon.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.stream.ConnectionPlaces.Admission;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gives up his place for whom, without a socket. Time is a number. */
class ConnectionPlacesTest {
    private static final int ALL = Integer.MAX_VALUE;
    private static final long SITE = 9;

    private static final class One implements ConnectionPlaces.Held {
        final boolean accepted;
        final long source;
        final boolean spared;
        final long bornNanos;
        final long asker;
        long activeNanos;

        One(boolean accepted, long source, boolean spared, long nowNanos) {
            this(accepted, source, spared, nowNanos, source);
        }

        One(boolean accepted, long source, boolean spared, long nowNanos, long asker) {
            this.asker = asker;
            this.accepted = accepted;
            this.source = source;
            this.spared = spared;
            bornNanos = nowNanos;
            activeNanos = nowNanos;
        }

        @Override
        public boolean accepted() {
            return accepted;
        }

        @Override
        public long source() {
            return source;
        }

        @Override
        public boolean spared() {
            return spared;
        }

        @Override
        public long asker() {
            return asker;
        }

        @Override
        public long bornNanos() {
            return bornNanos;
        }

        @Override
        public long activeNanos() {
            return activeNanos;
        }
    }

    /** Of 160: 150 for accepted ones, of which 140 may be proved. */
    private final ConnectionPlaces<One> places = new ConnectionPlaces<>(160);

    private long now;

    private Admission<One> comes(long source) {
        return places.add(new One(true, source, false, now), ALL);
    }

    private List<One> come(int count, long source) {
        List<One> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            One one = new One(true, source, false, now++);
            assertThat(places.add(one, ALL)).isEqualTo(new Admission<>(true, null));
            all.add(one);
        }
        return all;
    }

    private void prove(List<One> all) {
        all.forEach(one -> assertThat(places.prove(one)).isEqualTo(new Admission<>(true, null)));
    }

    @Test
    void whoHasProvedSomethingDoesNotGiveWayToStrangers() {
        List<One> phones = come(100, SITE);
        prove(phones);
        come(20, 1);
        come(15, 2);
        come(15, 3);
        for (long source = 1_000; source < 1_040; source++) {
            Admission<One> admission = comes(source);
            assertThat(admission.taken()).isTrue();
            assertThat(admission.gaveWay()).isNotNull().isNotIn(phones);
        }
    }

    @Test
    void ofTheUnprovedTheIdlestOfWhoHasMostGivesWay() {
        prove(come(100, SITE));
        List<One> most = come(30, 1);
        come(20, 2);
        most.getFirst().activeNanos = now;
        assertThat(comes(3).gaveWay()).isSameAs(most.get(1));
    }

    @Test
    void theSiteItselfFindsAPlaceForOnePhoneMore() {
        prove(come(100, SITE));
        List<One> strangers = come(50, 1);
        assertThat(comes(SITE)).isEqualTo(new Admission<>(true, strangers.getFirst()));
    }

    @Test
    void ofEqualsNobodyGivesWayUntilTheOldestHadItsTimeToProveSomething() {
        prove(come(100, SITE));
        List<One> each = new ArrayList<>();
        for (long source = 1_000; source < 1_050; source++) {
            each.addAll(come(1, source));
        }
        now = each.getFirst().bornNanos + ConnectionPlaces.PROVE_WITHIN_NANOS;
        assertThat(comes(2)).isEqualTo(new Admission<>(false, null));
        now++;
        assertThat(comes(2)).isEqualTo(new Admission<>(true, each.getFirst()));
        assertThat(comes(3))
                .as("the next one has time yet")
                .isEqualTo(new Admission<>(false, null));
    }

    @Test
    void aPartIsKeptForThoseWhoHaveProvedNothingYet() {
        List<One> phones = come(140, SITE);
        prove(phones);
        One stranger = come(1, 1).getFirst();
        assertThat(places.prove(stranger))
                .as("among the proved who has most gives one up")
                .isEqualTo(new Admission<>(true, phones.getFirst()));
        One more = come(1, SITE).getFirst();
        assertThat(places.prove(more)).isEqualTo(new Admission<>(false, null));
        assertThat(come(9, 2)).as("there is room for strangers").hasSize(9);
    }

    @Test
    void trustedSourcesAreSparedProvedOrNot() {
        for (int i = 0; i < 150; i++) {
            places.add(new One(true, SITE, true, now), ALL);
        }
        now = 2 * ConnectionPlaces.PROVE_WITHIN_NANOS;
        assertThat(comes(1)).isEqualTo(new Admission<>(false, null));
    }

    @Test
    void strangersTakeNoPlaceOfOurs() {
        for (int i = 0; i < 20; i++) {
            places.add(new One(false, SITE, false, now), ALL);
        }
        prove(come(139, 1));
        come(1, 2);
        assertThat(comes(3).taken()).as("20 and 140 are all, one destination has 20").isTrue();
        assertThat(places.add(new One(false, 4, false, now), ALL).taken()).isTrue();
    }

    @Test
    void whatIsOverHasNoPlace() {
        List<One> all = come(150, 1);
        prove(all.subList(0, 50));
        all.forEach(places::remove);
        assertThat(come(150, 2)).hasSize(150);
    }

    /** One of ours, which leads to an address of its own. */
    private Admission<One> opened(long asker) {
        One one = new One(false, 10_000 + now, false, now, asker);
        now++;
        Admission<One> admission = places.add(one, ALL);
        if (admission.taken()) {
            places.connected(one);
            last = one;
        }
        return admission;
    }

    private One last;

    private List<One> open(int count, long asker, boolean answered) {
        List<One> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            assertThat(opened(asker)).isEqualTo(new Admission<>(true, null));
            all.add(last);
            if (answered) {
                places.answered(last);
            }
        }
        return all;
    }

    @Test
    void ofOursToEverNewAddressesWhoHadMostOpenedGivesUpHisIdlest() {
        List<One> strangers = open(150, 1, false);
        strangers.getFirst().activeNanos = now;
        assertThat(opened(2)).isEqualTo(new Admission<>(true, strangers.get(1)));
        assertThat(opened(1)).isEqualTo(new Admission<>(false, null));
    }

    @Test
    void whoseAreAnsweredKeepsThemWhereOthersAreSilent() {
        List<One> answered = open(100, SITE, true);
        List<One> silent = open(50, 1, false);
        for (int asker = 2; asker < 12; asker++) {
            assertThat(opened(asker).gaveWay()).isIn(silent).isNotIn(answered);
        }
    }

    @Test
    void ofOursWithOneEachTheOldestGivesWayThatHadItsTimeForAnAnswer() {
        List<One> each = new ArrayList<>();
        for (long asker = 1_000; asker < 1_150; asker++) {
            each.addAll(open(1, asker, false));
        }
        now = each.getFirst().bornNanos + ConnectionPlaces.PROVE_WITHIN_NANOS;
        assertThat(opened(2)).isEqualTo(new Admission<>(false, null));
        assertThat(opened(2)).isEqualTo(new Admission<>(true, each.getFirst()));
    }

    @Test
    void ofTheAnsweredOnesWhoHadMostOpenedGivesOneUp() {
        List<One> most = open(140, 1, true);
        open(10, SITE, true);
        assertThat(opened(SITE).gaveWay()).isSameAs(most.getFirst());
    }

    @Test
    void whatWeOpenToAnAddressTakesNothingOfWhatItMayOpen() {
        for (int i = 0; i < 30; i++) {
            One ours = new One(false, SITE, false, now++, 1);
            assertThat(places.add(ours, ALL).taken()).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            One its = new One(true, SITE, false, now++);
            assertThat(places.add(its, 10)).isEqualTo(new Admission<>(true, null));
            if (i % 2 == 0) {
                places.prove(its);
            }
        }
        assertThat(places.add(new One(true, SITE, false, now), 10))
                .isEqualTo(new Admission<>(false, null));
    }

    @Test
    void whatIsOverOfOursHasNoPlaceAndAnswersNoMore() {
        List<One> all = open(150, 1, false);
        all.forEach(places::remove);
        all.forEach(places::answered);
        assertThat(open(150, 2, true)).hasSize(150);
    }
}
