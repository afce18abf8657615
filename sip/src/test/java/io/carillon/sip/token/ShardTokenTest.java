package io.carillon.sip.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardTokenTest {
    @Test
    void whatWasEncodedIsDecodedFromTagBranchAndBytes() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            int node = random.nextInt();
            int shard = random.nextInt(ShardToken.MAX_SHARDS);
            String token = ShardToken.encode(node, shard, random.nextLong());
            assertThat(token).hasSize(ShardToken.LENGTH).matches("crln0[a-p][0-9a-v]+");
            assertThat(ShardToken.decode(node, token)).isEqualTo(shard);
            assertThat(ShardToken.decode(node, "z9hG4bK" + token + ".suffix")).isEqualTo(shard);
            byte[] bytes = bytes("z9hG4bK" + token);
            assertThat(ShardToken.decode(node, bytes, 0, bytes.length)).isEqualTo(shard);
            assertThat(ShardToken.isStateless(node, token)).isFalse();
            String stateless = ShardToken.encodeStateless(node, shard, random.nextLong());
            assertThat(ShardToken.isStateless(node, stateless)).isTrue();
        }
    }

    @Test
    void whatOthersMadeIsNotTakenForOurs() {
        assertThat(ShardToken.decode("")).isEqualTo(-1);
        assertThat(ShardToken.decode("z9hG4bK")).isEqualTo(-1);
        assertThat(ShardToken.decode("kwhatever-tag-this-is")).isEqualTo(-1);
        Random random = new Random(7);
        int taken = 0;
        for (int i = 0; i < 100_000; i++) {
            if (ShardToken.decode(1, ShardToken.encode(2, 3, random.nextLong())) >= 0) {
                taken++;
            }
        }
        assertThat(taken).as("of 100,000 tokens of another node, 1 in 1024").isLessThan(200);
    }

    @Test
    void everyBitOfTheRandomNumberIsInTheToken() {
        Set<String> tokens = new HashSet<>();
        tokens.add(ShardToken.encode(1, 0));
        for (int bit = 0; bit < Long.SIZE; bit++) {
            tokens.add(ShardToken.encode(1, 1L << bit).substring(0, ShardToken.TAIL));
        }
        assertThat(tokens).hasSize(Long.SIZE + 1);
    }

    @Test
    void tagsOfOneShardDiffer() {
        RandomSource secure = RandomSource.secure();
        assertThat(ShardToken.encode(1, secure.nextLong()))
                .isNotEqualTo(ShardToken.encode(1, secure.nextLong()));
        assertThat(RandomSource.seeded(5).nextLong()).isEqualTo(RandomSource.seeded(5).nextLong());
    }

    @Test
    void secureNumbersAreNotRepeatedFromBlockToBlockNorFromSourceToSource() {
        int several = 10_000; // five blocks
        Set<Long> seen = new HashSet<>();
        for (RandomSource source : List.of(RandomSource.secure(), RandomSource.secure())) {
            for (int i = 0; i < several; i++) {
                seen.add(source.nextLong());
            }
        }
        assertThat(seen).hasSize(2 * several);
    }

    private static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}
