package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Tells whether an archive has anything to serve over HTTP: a {@code web.xml}, a page, or a class
 * annotated {@code @WebServlet}, {@code @WebFilter} or {@code @WebListener}. No class is loaded.
 * Stateless.
 */
public final class HttpPart {
    private static final byte[] MARK =
            "Ljavax/servlet/annotation/Web".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_CLASS_BYTES = 16 << 20;
    private static final List<String> NO_PAGES = List.of("WEB-INF", "META-INF");

    private HttpPart() {}

    /**
     * Looks.
     *
     * @param archive what messages call it
     * @param root unpacked archive
     * @throws DeploymentException when it cannot be read
     */
    public static boolean in(String archive, Path root) throws DeploymentException {
        try {
            return Files.isRegularFile(root.resolve("WEB-INF/web.xml"))
                    || hasPage(root)
                    || annotatedIn(root.resolve("WEB-INF/classes"))
                    || annotatedInJars(root.resolve("WEB-INF/lib"));
        } catch (IOException e) {
            throw new DeploymentException(
                    archive, 0, null, "cannot read the classes: " + e.getMessage(), e);
        }
    }

    private static boolean hasPage(Path root) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                if (!NO_PAGES.contains(String.valueOf(entry.getFileName()))
                        && (Files.isRegularFile(entry) || hasFile(entry))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasFile(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.anyMatch(Files::isRegularFile);
        }
    }

    private static boolean annotatedIn(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            return false;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(classes)) {
            files = walk.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            if (Files.size(file) <= MAX_CLASS_BYTES && mentions(Files.readAllBytes(file))) {
                return true;
            }
        }
        return false;
    }

    private static boolean annotatedInJars(Path lib) throws IOException {
        if (!Files.isDirectory(lib)) {
            return false;
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "*.jar")) {
            for (Path jar : jars) {
                if (annotatedInJar(jar)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean annotatedInJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        if (mentions(in.readNBytes(MAX_CLASS_BYTES))) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    private static boolean mentions(byte[] bytes) {
        int last = bytes.length - MARK.length;
        for (int i = 0; i <= last; i++) {
            if (bytes[i] == MARK[0]
                    && Arrays.equals(bytes, i, i + MARK.length, MARK, 0, MARK.length)) {
                return true;
            }
        }
        return false;
    }
}
