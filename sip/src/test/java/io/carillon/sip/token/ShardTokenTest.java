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

    /** Peers hold them for as long as a call lasts: an upgrade must not lose what they lead to. */
    @Test
    void tokensOfAServerThatIsAloneStayWhatTheyAre() {
        Tokens tokens =
                new Tokens(
                        OwnTokens.ofNode(77),
                        5,
                        () -> true,
                        RandomSource.seeded(9),
                        new OwnMarks(3, 4));
        assertThat(tokens.tag(-1)).isEqualTo("crln0k43o07vqviqbtph81");
        assertThat(tokens.branch(9, 0)).isEqualTo("z9hG4bKcrln0m2jqvq3qbacb08moo");
        assertThat(tokens.branch(-1, 0x123456789ABCDEFL))
                .isEqualTo("z9hG4bKcrln0emd2bb2lsb1r7mcap.-lffjnq4uc5q820");
        assertThat(tokens.inviteBranch(-1, 0, "call", "tag", 7, 123_456_789_000L))
                .isEqualTo("z9hG4bKcrln0i03o2jbii98t8bp4s");
        assertThat(tokens.route(-1, "call", 123_456_789_000L)).isEqualTo("crln0mjt1hlncm92fvdibg");
        assertThat(tokens.callId(9)).isEqualTo("crln0buvqs80mkknlqktis1996f5ttdon6u");
        assertThat(tokens.branchOf(-1, 11, 12))
                .isEqualTo("z9hG4bKcrln0ab00000000000clvq.-lc000000000000");
        assertThat(OwnTokens.ofNode(77).stateless(5, 99)).isEqualTo("crln0q330000000000m7vl");
        assertThat(ShardToken.encode(0, 1023, -1)).isEqualTo("crln0pvvvvvvvvvvvvj81f");
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
