package io.carillon.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A password or a token, as the configuration gives it: the text itself, or the file whose first
 * line it is. The file is read each time that the secret is asked for, so that a new one counts
 * from its next use on. Never printed: {@link #toString} shows stars.
 *
 * <p>Immutable; any thread.
 */
public final class Secret {
    /** What stands for a secret wherever the configuration is shown. */
    static final String SHOWN = "***";

    private final @Nullable String text;
    private final @Nullable Path file;

    private Secret(@Nullable String text, @Nullable Path file) {
        this.text = text;
        this.file = file;
    }

    /** The text itself. */
    public static Secret of(String text) {
        return new Secret(text, null);
    }

    /** The first line of a file. */
    public static Secret inFile(Path file) {
        return new Secret(null, file);
    }

    /** The file that holds it; null where the configuration itself does. */
    public @Nullable Path file() {
        return file;
    }

    /**
     * The secret.
     *
     * @throws IOException when its file cannot be read; the message names the file, and why
     */
    public String value() throws IOException {
        if (file == null) {
            return Objects.requireNonNull(text);
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (IOException e) {
            throw new IOException("the file " + file + " cannot be read", e);
        }
        KeyLines.warnOfReaders(file);
        return lines.isEmpty() ? "" : lines.getFirst();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret
                && Objects.equals(text, secret.text)
                && Objects.equals(file, secret.file);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, file);
    }

    @Override
    public String toString() {
        return file == null ? SHOWN : SHOWN + " (in " + file + ")";
    }
}
