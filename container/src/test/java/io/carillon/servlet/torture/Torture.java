package io.carillon.servlet.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A set of torture messages, and the examples that get them. */
final class Torture {
    private static final Path EXAMPLES = Path.of("..", "examples");

    private final Path uas;
    private final Path proxy;
    private final Path data;

    Torture(Path folder, String set) throws IOException {
        uas = SourceApplication.build(EXAMPLES.resolve("uas/src/main"), folder.resolve("uas"));
        proxy =
                SourceApplication.build(
                        EXAMPLES.resolve("proxy/src/main"), folder.resolve("proxy"));
        URL url = Objects.requireNonNull(Torture.class.getResource("/" + set), set);
        try {
            data = Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    TortureServer uas() throws Exception {
        return new TortureServer(uas, 200);
    }

    /**
     * @param answer what the next hops answer
     */
    TortureServer proxy(int answer) throws Exception {
        return new TortureServer(proxy, answer);
    }

    byte[] read(String name) throws IOException {
        return Files.readAllBytes(data.resolve(name + ".dat"));
    }

    /** The rows of a table, after a look that each message of the set has one. */
    Stream<String[]> rows(String table, int size) throws IOException {
        List<String[]> rows = table.lines().map(line -> line.split(" +")).toList();
        List<String> expected;
        try (Stream<String> lines = Files.lines(data.resolve("EXPECTED.tsv"))) {
            expected = lines.skip(1).map(line -> line.substring(0, line.indexOf(".dat"))).toList();
        }
        assertThat(rows).hasSize(size).allMatch(row -> row.length == 3, "three columns");
        assertThat(rows.stream().map(row -> row[0])).isEqualTo(expected);
        return Arrays.stream(rows.toArray(String[][]::new));
    }
}
