package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every input of the corpus, and some thousand that a fixed seed makes of them: what was found once
 * stays mended, without Jazzer.
 */
class CorpusTest {
    private static final int MUTATIONS = 5_000;
    private static final String TELLING = " \r\n\t;,:<>\"\\@%=*()[]?&/09aZ";
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static List<byte[]> corpus(FuzzTarget target) throws IOException {
        List<byte[]> inputs = new ArrayList<>(new Corpus(PROJECT, target).inputs().values());
        for (String seeds : target.seeds()) {
            try (Stream<Path> files = Files.list(PROJECT.resolve(seeds))) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    @ParameterizedTest
    @EnumSource
    void everyInputHolds(FuzzTarget target) throws IOException {
        List<byte[]> corpus = corpus(target);
        assertThat(corpus).isNotEmpty();
        for (byte[] input : corpus) {
            tried(target, input);
        }
        target.run(new byte[0]);
    }

    @ParameterizedTest
    @EnumSource
    void whatASeedMakesOfThemHolds(FuzzTarget target) throws IOException {
        List<byte[]> corpus = corpus(target);
        Random random = new Random(42);
        for (long i = target.size().share(MUTATIONS); i > 0; i--) {
            byte[] input = corpus.get(random.nextInt(corpus.size())).clone();
            int changes = 1 + random.nextInt(4);
            for (int c = 0; c < changes && input.length > 0; c++) {
                input = changed(input, corpus, random);
            }
            tried(target, input);
        }
    }

    private static byte[] changed(byte[] input, List<byte[]> corpus, Random random) {
        int at = random.nextInt(input.length);
        switch (random.nextInt(4)) {
            case 0 -> input[at] = (byte) random.nextInt(256);
            case 1 -> input[at] = (byte) TELLING.charAt(random.nextInt(TELLING.length()));
            case 2 -> {
                int end = at + random.nextInt(Math.min(input.length - at, 16) + 1);
                byte[] shorter = new byte[input.length - (end - at)];
                System.arraycopy(input, 0, shorter, 0, at);
                System.arraycopy(input, end, shorter, at, input.length - end);
                return shorter;
            }
            default -> {
                byte[] other = corpus.get(random.nextInt(corpus.size()));
                int from = other.length == 0 ? 0 : random.nextInt(other.length);
                int length = Math.min(random.nextInt(32), other.length - from);
                byte[] longer = new byte[input.length + length];
                System.arraycopy(input, 0, longer, 0, at);
                System.arraycopy(other, from, longer, at, length);
                System.arraycopy(input, at, longer, at + length, input.length - at);
                return longer;
            }
        }
        return input;
    }

    private static void tried(FuzzTarget target, byte[] input) {
        assertThatCode(() -> target.run(input))
                .as(() -> target.label() + " with " + java.util.HexFormat.of().formatHex(input))
                .doesNotThrowAnyException();
    }
}
