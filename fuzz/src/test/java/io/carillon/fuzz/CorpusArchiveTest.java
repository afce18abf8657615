package io.carillon.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where inputs are kept: an archive of those that runs found, files of those that have a name. */
class CorpusArchiveTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final String HASH_1 = "1".repeat(40);
    private static final String HASH_2 = "2".repeat(40);

    @TempDir Path home;

    private Path archive() {
        return home.resolve("fuzz/corpus/uri.tar");
    }

    private Corpus corpus() {
        return new Corpus(home, FuzzTarget.URI);
    }

    private void beside(String name, String input) throws IOException {
        Files.writeString(
                Files.createDirectories(home.resolve("fuzz/corpus/uri")).resolve(name), input);
    }

    /** Else a run with {@code --keep} would change more of it than it found. */
    @ParameterizedTest
    @EnumSource
    void theArchivesHereAreAsTheyWouldBeWrittenAgain(FuzzTarget target) throws IOException {
        Path file = PROJECT.resolve("fuzz/corpus").resolve(target.label() + ".tar");
        Path again = home.resolve("again.tar");
        InputArchive.write(InputArchive.read(file), again);
        assertThat(Files.mismatch(again, file)).as("first byte that differs").isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void whatHasNoNameLiesInTheArchive(FuzzTarget target) throws IOException {
        assertThat(new Corpus(PROJECT, target).named().keySet())
                .as("fuzz/corpus/%s: give it a name, or ./carillon fuzz --keep", target.label())
                .noneMatch(Corpus::isHash);
    }

    @Test
    void newInputsGoIntoTheArchiveAndNamedOnesStayBesideIt() throws IOException {
        beside("a-name", "sip:a");
        beside(HASH_1, "sip:b");
        Path unpacked = corpus().unpack(home.resolve("unpacked"));
        assertThat(unpacked.resolve(HASH_1)).hasContent("sip:b");
        assertThat(unpacked.resolve("a-name")).hasContent("sip:a");
        Files.writeString(unpacked.resolve(HASH_2), "sip:c");

        assertThat(corpus().keep(unpacked)).isEqualTo(3);
        assertThat(corpus().archived()).containsOnlyKeys(HASH_1, HASH_2);
        assertThat(corpus().named()).containsOnlyKeys("a-name");
        assertThat(corpus().inputs().get(HASH_2)).isEqualTo("sip:c".getBytes(US_ASCII));
    }

    @Test
    void aRunThatFoundNothingLeavesTheArchiveAsItWas() throws IOException {
        beside(HASH_2, "sip:c");
        beside(HASH_1, "sip:b");
        corpus().keep(corpus().unpack(home.resolve("unpacked")));
        byte[] before = Files.readAllBytes(archive());
        corpus().keep(corpus().unpack(home.resolve("unpacked")));
        assertThat(Files.readAllBytes(archive())).isEqualTo(before);
    }

    /** A name that is an input's and leads elsewhere writes no file there. */
    @Test
    void aNameThatLeadsOutOfTheFolderIsRefused() throws IOException {
        SortedMap<String, byte[]> inputs = new TreeMap<>();
        inputs.put("../outside", new byte[1]);
        Files.createDirectories(archive().getParent());
        InputArchive.write(inputs, archive());
        assertThatThrownBy(() -> corpus().unpack(home.resolve("unpacked")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../outside");
    }

    @Test
    void twoInputsOfOneNameAreAnError() throws IOException {
        SortedMap<String, byte[]> inputs = new TreeMap<>();
        inputs.put("a-name", new byte[1]);
        Files.createDirectories(archive().getParent());
        InputArchive.write(inputs, archive());
        beside("a-name", "sip:a");
        assertThatThrownBy(() -> corpus().inputs())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a-name lies in");
    }
}
