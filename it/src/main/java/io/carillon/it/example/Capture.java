package io.carillon.it.example;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What goes to 127.0.0.1 on the loopback interface, as tshark sees it; nothing where there is no
 * tshark, or where it may not look. Owner: one thread.
 */
final class Capture implements AutoCloseable {
    /** The file's name in its folder. */
    static final String FILE = "outside.pcapng";

    private static final int FIRST_PHONE = 6200;
    private static final int LAST_PHONE = 6699;
    private static final long START_MILLIS = 10_000;

    private final @Nullable Process process;

    private Capture(@Nullable Process process) {
        this.process = process;
    }

    /**
     * Begins.
     *
     * @param port of the server outside
     */
    static Capture start(Path folder, int port) throws IOException {
        Files.createDirectories(folder);
        Path log = folder.resolve("tshark.log");
        String filter =
                "dst host 127.0.0.1 and (src port %d or dst portrange %d-%d)"
                        .formatted(port, FIRST_PHONE, LAST_PHONE);
        Process tshark;
        try {
            tshark =
                    new ProcessBuilder(
                                    List.of(
                                            "tshark",
                                            "-q",
                                            "-i",
                                            "lo",
                                            "-f",
                                            filter,
                                            "-w",
                                            folder.resolve(FILE).toString()))
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException notInstalled) {
            return new Capture(null);
        }
        long waited = 0;
        while (tshark.isAlive()
                && waited < START_MILLIS
                && !Files.readString(log).contains("Capturing on")) {
            Pause.millis(50);
            waited += 50;
        }
        Pause.millis(300); // it says so a moment before it does
        return new Capture(tshark);
    }

    @Override
    public void close() throws IOException {
        if (process == null || !process.isAlive()) {
            return;
        }
        Pause.millis(300); // what was sent last is in its buffer
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while tshark ended", e);
        }
    }
}
