package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that no node has written: they cost their call, and nobody waits for it for ever. */
class RecordAttackTest {
    private static final int ATTRIBUTES = 6;

    /** Of {@code AttributeCodec}: an object of the container. */
    private static final int OF_CONTAINER = 7;

    /** Of {@code RecordValues}: a response, which names its request. */
    private static final int RESPONSE = 11;

    /** A call, whose record is changed on its way; the status of the BYE, and what was lost. */
    private static int byeAfter(UnaryOperator<byte[]> change, long[] lost) {
        TwoNodes nodes =
                new TwoNodes(server -> {
                    Keeper keeper = new Keeper();
                    server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
                });
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        nodes.fail(change);
        alice.send("BYE");
        nodes.run(Duration.ofSeconds(40));
        int status = ((SipResponse) nodes.alice.any()).status();
        lost[0] = nodes.adoption.lost();
        assertThat(nodes.adoption.loading()).isZero();
        return status;
    }

    @Test
    void valuesInEachOtherWithoutEndAreRefused() {
        byte[] value = {};
        for (int i = 0; i < 20_000; i++) {
            value =
                    new StateWriter(value.length + 8)
                            .putVarint(RESPONSE)
                            .putBytes(value)
                            .toByteArray();
        }
        StateWriter attributes = new StateWriter(value.length + 16);
        attributes.putVarint(1).putString("x").putVarint(OF_CONTAINER).putBytes(value);
        byte[] content = attributes.toByteArray();
        long[] lost = new long[1];
        int status =
                byeAfter(
                        record ->
                                Sections.changed(
                                        record,
                                        0,
                                        (number, within, whole, at) ->
                                                number == ATTRIBUTES && within == 0
                                                        ? Sections.section(number, content)
                                                        : whole),
                        lost);
        assertThat(lost[0]).isOne();
        assertThat(status).isEqualTo(481);
    }

    /** Whatever became of the bytes, whoever asks gets an answer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void bytesThatWereChangedAnywhereCostNoMoreThanTheCall(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            int status =
                    byeAfter(
                            record -> {
                                byte[] other = record.clone();
                                for (int n = 1 + random.nextInt(3); n > 0; n--) {
                                    other[random.nextInt(other.length)] ^=
                                            (byte) (1 << random.nextInt(8));
                                }
                                return other;
                            },
                            new long[1]);
            assertThat(status).as("seed %d, round %d", seed, i).isIn(200, 481, 500, 503);
        }
    }
}
