package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.start.StartException;
import io.carillon.sip.token.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key of a cluster, as a file. */
class ClusterKeyFileTest {
    private static final String KEY = "00112233445566778899aabbccddeeff".repeat(2);
    private static final String OTHER = "ff112233445566778899aabbccddeeff".repeat(2);

    @TempDir private Path folder;

    private ClusterKeyFile read(String text) throws IOException, StartException {
        Path file = folder.resolve("cluster.key");
        Files.writeString(file, text);
        return ClusterKeyFile.read(file);
    }

    private static String token(ClusterKeyFile keys) {
        byte[] text = new byte[Partitions.TOKEN_LENGTH];
        new Partitions(1, keys.tokens("east")).write(text, 0, 77, 5);
        return new String(text, java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Test
    void whatOneNodeWritesTheOthersRead() throws Exception {
        String token = token(read(KEY + "\n"));
        assertThat(new Partitions(1, read("# of 2026\n" + KEY).tokens("east")).in(token))
                .isEqualTo(77);
        assertThat(new Partitions(1, read(OTHER).tokens("east")).in(token)).isEqualTo(-1);
    }

    @Test
    void whileItIsChangedBothAreRead() throws Exception {
        String before = token(read(OTHER));
        ClusterKeyFile both = read(KEY + "\n" + OTHER + "\n");
        assertThat(new Partitions(1, both.tokens("east")).in(before)).isEqualTo(77);
        assertThat(token(both)).isEqualTo(token(read(KEY)));
        assertThat(both.links("east")).hasSize(2);
    }

    /** The same file for two clusters is a mistake that must not join them. */
    @Test
    void anotherClusterWithTheSameKeyHasOtherTokens() throws Exception {
        byte[] text = new byte[Partitions.TOKEN_LENGTH];
        new Partitions(1, read(KEY).tokens("west")).write(text, 0, 77, 5);
        String west = new String(text, java.nio.charset.StandardCharsets.US_ASCII);
        assertThat(new Partitions(1, read(KEY).tokens("west")).in(west)).isEqualTo(77);
        assertThat(new Partitions(1, read(KEY).tokens("east")).in(west)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "# none\n", "0011", "no hexadecimal digits at all, but very long ones"})
    void whatIsNoKeyIsTold(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("cluster.key-file: ")
                .hasMessageContaining("cluster.key");
    }

    @Test
    void ofThreeKeysNobodyKnowsWhichIsOld() {
        assertThatThrownBy(() -> read(KEY + "\n" + OTHER + "\n" + KEY + "\n"))
                .hasMessageContaining("one key, or two while the key is changed, not 3");
    }

    @Test
    void aFileThatIsNotThereIsToldWithTheWayOut() {
        assertThatThrownBy(() -> ClusterKeyFile.read(folder.resolve("none")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("openssl rand -hex 32");
    }
}
