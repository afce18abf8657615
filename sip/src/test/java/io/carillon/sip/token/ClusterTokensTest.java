package io.carillon.sip.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterTokensTest {
    private static final int NUMBER = 4711;
    private static final ClusterKeys KEYS =
            ClusterKeys.of(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);

    private final Random random = new Random(5);
    private final ClusterTokens ours = new ClusterTokens(NUMBER, KEYS);

    private static String text(ClusterTokens by, int partition, long chance) {
        return by.text(ClusterTokens.CALL, partition, chance, new byte[ClusterTokens.LENGTH]);
    }

    private static int partition(ClusterTokens by, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int ofBytes = by.read(bytes, 0, bytes.length);
        assertThat(by.read(text, 0)).as(text).isEqualTo(ofBytes);
        return ClusterTokens.partition(ofBytes);
    }

    @Test
    void whatANodeMadeAnyOtherNodeOfTheClusterReads() {
        ClusterTokens other = new ClusterTokens(NUMBER, KEYS);
        for (int i = 0; i < 10_000; i++) {
            int partition = random.nextInt(Ownership.PARTITIONS);
            String token = text(ours, partition, random.nextLong());
            assertThat(token).hasSize(31).matches("crln1[a-p][0-9a-v]{16}c[0-9a-v]{8}");
            assertThat(partition(other, token)).isEqualTo(partition);
        }
    }

    @Test
    void whatAnotherKeyOrAnotherNumberMadeIsNoToken() {
        ClusterTokens otherKey = new ClusterTokens(NUMBER, ClusterKeys.of(1, 2));
        ClusterTokens otherNumber = new ClusterTokens(NUMBER + 1, KEYS);
        for (int i = 0; i < 100_000; i++) {
            String token = text(ours, random.nextInt(Ownership.PARTITIONS), random.nextLong());
            assertThat(partition(otherKey, token)).isEqualTo(-1);
            assertThat(partition(otherNumber, token)).isEqualTo(-1);
        }
    }

    @Test
    void noCharacterOfATokenCanBeChanged() {
        String token = text(ours, 77, random.nextLong());
        for (int i = 0; i < token.length(); i++) {
            for (char c = 0; c < 0x180; c++) {
                String changed = token.substring(0, i) + c + token.substring(i + 1);
                if (c != token.charAt(i)) {
                    assertThat(partition(ours, changed)).as(changed).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void whoeverKnowsTheNumberCannotMakeOne() {
        // All of a token but its seal follows from what is public.
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            String front = "crln1" + ShardToken.encode(NUMBER, 5, random.nextLong()).substring(5);
            String seal = Long.toString(random.nextLong() >>> 1, 32) + "0000000";
            taken += partition(ours, front + 'c' + seal.substring(0, 8)) >= 0 ? 1 : 0;
        }
        assertThat(taken).isZero();
    }

    @Test
    void aTokenOfAServerThatIsAloneIsNoneOfAClusterAndTheOtherWayRound() {
        String alone = ShardToken.encode(NUMBER, 5, random.nextLong());
        assertThat(partition(ours, alone + "c00000000")).isEqualTo(-1);
        assertThat(ShardToken.decode(NUMBER, text(ours, 5, random.nextLong()))).isEqualTo(-1);
    }

    @Test
    void whileKeysChangeTokensOfBothAreRead() {
        ClusterKeys next = ClusterKeys.of(3, 4);
        ClusterTokens before = new ClusterTokens(NUMBER, KEYS.andReads(3, 4));
        ClusterTokens after =
                new ClusterTokens(NUMBER, next.andReads(0x0706050403020100L, 0x0F0E0D0C0B0A0908L));
        String old = text(before, 9, random.nextLong());
        String fresh = text(after, 10, random.nextLong());
        assertThat(partition(after, old)).isEqualTo(9);
        assertThat(partition(before, fresh)).isEqualTo(10);
        assertThat(partition(ours, old)).as("made with the first").isEqualTo(9);
        assertThat(partition(new ClusterTokens(NUMBER, next), fresh)).isEqualTo(10);
        assertThat(partition(new ClusterTokens(NUMBER, next), old)).as("it is gone").isEqualTo(-1);
    }

    @Test
    void textsThatEndBeforeATokenEndsAreNone() {
        String token = text(ours, 1023, -1);
        for (int length = 0; length < token.length(); length++) {
            assertThat(partition(ours, token.substring(0, length))).isEqualTo(-1);
        }
        assertThat(partition(ours, token + "more")).isEqualTo(1023);
    }

    @Test
    void theSealIsSipHash24() {
        // Aumasson and Bernstein, "SipHash: a fast short-input PRF", appendix A: the key of 00 to
        // 0f, the input of 00 to 0e. The last word has its length of 15 in the highest byte.
        SipHash sum = KEYS.sum();
        sum.add(0x0706050403020100L);
        sum.add(0x0F0E0D0C0B0A0908L);
        assertThat(sum.end()).isEqualTo(0xA129CA6149BE45E5L);
    }
}
