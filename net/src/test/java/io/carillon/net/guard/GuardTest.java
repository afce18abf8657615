package io.carillon.net.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bans, in time that is told: no clock, no socket. */
class GuardTest {
    private static final long START = 7;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final InetAddress STRANGER = InetAddress.ofLiteral("203.0.113.9");
    private static final InetAddress TRUNK = InetAddress.ofLiteral("192.0.2.1");
    private static final long SOURCE = SourceKey.of(STRANGER);

    private long seed;
    private final LoopCounts tally = new LoopCounts();
    private final Guard guard =
            new Guard(
                    new GuardConfig(
                            AddressRanges.of(List.of("192.0.2.0/24")),
                            GuardConfig.Rate.OFF,
                            new GuardConfig.Rate(10, 5),
                            new GuardConfig.Rate(10, 4),
                            2,
                            new GuardConfig.BanRule(10, 60 * SECOND, 600 * SECOND, 60 * SECOND),
                            List.of("Friendly-Scanner")),
                    () -> ++seed * 0x9E3779B97F4A7C15L,
                    START);

    private static Hop hop(Transport transport, InetAddress from) {
        return new Hop(transport, null, new InetSocketAddress(from, 5060), 0);
    }

    private void fail(int times, Transport transport, InetAddress from, long now) {
        for (int i = 0; i < times; i++) {
            guard.failed(
                    Failure.MALFORMED, hop(transport, from), transport.reliable(), START + now);
        }
    }

    private boolean datagramPasses(long now) {
        return guard.admitsDatagram(SOURCE, START + now, tally);
    }

    private boolean connectionPasses(long now) {
        return guard.connectionRefusal(STRANGER, START + now) == null;
    }

    @Test
    void connectionsOfOneSourceBeginNoFasterThanTheyMay() {
        for (int i = 0; i < 4; i++) {
            assertThat(connectionPasses(0)).isTrue();
        }
        assertThat(guard.connectionRefusal(STRANGER, START)).isEqualTo(SourceRefusal.TOO_FAST);
        InetAddress other = InetAddress.ofLiteral("203.0.113.10");
        assertThat(guard.connectionRefusal(other, START)).isNull();
        for (int i = 0; i < 20; i++) {
            assertThat(guard.connectionRefusal(TRUNK, START)).isNull();
        }
        assertThat(connectionPasses(SECOND / 10)).isTrue();
        assertThat(connectionPasses(SECOND / 10)).isFalse();
    }

    @Test
    void failuresOnConnectionsBanTheSourceOnAllWaysUntilTheTimeIsOver() {
        fail(9, Transport.TCP, STRANGER, 0);
        assertThat(datagramPasses(0)).isTrue();
        fail(1, Transport.TCP, STRANGER, SECOND);
        assertThat(datagramPasses(SECOND)).isFalse();
        assertThat(connectionPasses(SECOND)).isFalse();
        assertThat(guard.refusal(SOURCE, false, START + SECOND)).isEqualTo(SourceRefusal.BANNED);
        assertThat(tally.get(NetworkCounter.DATAGRAMS_BANNED)).isEqualTo(1);
        assertThat(datagramPasses(600 * SECOND)).isFalse();
        assertThat(datagramPasses(602 * SECOND)).isTrue();
        assertThat(guard.banned(START + 602 * SECOND)).isEmpty();
    }

    private @Nullable SourceRefusal ofProved(long now) {
        return guard.refusal(SOURCE, true, START + now);
    }

    /** An address is not a person: phones at home behind it go on while a neighbour is banned. */
    @Test
    void aConnectionThatBelongsHereSurvivesTheBanOfItsAddress() {
        fail(10, Transport.TCP, STRANGER, 0);
        assertThat(connectionPasses(0)).isFalse();
        assertThat(guard.refusal(SOURCE, false, START)).isEqualTo(SourceRefusal.BANNED);
        assertThat(ofProved(0)).isNull();
        for (int i = 0; i < 5; i++) {
            var _ = ofProved(0);
        }
        assertThat(ofProved(0))
                .as("its rate it has all the same")
                .isEqualTo(SourceRefusal.TOO_FAST);
    }

