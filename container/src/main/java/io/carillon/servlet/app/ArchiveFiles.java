package io.carillon.servlet.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of an unpacked archive as its servlet context shows them: by paths that begin with a
 * slash, and never outside of it. Immutable; any thread.
 *
 * @param application its name, for errors
 * @param root null when the application was described in code: then there are no files
 */
record ArchiveFiles(String application, @Nullable Path root) {
    /** What a folder holds, folders with a slash behind; null where there is no such folder. */
    @Nullable Set<String> paths(String path) {
        Path folder = resolve(path);
        if (folder == null || !Files.isDirectory(folder)) {
            return null;
        }
        String prefix = path.endsWith("/") ? path : path + "/";
        Set<String> found = new LinkedHashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                found.add(prefix + entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot list " + path + " of application " + application, e);
        }
        return found;
    }

    /**
     * Null where there is no such file.
     *
     * @throws MalformedURLException for a path without a slash in front
     */
    @Nullable URL url(String path) throws MalformedURLException {
        if (!path.startsWith("/")) {
            throw new MalformedURLException("a resource path begins with '/': " + path);
        }
        Path file = resolve(path);
        return file != null && Files.exists(file) ? file.toUri().toURL() : null;
    }

    /** Null where there is no such file. */
    @Nullable InputStream open(String path) throws IOException {
        Path file = resolve(path);
        return file == null || !Files.isRegularFile(file) ? null : Files.newInputStream(file);
    }

    /** Where it lies, or would lie; null for a path that leads outside. */
    @Nullable String realPath(String path) {
        Path file = resolve(path);
        return file == null ? null : file.toString();
    }

    private @Nullable Path resolve(@Nullable String path) {
        if (root == null || path == null) {
            return null;
        }
        int begin = 0;
        while (begin < path.length() && path.charAt(begin) == '/') {
            begin++;
        }
        try {
            Path file = root.resolve(path.substring(begin)).normalize();
            return file.startsWith(root) ? file : null;
        } catch (InvalidPathException e) {
            return null; // no file can have such a name
        }
    }
}
