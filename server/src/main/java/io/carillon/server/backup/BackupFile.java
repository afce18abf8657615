package io.carillon.server.backup;

import io.carillon.server.Version;
import io.carillon.server.data.CopyRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A backup as it is written and read: a ZIP file with {@link Manifest} first, then the database,
 * its password, settings and archives. Stateless; blocks.
 */
public final class BackupFile {
    static final String DATABASE = "database/carillon.mv.db";
    static final String PASSWORD = "database/password";

    /** H2's name for the file of a database. */
    private static final String H2_SUFFIX = ".mv.db";

    private BackupFile() {}

    /**
     * What was written.
     *
     * @param schema the version of the tables; null: no database
     * @param settings how many files
     * @param archives of applications
     * @param elsewhere what is not in it, in words
     */
    public record Written(
            @Nullable String schema, int settings, int archives, List<String> elsewhere) {
        public Written {
            elsewhere = List.copyOf(elsewhere);
        }
    }

    /**
     * Writes one; the stream stays open.
     *
     * @param copy what the database's copy came to
     * @param zip the copy, where something was copied
     * @param elsewhere what is not in it, in words
     */
    public static Written write(
            OutputStream to,
            CopyRequest.Answer copy,
            Path zip,
            BackupSource source,
            List<String> elsewhere)
            throws IOException {
        int settings = 0;
        int archives = 0;
        Manifest manifest =
                new Manifest(
                        Manifest.FORMAT,
                        Version.current(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        copy.place(),
                        copy.schema(),
                        elsewhere);
        ZipOutputStream out = new ZipOutputStream(to);
        out.putNextEntry(new ZipEntry(Manifest.NAME));
        out.write(manifest.bytes());
        if (copy.copied()) {
            out.putNextEntry(new ZipEntry(DATABASE));
            database(zip, out);
            String password = copy.password();
            if (password != null) {
                out.putNextEntry(new ZipEntry(PASSWORD));
                Files.copy(Path.of(password), out);
            }
        }
        for (Map.Entry<String, Path> file : source.files().entrySet()) {
            out.putNextEntry(new ZipEntry(file.getKey()));
            Files.copy(file.getValue(), out);
            if (file.getKey().startsWith(BackupSource.SETTINGS)) {
                settings++;
            } else {
                archives++;
            }
        }
        out.finish();
        out.flush();
        return new Written(copy.schema(), settings, archives, elsewhere);
    }

    private static void database(Path zip, OutputStream to) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().endsWith(H2_SUFFIX)) {
                    in.transferTo(to);
                    return;
                }
            }
        }
        throw new IOException("the copy of the database in " + zip + " has no file " + H2_SUFFIX);
    }

    /**
     * Unpacks one into a folder that is its owner's alone.
     *
     * @param name of the file, as errors say it
     * @throws BackupFailure when it is none, or a newer one's: nothing else was read then
     */
    static Manifest unpack(String name, InputStream from, Path folder)
            throws BackupFailure, IOException {
        try (ZipInputStream in = new ZipInputStream(from)) {
            ZipEntry first = in.getNextEntry();
            if (first == null || !first.getName().equals(Manifest.NAME)) {
                throw new BackupFailure(
                        name
                                + " is no backup of Carillon: it does not begin with "
                                + Manifest.NAME);
            }
            Manifest manifest = Manifest.read(name, in.readAllBytes());
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path to = folder.resolve(entry.getName()).normalize();
                if (!to.startsWith(folder) || entry.isDirectory() || !known(entry.getName())) {
                    throw new BackupFailure(
                            name + " is no backup of Carillon: it has " + entry.getName());
                }
                Files.createDirectories(to.getParent());
                Files.copy(in, to);
            }
            return manifest;
        }
    }

    private static boolean known(String entry) {
        return entry.equals(DATABASE)
                || entry.equals(PASSWORD)
                || entry.startsWith(BackupSource.SETTINGS)
                || entry.startsWith(BackupSource.APPLICATIONS);
    }
}
