package io.carillon.fuzz;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** What the sittings of a target came to so far, in a file beside its findings. */
final class FuzzTotals {
    private static final String FILE = "totals.properties";

    private FuzzTotals() {}

    static FuzzResult read(FuzzTarget target, Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return FuzzResult.none(target);
        }
        Properties saved = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            saved.load(in);
        }
        return new FuzzResult(
                target,
                number(saved, "executions", file),
                number(saved, "edges", file),
                number(saved, "last-new", file),
                number(saved, "seconds", file),
                number(saved, "cpu-seconds", file),
                number(saved, "corpus", file),
                number(saved, "megabytes", file),
                number(saved, "slowest-seconds", file),
                // What was found has been mended, or is found again.
                "");
    }

    private static long number(Properties saved, String name, Path file) throws IOException {
        try {
            return Long.parseLong(saved.getProperty(name, "0"));
        } catch (NumberFormatException e) {
            throw new IOException(file + ": " + name + " is no number", e);
        }
    }

    static void write(FuzzResult result, Path folder) throws IOException {
        Properties saved = new Properties();
        saved.setProperty("executions", Long.toString(result.executions()));
        saved.setProperty("edges", Long.toString(result.coverage()));
        saved.setProperty("last-new", Long.toString(result.lastNew()));
        saved.setProperty("seconds", Long.toString(result.seconds()));
        saved.setProperty("cpu-seconds", Long.toString(result.cpuSeconds()));
        saved.setProperty("corpus", Long.toString(result.corpus()));
        saved.setProperty("megabytes", Long.toString(result.megabytes()));
        saved.setProperty("slowest-seconds", Long.toString(result.slowestSeconds()));
        // Whoever reads meanwhile, or ends the process now, finds the old ones or the new ones.
        Path file = folder.resolve(FILE);
        Path next = folder.resolve(FILE + ".new");
        try (Writer out = Files.newBufferedWriter(next)) {
            saved.store(out, null);
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
