package io.carillon.server.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a server keeps beside its database, by the names that it has in a backup.
 *
 * @param settings the folder of the owner's configuration; it need not be there
 * @param configuration a configuration file elsewhere that counts; null: there is none
 * @param applications the folder of deployed archives; null: there is none
 */
public record BackupSource(
        Path settings, @Nullable Path configuration, @Nullable Path applications) {
    static final String SETTINGS = "conf/";
    static final String APPLICATIONS = "applications/";

    /** Files by their names in the backup, sorted. */
    Map<String, Path> files() throws IOException {
        Map<String, Path> found = new TreeMap<>();
        if (Files.isDirectory(settings)) {
            addTree(settings, found);
        }
        Path named = configuration;
        if (named != null) {
            found.put(SETTINGS + "carillon.yaml", named);
        }
        Path archives = applications;
        if (archives != null && Files.isDirectory(archives)) {
            try (Stream<Path> all = Files.list(archives)) {
                all.filter(BackupSource::isArchive)
                        .forEach(one -> found.put(APPLICATIONS + one.getFileName(), one));
            }
        }
        return found;
    }

    private static void addTree(Path folder, Map<String, Path> found) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .filter(one -> !String.valueOf(one.getFileName()).endsWith(".example"))
                    .forEach(one -> found.put(SETTINGS + folder.relativize(one), one));
        }
    }

    private static boolean isArchive(Path file) {
        String name = String.valueOf(file.getFileName());
        return Files.isRegularFile(file) && (name.endsWith(".war") || name.endsWith(".sar"));
    }
}
