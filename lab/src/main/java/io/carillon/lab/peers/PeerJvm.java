package io.carillon.lab.peers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The JVM that Open Liberty and RestComm run on: both want a JDK 17.
 *
 * @param home folder of the JDK; empty: the one of CARILLON_PEER_JAVA_HOME, or one of the usual
 *     places
 * @param options more JVM options, the same for both
 */
public record PeerJvm(String home, List<String> options) {
    static final int VERSION = 17;
    private static final Path USUAL = Path.of("/usr/lib/jvm");

    /**
     * The java command.
     *
     * @throws IOException where there is no such JDK, saying how to get one
     */
    Path command() throws IOException {
        String asked = home.isEmpty() ? fromEnvironment() : home;
        if (!asked.isEmpty()) {
            Path jdk = Path.of(asked);
            if (!isWanted(jdk)) {
                throw new IOException(jdk + " is no JDK " + VERSION + " (bin/java, release)");
            }
            return jdk.resolve("bin/java");
        }
        for (Path jdk : usual()) {
            if (isWanted(jdk)) {
                return jdk.resolve("bin/java");
            }
        }
        throw new IOException(
                "no JDK "
                        + VERSION
                        + " for this peer: apt install openjdk-17-jre-headless, or --peer-jdk FOLDER");
    }

    private static String fromEnvironment() {
        String folder = System.getenv("CARILLON_PEER_JAVA_HOME");
        return folder == null ? "" : folder;
    }

    private static List<Path> usual() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(USUAL)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(USUAL)) {
                folders.forEach(found::add);
            }
        }
        found.sort(null);
        return found;
    }

    private static boolean isWanted(Path jdk) throws IOException {
        Path release = jdk.resolve("release");
        if (!Files.isExecutable(jdk.resolve("bin/java")) || !Files.isRegularFile(release)) {
            return false;
        }
        Properties properties = new Properties();
        try (var in = Files.newInputStream(release)) {
            properties.load(in);
        }
        return properties.getProperty("JAVA_VERSION", "").startsWith("\"" + VERSION + ".");
    }
}
