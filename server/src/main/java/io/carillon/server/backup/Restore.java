package io.carillon.server.backup;

import io.carillon.server.data.Database;
import io.carillon.server.data.DatabaseFiles;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way back: of a backup, or of what a clone keeps. All or nothing for the database: what was
 * there is put aside first, and comes back when the new one does not open. One thread; blocks.
 */
public final class Restore {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Path staged;
    private final Database database;
    private final boolean replace;
    private final List<String> done = new ArrayList<>();

    /**
     * @param staged a folder of this process alone, for what is read; its user deletes it
     * @param database to restore into; opened by this, and closed by its owner
     * @param replace put aside a database that is there; else that is a failure
     */
    public Restore(Path staged, Database database, boolean replace) {
        this.staged = staged.toAbsolutePath().normalize();
        this.database = database;
        this.replace = replace;
    }

    /**
     * Reads a backup.
     *
     * @param name of the file, as errors say it
     */
    public void read(String name, InputStream from) throws BackupFailure, IOException {
        Manifest manifest = BackupFile.unpack(name, from, staged);
        done.add("Backup of " + manifest.made() + " by Carillon " + manifest.version());
        if (manifest.schema() == null) {
            done.add("It has no database; that one was " + manifest.database());
        }
        manifest.elsewhere().forEach(one -> done.add("Not in it: " + one));
    }

    /**
     * Reads what a clone or another folder of Carillon's keeps.
     *
     * @param folder the clone, or the folder that CARILLON_HOME named
     * @throws BackupFailure when it has nothing, or a server has it open
     */
    public void readFolder(Path folder) throws BackupFailure, IOException {
        Path kept =
                Files.isDirectory(folder.resolve(".carillon"))
                        ? folder.resolve(".carillon")
                        : folder;
        if (Files.exists(kept) && !Files.isReadable(kept)) {
            throw new BackupFailure(
                    kept
                            + " can be read by its owner alone: as he, make a backup there"
                            + " (carillon backup FILE), and restore that");
        }
        Path data = kept.resolve("data/carillon.mv.db");
        if (!Files.exists(data)) {
            throw new BackupFailure(folder + " keeps nothing of Carillon's: there is no " + data);
        }
        closed(data);
        Path to = Files.createDirectories(staged.resolve("database"));
        Files.copy(data, to.resolve("carillon.mv.db"));
        Path password = data.resolveSibling("password");
        if (Files.exists(password)) {
            Files.copy(password, to.resolve("password"));
        }
        for (var one : new BackupSource(kept.resolve("conf"), null, null).files().entrySet()) {
            Path copy = staged.resolve(one.getKey());
            Files.createDirectories(copy.getParent());
            Files.copy(one.getValue(), copy);
        }
        done.add("Taken over from " + kept);
    }

    /** Whoever has it open holds a lock on it. */
    private static void closed(Path data) throws BackupFailure, IOException {
        try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                throw inUse(data);
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(data);
        }
    }

    private static BackupFailure inUse(Path data) {
        return new BackupFailure(
                "another process has " + data + " open: stop that server first (carillon stop)");
    }

    /**
     * Puts the database where the configuration says.
     *
     * @throws BackupFailure in a sentence; the database that was there is there again
     */
    public void database() throws BackupFailure, IOException {
        Path from = staged.resolve(BackupFile.DATABASE);
        if (!Files.exists(from)) {
            return;
        }
        DatabaseFiles files = database.files();
        if (files == null) {
            throw new BackupFailure(
                    "the backup has an embedded database, and the configuration names "
                            + database.place()
                            + ": leave database.url out of it, or move the data by that"
                            + " database's own tools");
        }
        Path aside = null;
        if (files.there()) {
            if (!replace) {
                throw new BackupFailure(
                        files.database()
                                + " is there already: --replace puts it aside, and restores");
            }
            closed(files.database());
            aside = aside(files);
        }
        try {
            put(from, files.database());
            Path password = staged.resolve(BackupFile.PASSWORD);
            if (Files.exists(password)) {
                put(password, files.password());
            }
            database.closeToOthers();
            database.dataSource().getConnection().close();
            done.add("The database is restored to " + files.database());
        } catch (SQLException | IOException e) {
            back(files, aside);
            throw new BackupFailure("nothing was restored: " + String.valueOf(e.getMessage()), e);
        }
    }

    private static void put(Path from, Path to) throws IOException {
        Path folder = to.getParent();
        if (folder != null && !Files.exists(folder)) {
            OwnFolder.make(folder);
        }
        OwnFolder.write(to, new byte[0]); // its rights are there before its bytes
        try (InputStream in = Files.newInputStream(from);
                var out = Files.newOutputStream(to)) {
            in.transferTo(out);
        }
    }

    /** The folder that has what was there. */
    private Path aside(DatabaseFiles files) throws IOException {
        Path folder =
                files.database().resolveSibling("before-" + STAMP.format(LocalDateTime.now(ZoneId.systemDefault())));
        OwnFolder.make(folder);
        move(files.database(), folder);
        move(files.password(), folder);
        done.add("What was there is in " + folder);
        return folder;
    }

    private static void move(Path file, Path folder) throws IOException {
        if (Files.exists(file)) {
            Files.move(file, folder.resolve(file.getFileName()));
        }
    }

    private void back(DatabaseFiles files, @Nullable Path aside) throws IOException {
        database.close();
        Files.deleteIfExists(files.database());
        Files.deleteIfExists(files.password());
        if (aside != null) {
            for (Path file : List.of(files.database(), files.password())) {
                Path kept = aside.resolve(file.getFileName());
                if (Files.exists(kept)) {
                    Files.move(kept, file);
                }
            }
            OwnFolder.delete(aside);
        }
    }

    /**
     * Puts settings and archives where they are not there yet; what is there stays.
     *
     * @param settings the folder of the owner's configuration
     * @param applications the folder of deployed archives; null: the configuration names none
     */
    public void files(Path settings, @Nullable Path applications) throws IOException {
        each(staged.resolve(BackupSource.SETTINGS), settings, "settings");
        Path archives = staged.resolve(BackupSource.APPLICATIONS);
        if (applications == null && Files.isDirectory(archives)) {
            done.add("Archives are left out: the configuration names no deploy.folder");
        } else if (applications != null) {
            each(archives, applications, "archives");
        }
    }

    private void each(Path from, Path to, String what) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> found = Files.walk(from)) {
            all = found.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : all) {
            Path target = to.resolve(from.relativize(file).toString());
            if (!Files.exists(target)) {
                try {
                    put(file, target);
                    done.add("Restored: " + target);
                } catch (IOException e) {
                    done.add(
                            target
                                    + " could not be written ("
                                    + e.getClass().getSimpleName()
                                    + "); it is in the backup, below "
                                    + from.getFileName());
                }
            } else if (Files.mismatch(file, target) >= 0) {
                done.add("Left as it is: " + target + "; the backup has other " + what);
            }
        }
    }

    /** What was done, a sentence each. */
    public List<String> done() {
        return List.copyOf(done);
    }
}