    /** On a server that answers everybody a connection proves itself for nothing. */
    @Test
    void nobodyTriesPasswordsOnAConnectionThatBelongsHere() {
        for (int i = 0; i < 10; i++) {
            guard.failed(Failure.WRONG_CREDENTIALS, hop(Transport.TCP, STRANGER), true, START);
        }
        assertThat(ofProved(0)).isEqualTo(SourceRefusal.BANNED);
        fail(10, Transport.TCP, STRANGER, SECOND);
        assertThat(ofProved(SECOND)).as("not made smaller").isEqualTo(SourceRefusal.BANNED);
    }

    @Test
    void aBanForPasswordsFollowsOneThatSparesConnections() {
        fail(10, Transport.TCP, STRANGER, 0);
        for (int i = 0; i < 10; i++) {
            guard.failed(Failure.WRONG_CREDENTIALS, hop(Transport.TCP, STRANGER), true, START);
        }
        assertThat(ofProved(0)).isEqualTo(SourceRefusal.BANNED);
    }

    @Test
    void failuresInDatagramsBanDatagramsForAShortTimeOnly() {
        fail(10, Transport.UDP, STRANGER, 0);
        assertThat(datagramPasses(59 * SECOND)).isFalse();
        assertThat(connectionPasses(0)).isTrue();
        assertThat(datagramPasses(61 * SECOND)).isTrue();
    }

    @Test
    void forgedDatagramsDoNotBanWhoGetsOurAnswers() {
        guard.proven(hop(Transport.UDP, STRANGER), START);
        fail(1_000, Transport.UDP, STRANGER, SECOND);
        assertThat(datagramPasses(SECOND)).isTrue();
        // What surely came from there counts all the same.
        fail(10, Transport.TCP, STRANGER, SECOND);
        assertThat(datagramPasses(SECOND)).isFalse();
    }

    @Test
    void proofsOfManyOthersDoNotPushOutTheFirst() throws Exception {
        guard.proven(hop(Transport.UDP, STRANGER), START);
        for (int i = 0; i < 11_000; i++) {
            byte[] other = {10, (byte) (i >> 8), (byte) i, 1};
            guard.proven(hop(Transport.UDP, InetAddress.getByAddress(other)), START + SECOND);
        }
        fail(10, Transport.UDP, STRANGER, 2 * SECOND);
        assertThat(datagramPasses(2 * SECOND)).isTrue();
    }

    @Test
    void whoHasANetworkPushesOutNoProofsButHisOwn() throws Exception {
        for (int i = 0; i < 100; i++) {
            byte[] honest = {10, 0, (byte) i, 1};
            guard.proven(hop(Transport.UDP, InetAddress.getByAddress(honest)), START);
        }
        for (int i = 0; i < 65_536; i++) {
            byte[] other = new byte[16];
            other[0] = 0x20;
            other[6] = (byte) (i >> 8);
            other[7] = (byte) i;
            guard.proven(hop(Transport.UDP, InetAddress.getByAddress(other)), START + SECOND);
        }
        for (int i = 0; i < 100; i++) {
            InetAddress honest = InetAddress.getByAddress(new byte[] {10, 0, (byte) i, 1});
            fail(10, Transport.UDP, honest, 2 * SECOND);
        }
        assertThat(guard.banned(START + 2 * SECOND)).isEmpty();
    }

    private void guess(int times, Transport transport, boolean surely, long now) {
        for (int i = 0; i < times; i++) {
            guard.failed(Failure.WRONG_CREDENTIALS, hop(transport, STRANGER), surely, START + now);
        }
    }

    private boolean held(Transport transport, long now) {
        return guard.holdsCredentials(hop(transport, STRANGER), START + now);
    }

    /** RFC 7616 5.12. To be called by somebody is no pardon for guesses. */
    @Test
    void whoGetsOurAnswersGuessesNoPasswordsByWebSocket() {
        guard.proven(hop(Transport.UDP, STRANGER), START);
        guess(10, Transport.WSS, true, SECOND);
        assertThat(guard.refusal(SOURCE, true, START + SECOND)).isEqualTo(SourceRefusal.BANNED);
    }

