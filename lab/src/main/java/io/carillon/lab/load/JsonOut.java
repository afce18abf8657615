package io.carillon.lab.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The files of {@code --json} and {@code --json-lines}. Owner: the thread that runs the load. */
final class JsonOut implements AutoCloseable {
    private final JsonMapper mapper = JsonMapper.builder().build();
    private final @Nullable Path whole;
    private final @Nullable BufferedWriter lines;

    /** Opens the files; null for those not wanted. */
    JsonOut(@Nullable Path whole, @Nullable Path lines) throws IOException {
        this.whole = whole;
        this.lines = lines == null ? null : Files.newBufferedWriter(lines);
    }

    /** Appends a line, for readers that follow the file. */
    void sample(LoadSample sample) throws IOException {
        if (lines != null) {
            lines.write(mapper.writeValueAsString(sample));
            lines.newLine();
            lines.flush();
        }
    }

    void summary(LoadSummary summary) throws IOException {
        if (lines != null) {
            lines.write(mapper.writeValueAsString(summary));
            lines.newLine();
        }
        if (whole != null) {
            Files.writeString(
                    whole,
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsString(summary) + "\n");
        }
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
    }
}
