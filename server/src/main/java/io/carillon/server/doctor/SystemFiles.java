package io.carillon.server.doctor;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the kernel tells by files ({@code /proc}, {@code /sys}), below a root that tests
 * choose. What is not there, may not be read or has another form is null: a system shows what it
 * has. Any thread.
 */
public final class SystemFiles {
    private static final int CHUNK = 65_536;

    private final Path root;

    /** Reads below a root; the real one is {@code /}. */
    public SystemFiles(Path root) {
        this.root = root;
    }

    /** The files of this machine. */
    public static SystemFiles real() {
        return new SystemFiles(Path.of("/"));
    }

    /** True when there is such a file or folder. */
    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** The whole text without blanks at its ends. */
    @Nullable String text(String path) {
        // Values below /proc/sys are told to the first read alone: it has to take all of them.
        byte[] chunk = new byte[CHUNK];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (FileInputStream in = new FileInputStream(root.resolve(path).toFile())) {
            for (int n = in.read(chunk); n > 0; n = in.read(chunk)) {
                all.write(chunk, 0, n);
            }
            return all.toString(StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return null; // not on this system, or not for us: the check says that it cannot see it
        }
    }

    /** The lines; none where there is no file. */
    List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** A file that holds one number. */
    @Nullable Long number(String path) {
        return parse(text(path));
    }

    /** The number behind a name in lines of the form {@code Name: 12 kB} or {@code name 12}. */
    @Nullable Long number(String path, String name) {
        for (String line : lines(path)) {
            String[] words = words(line);
            if (words.length > 1 && (words[0].equals(name) || words[0].equals(name + ":"))) {
                return parse(words[1]);
            }
        }
        return null;
    }

    /**
     * A number of the tables whose names and values stand in two lines of the same first word, as
     * in {@code /proc/net/snmp}.
     */
    @Nullable Long paired(String path, String table, String name) {
        String[] names = null;
        for (String line : lines(path)) {
            String[] words = words(line);
            if (!words[0].equals(table + ":")) {
                continue;
            }
            if (names == null) {
                names = words;
                continue;
            }
            for (int i = 1; i < Math.min(names.length, words.length); i++) {
                if (names[i].equals(name)) {
                    return parse(words[i]);
                }
            }
        }
        return null;
    }

    /** Names in a folder; none where there is none. */
    List<String> names(String path) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root.resolve(path))) {
            found.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (IOException e) {
            return List.of(); // as with text
        }
        names.sort(null);
        return names;
    }

    /** The choice in brackets, as in {@code always [madvise] never}; else the text. */
    @Nullable String choice(String path) {
        String text = text(path);
        if (text == null) {
            return null;
        }
        int open = text.indexOf('[');
        int close = text.indexOf(']', open + 1);
        return open >= 0 && close > open ? text.substring(open + 1, close) : text;
    }

    static String[] words(String line) {
        return line.strip().split("\\s+", -1);
    }

    static @Nullable Long parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return null; // "max" and the like: no number
        }
    }
}
