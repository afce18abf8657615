package io.carillon.sip.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.address.PeerTermsTable;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A trunk brings the calls of many from one address: its share is as large as was agreed. */
class WeightedSharesTest {
    private static final PeerTerms TRUNK = new PeerTerms(3, 480);
    private static final PeerTerms NETWORK = new PeerTerms(2, 503);

    private final PeerTermsTable peers =
            new PeerTermsTable(
                    Map.of(
                            AddressRange.parse("192.0.2.0/24"), NETWORK,
                            AddressRange.parse("192.0.2.7"), TRUNK,
                            AddressRange.parse("2001:db8::7"), TRUNK));
    private final Sources sources = new Sources(source -> source == source("10.0.0.9"), 5, peers);

    private static long source(String address) {
        return SourceKey.of(InetAddress.ofLiteral(address));
    }

    @Test
    void theNarrowerRangeDecides() {
        assertThat(peers.of(source("192.0.2.7"))).isEqualTo(TRUNK);
        assertThat(peers.of(source("192.0.2.8"))).isEqualTo(NETWORK);
        assertThat(peers.of(source("192.0.3.8"))).isSameAs(PeerTerms.STRANGER);
        // One customer owns the whole of an IPv6 /64.
        assertThat(peers.of(source("2001:db8::8"))).isEqualTo(TRUNK);
        assertThat(sources.terms(source("192.0.2.7")).refusal()).isEqualTo(480);
    }

    /** All take one each in turn, as long as anybody may. */
    private static void takeWhatTheyMay(Shares shares, int all, int... places) {
        int now = 0;
        for (int before = -1; before != now; ) {
            before = now;
            for (int place : places) {
                if (now < all && !(shares.bind(now) && shares.full(place, now))) {
                    shares.take(place, 1);
                    now++;
                }
            }
        }
    }

    @Test
    void aPeerHasWhatSoManySourcesHaveTogether() {
        Shares beside = new Shares(100_000, 25, sources);
        int trunk = sources.place(source("192.0.2.7"));
        int[] strangers = new int[5];
        for (int i = 0; i < strangers.length; i++) {
            strangers[i] = sources.place(source("198.51.100." + i));
        }
        takeWhatTheyMay(beside, 100_000, trunk, trunk, trunk, strangers[0], strangers[1]);
        Shares five = new Shares(100_000, 25, sources);
        takeWhatTheyMay(five, 100_000, strangers);
        int three = five.held(strangers[2]) + five.held(strangers[3]) + five.held(strangers[4]);
        assertThat(beside.held(trunk)).isBetween(three - 5, three + 5);
        assertThat(beside.held(strangers[0]))
                .isBetween(five.held(strangers[0]) - 5, five.held(strangers[0]) + 5);
    }

    /** However much a peer stands for. */
    @Test
    void besideAPeerAStrangerFindsRoom() {
        Sources heavy =
                new Sources(
                        source -> false,
                        5,
                        source ->
                                source == source("192.0.2.7")
                                        ? new PeerTerms(100, 503)
                                        : PeerTerms.STRANGER);
        Shares shares = new Shares(1_000, 25, heavy);
        int trunk = heavy.place(source("192.0.2.7"));
        takeWhatTheyMay(shares, 1_000, trunk);
        assertThat(shares.held(trunk)).isBetween(960, 975); // 100/4 of (1 + 99/4)
        assertThat(shares.full(heavy.place(source("198.51.100.1")), shares.held(trunk))).isFalse();
    }

    @Test
    void whoIsExemptHasNoPlace() {
        assertThat(sources.place(source("10.0.0.9"))).isEqualTo(Sources.NOBODY);
    }

    /** The name of a peer leads elsewhere from now on. */
    @Test
    void whoIsAPeerNoMoreHasTheShareOfAnother() {
        PeerTerms.Table[] now = {peers};
        Sources changing = new Sources(source -> false, 5, source -> now[0].of(source));
        int place = changing.place(source("192.0.2.7"));
        assertThat(changing.weight(place)).isEqualTo(3);
        now[0] = PeerTerms.Table.NOBODY;
        changing.place(source("192.0.2.7"));
        assertThat(changing.weight(place)).isEqualTo(1);
    }

    @Test
    void whatIsRememberedOfAWholeNetworkIsBounded() {
        Sources wide = new Sources(source -> false, 5, source -> new PeerTerms(4, 503));
        int last = 0;
        for (int i = 0; i < 5_000; i++) {
            last = wide.place(SourceKey.ofInet4(i));
        }
        assertThat(wide.weight(wide.place(SourceKey.ofInet4(1)))).isEqualTo(4);
        assertThat(wide.weight(last)).as("beyond 4,096 addresses").isEqualTo(1);
    }
}