    /** RFC 6455 10.2: a page of any site has a browser behind the same address try passwords. */
    @Test
    void whereAUserIsGuessesByWebSocketEndForEverybodyThereAndNothingElseDoes() {
        guard.provenUser(hop(Transport.UDP, STRANGER), START);
        guess(9, Transport.WS, true, SECOND);
        assertThat(held(Transport.WS, SECOND)).isFalse();
        guess(1, Transport.WSS, true, SECOND);
        assertThat(held(Transport.WS, SECOND)).isTrue();
        assertThat(held(Transport.WSS, 600 * SECOND)).isTrue();
        assertThat(held(Transport.TCP, SECOND)).isFalse();
        assertThat(held(Transport.UDP, SECOND)).isFalse();
        assertThat(datagramPasses(SECOND)).isTrue();
        assertThat(connectionPasses(SECOND)).isTrue();
        assertThat(guard.refusal(SOURCE, false, START + SECOND)).isNull();
        assertThat(guard.banned(START + 101 * SECOND))
                .containsExactly(
                        new Ban(
                                "203.0.113.9",
                                "wrong credentials by WebSocket",
                                10,
                                2,
                                501,
                                false,
                                true));
        assertThat(held(Transport.WS, 602 * SECOND)).isFalse();
    }

    @Test
    void guessesOfManySourcesTakeNoMoreRoomThanTheTable() {
        for (int i = 0; i < 30_000; i++) {
            InetAddress from =
                    InetAddress.ofLiteral(
                            "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
            guard.provenUser(hop(Transport.UDP, from), START);
            for (int guess = 0; guess < 10; guess++) {
                guard.failed(
                        Failure.WRONG_CREDENTIALS, hop(Transport.WS, from), true, START + SECOND);
            }
        }
        assertThat(guard.banned(START + SECOND).size()).isBetween(4_000, 8_192 * 2);
    }

    @Test
    void guessesThatAreHeldBackAreLiftedLikeBans() {
        guard.provenUser(hop(Transport.UDP, STRANGER), START);
        guess(10, Transport.WS, true, SECOND);
        assertThat(guard.lift(TRUNK, START + SECOND)).isFalse();
        assertThat(guard.lift(STRANGER, START + SECOND)).isTrue();
        assertThat(held(Transport.WS, SECOND)).isFalse();
        guess(10, Transport.WS, true, SECOND);
        assertThat(guard.liftAll(START + SECOND)).isEqualTo(1);
        assertThat(held(Transport.WS, SECOND)).isFalse();
    }

    private static Hop port(int port) {
        return new Hop(Transport.UDP, null, new InetSocketAddress(STRANGER, port), 0);
    }

    /** RFC 5626 5.3: a flow is a pair of addresses with their ports. */
    @Test
    void whoIsAtOnePortIsNotAtEveryOne() {
        guard.proven(port(5060), START);
        assertThat(guard.provenLately(port(5060), START + SECOND)).isTrue();
        assertThat(guard.provenLately(port(9999), START + SECOND)).isFalse();
        assertThat(guard.provenLately(port(5060), START + 3_601 * SECOND)).isFalse();
        fail(10, Transport.UDP, STRANGER, SECOND);
        assertThat(datagramPasses(SECOND)).as("of whichever port").isTrue();
    }

    @Test
    void aProofLastsAnHour() {
        guard.proven(hop(Transport.UDP, STRANGER), START);
        fail(10, Transport.UDP, STRANGER, 3_601 * SECOND);
        assertThat(datagramPasses(3_601 * SECOND)).isFalse();
    }

    @Test
    void failuresOutsideOfAWindowDoNotAddUp() {
        for (int i = 0; i < 50; i++) {
            fail(9, Transport.TCP, STRANGER, i * 61 * SECOND);
        }
        assertThat(datagramPasses(50 * 61 * SECOND)).isTrue();
    }

    @Test
    void aTrustedSourceIsNeverBanned() {
        fail(10_000, Transport.TCP, TRUNK, 0);
        assertThat(guard.banned(START)).isEmpty();
        assertThat(guard.connectionsOf(TRUNK)).isEqualTo(Integer.MAX_VALUE);
        assertThat(guard.connectionsOf(STRANGER)).isEqualTo(2);
    }

    @Test
    void aScannersNameIsWorthSeveralFailures() {
        guard.failed(Failure.SCANNER, hop(Transport.UDP, STRANGER), false, START);
        assertThat(datagramPasses(0)).isFalse();
    }

    @Test
    void bansAreListedWithReasonAndTimeLeftAndCanBeLifted() {
        fail(10, Transport.TCP, STRANGER, 0);
        datagramPasses(0);
        connectionPasses(0);
        assertThat(guard.banned(START + 100 * SECOND))
                .containsExactly(
                        new Ban("203.0.113.9", "malformed messages", 10, 2, 501, false, false));
        assertThat(guard.lift(TRUNK, START)).isFalse();
        assertThat(guard.lift(STRANGER, START)).isTrue();
        assertThat(datagramPasses(0)).isTrue();
        fail(9, Transport.TCP, STRANGER, 0);
        assertThat(datagramPasses(0)).as("what it did before is forgotten").isTrue();
        fail(1, Transport.TCP, STRANGER, 0);
        assertThat(guard.liftAll(START)).isEqualTo(1);
        assertThat(datagramPasses(0)).isTrue();
        assertThat(guard.bansMade()).isEqualTo(2);
    }

    @Test
    void aHundredThousandFailingSourcesTakeNoMoreRoomThanTheTable() {
        for (int i = 0; i < 100_000; i++) {
            fail(
                    10,
                    Transport.TCP,
                    InetAddress.ofLiteral(
                            "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)),
                    0);
        }
        assertThat(guard.bansMade()).isEqualTo(100_000);
        assertThat(guard.banned(START).size()).isBetween(4_000, 8_192);
    }

    @Test
    void messagesOfOneSourceOnAllItsConnectionsHaveOneRate() {
        for (int i = 0; i < 5; i++) {
            assertThat(guard.refusal(SOURCE, false, START)).isNull();
        }
        assertThat(guard.refusal(SOURCE, false, START)).isEqualTo(SourceRefusal.TOO_FAST);
        assertThat(guard.refusal(SourceKey.of(TRUNK), false, START)).isNull();
        for (int i = 0; i < 100; i++) {
            assertThat(guard.refusal(SourceKey.of(TRUNK), false, START)).isNull();
        }
    }

    @Test
    void whileNewWorkIsShedRepeatsDoNotUseUpTheRateOfTheirSource() {
        // 5 at once; each is sent four times, as its answer is late.
        int let = 0;
        for (int i = 0; i < 20; i++) {
            let += guard.refusal(SOURCE, false, START, true) == null ? 1 : 0;
        }
        assertThat(let).isGreaterThanOrEqualTo(17);

        int usually = 0;
        long other = SourceKey.of(InetAddress.ofLiteral("203.0.113.10"));
        for (int i = 0; i < 20; i++) {
            usually += guard.refusal(other, false, START) == null ? 1 : 0;
        }
        assertThat(usually).isEqualTo(5);
    }

    /** What its shard knows to be new, and no repeat, is charged as ever. */
    @Test
    void whileNewWorkIsShedWhatIsNewCountsAsAWhole() {
        int let = 0;
        for (int i = 0; i < 20; i++) {
            if (guard.refusal(SOURCE, false, START, true) == null) {
                let++;
                guard.newWork(hop(Transport.TCP, STRANGER), START);
            }
        }
        assertThat(let).isEqualTo(5);
    }

    @Test
    void whoIsBannedStaysSoWhileNewWorkIsShed() {
        fail(10, Transport.TCP, STRANGER, 0);

        assertThat(guard.refusal(SOURCE, false, START, true)).isEqualTo(SourceRefusal.BANNED);
        assertThat(guard.admitsDatagram(SOURCE, START, tally, true)).isFalse();
    }
}
