package io.carillon.server.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The bridge for Mobicents' applications and the interfaces that it stands for.
 *
 * @param shipped the folder with our own part
 * @param folder where the server looks for it
 */
public record BridgeInstall(Path shipped, Path folder) {
    /** Where the interfaces are published. */
    public static final String CENTRAL = "https://repo.maven.apache.org/maven2/";

    private static final int TIMEOUT_MILLIS = 20_000;

    /** Far more than each has: a wrong place may send without end. */
    private static final int MOST_BYTES = 16 << 20;

    private static final String GROUP = "org/mobicents/servlet/sip/";

    static final List<Library> LIBRARIES =
            List.of(
                    new Library(
                            "sip-servlets-client",
                            "3.1.773",
                            "bdecc6834f9ceff5afbce40326be4b4419086570c8641736ec58472ac10d5262"),
                    new Library(
                            "sip-servlets-annotations",
                            "3.2.0-37",
                            "1737793fcf30df992dcf98a4788ec53c4d2887989dd930c67c33300af41de02d"));

    /** A jar of the vendor's; {@code sha256} says that it is that one. */
    record Library(String name, String version, String sha256) {
        String file() {
            return name + "-" + version + ".jar";
        }

        String path() {
            return GROUP + name + "/" + version + "/" + file();
        }
    }

    /** Is it there? */
    public boolean installed() {
        return Files.isDirectory(folder);
    }

    /**
     * Fetches what is missing; all of it is there at the end, or nothing.
     *
     * @param repository a Maven repository, ends in a slash
     * @throws IOException in a sentence, when something cannot be fetched or is not what it is to
     *     be
     */
    public void install(URI repository) throws IOException {
        List<Path> own = jarsIn(shipped);
        if (own.isEmpty()) {
            throw new IOException(shipped + " has no bridge: this is not a whole distribution");
        }
        Path parent = folder.toAbsolutePath().getParent();
        Files.createDirectories(parent);
        Path made = Files.createTempDirectory(parent, "bridge");
        try {
            for (Library library : LIBRARIES) {
                Files.write(made.resolve(library.file()), fetch(repository, library));
            }
            for (Path jar : own) {
                Files.copy(jar, made.resolve(jar.getFileName()));
            }
            remove();
            Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            delete(made);
        }
    }

    private static byte[] fetch(URI repository, Library library) throws IOException {
        URI from = repository.resolve(library.path());
        byte[] bytes;
        try {
            URLConnection connection = from.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            try (InputStream in = connection.getInputStream()) {
                bytes = in.readNBytes(MOST_BYTES);
            }
        } catch (IOException e) {
            throw new IOException(
                    from
                            + " cannot be fetched ("
                            + e.getMessage()
                            + "); --repository names another Maven repository or a folder",
                    e);
        }
        String sum = sha256(bytes);
        if (!sum.equals(library.sha256())) {
            throw new IOException(
                    from + " is not the file that was expected: its SHA-256 is " + sum);
        }
        return bytes;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** What is installed, by name. */
    public List<Path> jars() throws IOException {
        return jarsIn(folder);
    }

    private static List<Path> jarsIn(Path place) throws IOException {
        List<Path> jars = new ArrayList<>();
        if (Files.isDirectory(place)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(place, "*.jar")) {
                found.forEach(jars::add);
            }
        }
        jars.sort(null);
        return jars;
    }

    /** Removes it where it is there. */
    public void remove() throws IOException {
        delete(folder);
    }

    private static void delete(Path place) throws IOException {
        for (Path jar : jarsIn(place)) {
            Files.delete(jar);
        }
        Files.deleteIfExists(place);
    }
}
