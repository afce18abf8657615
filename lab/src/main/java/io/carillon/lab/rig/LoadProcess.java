package io.carillon.lab.rig;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Leash;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** One running {@code ./carillon load}, a process of its own. */
public final class LoadProcess implements AutoCloseable {
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private final Process process;
    private final Leash leash;
    private final Path folder;

    /** The calls of a load did not end: the server has not answered them to the end. */
    public static final class Unfinished extends IOException {
        private static final long serialVersionUID = 1;

        public Unfinished(String message) {
            super(message);
        }
    }

    private LoadProcess(Process process, Path folder) {
        this.process = process;
        this.leash = Leash.on(process);
        this.folder = folder;
    }

    /**
     * Starts it; its output and its summary go to the folder.
     *
     * @param command the launcher with the load's arguments, pinned to CPUs where that is wanted
     */
    public static LoadProcess start(List<String> command, Path folder) throws IOException {
        Files.createDirectories(folder);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("load.log").toFile());
        builder.command().addAll(List.of("--plain", "--json", summaryFile(folder).toString()));
        return new LoadProcess(builder.start(), folder);
    }

    private static Path summaryFile(Path folder) {
        return folder.resolve("load.json");
    }

    /** CPU nanoseconds (utime + stime) of both sides. */
    public long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.toHandle());
    }

    /**
     * Waits for its end and reads what it counted.
     *
     * @throws Unfinished if it goes on after so many seconds
     */
    public LoadSummary await(long seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new Unfinished("the load did not end within " + seconds + " s: " + folder);
        }
        if (!Files.exists(summaryFile(folder))) {
            throw new IOException(
                    "the load made no summary; it said: "
                            + Files.readString(folder.resolve("load.log")).strip());
        }
        try {
            return JSON.readValue(Files.readString(summaryFile(folder)), LoadSummary.class);
        } catch (JacksonException e) {
            throw new IOException(summaryFile(folder) + " cannot be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        leash.release();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the load ended", e);
        }
    }
}
