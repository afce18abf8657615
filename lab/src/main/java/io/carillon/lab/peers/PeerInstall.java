package io.carillon.lab.peers;

import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Fetches a peer by Maven, which checks each file against its checksum of the registry, and unpacks
 * it. It is there as a whole or not at all.
 */
final class PeerInstall {
    /** The version that Carillon's own build uses. */
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0";

    private final Path root;

    PeerInstall(Path root) {
        this.root = root;
    }

    boolean isInstalled(PeerPackage peer) {
        return Files.isDirectory(place(peer).resolve(peer.folder()));
    }

    Path place(PeerPackage peer) {
        return PeerFiles.folder(root).resolve(peer.name());
    }

    void install(PeerPackage peer) throws IOException {
        Path making = PeerFiles.folder(root).resolve(peer.name() + ".making");
        Folders.delete(making);
        Path fetched = Files.createDirectories(making.resolve("fetched"));
        Files.writeString(making.resolve("pom.xml"), peer.pom());
        fetch(making, fetched);
        Path home = making.resolve("home").resolve(peer.folder());
        try (InputStream in = Files.newInputStream(fetched.resolve(peer.archiveFile()))) {
            unpack(in, home);
        }
        Path lib = Files.createDirectories(home.resolve("lib"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(fetched, "*.jar")) {
            for (Path jar : jars) {
                Files.move(jar, lib.resolve(jar.getFileName()));
            }
        }
        Folders.delete(place(peer));
        Files.move(making.resolve("home"), place(peer));
        Folders.delete(making);
    }

    void remove(PeerPackage peer) throws IOException {
        Folders.delete(place(peer));
    }

    private void fetch(Path project, Path target) throws IOException {
        Path log = project.resolve("maven.log");
        ProcessBuilder builder =
                new ProcessBuilder(
                                maven(),
                                "-B",
                                "-ntp",
                                "--strict-checksums",
                                "-f",
                                project.resolve("pom.xml").toString(),
                                PLUGIN + ":copy-dependencies",
                                "-DoutputDirectory=" + target)
                        .directory(project.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(
                        "Maven could not fetch it: "
                                + firstError(log)
                                + "; all of its output is in "
                                + log);
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Maven fetched it", e);
        }
    }

    private static String firstError(Path log) throws IOException {
        return Files.readString(log)
                .lines()
                .filter(line -> line.startsWith("[ERROR]"))
                .findFirst()
                .orElse("no reason given");
    }

    /** Maven of the PATH, or else the wrapper of this checkout. */
    private String maven() {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(":")) {
            if (Files.isExecutable(Path.of(folder, "mvn"))) {
                return Path.of(folder, "mvn").toString();
            }
        }
        return root.resolve("mvnw").toString();
    }

    /** Unpacks without the first folder of each name, and without Tomcat's own applications. */
    static void unpack(InputStream archive, Path target) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(archive)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName();
                String inner = name.substring(name.indexOf('/') + 1);
                Path file = target.resolve(inner).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("the archive has a file outside of it: " + name);
                }
                if (inner.isEmpty() || entry.isDirectory() || inner.startsWith("webapps/")) {
                    continue;
                }
                Path parent = file.getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                Files.copy(zip, file);
            }
        }
    }
}
