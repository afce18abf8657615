package io.carillon.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.data.CopyRequest;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backup keeps, comes back, and nothing else does. */
class BackupTest {
    private static final String REALM = "carillon";

    @TempDir private Path folder;

    private Database database(String home) {
        return new Database(ConfigurationReader.standard().database(), data(home));
    }

    private Path data(String home) {
        return folder.resolve(home).resolve("data");
    }

    private static void add(Database database, String name) {
        new SqlUsers(database).add(REALM, name, "secret", Set.of("caller"));
    }

    private static List<String> names(Database database) {
        return new SqlUsers(database).list().stream().map(SqlUsers.Listed::name).toList();
    }

    private byte[] backup(Database database, BackupSource source) throws Exception {
        Path zip = folder.resolve("copy-" + System.nanoTime() + ".zip");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupFile.write(out, CopyRequest.make(database, zip), zip, source, List.of());
        return out.toByteArray();
    }

    private BackupSource nothing() {
        return new BackupSource(folder.resolve("none"), null, null);
    }

    private Restore restore(Database into, boolean replace) throws Exception {
        return new Restore(Files.createTempDirectory(folder, "staged"), into, replace);
    }

    private static ByteArrayInputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static void execute(Database database, String sql) throws Exception {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As a newer build leaves the database behind. */
    private static void makeNewer(Database database) throws Exception {
        execute(
                database,
                "INSERT INTO \"carillon_schema\" VALUES (99, '7', 'of later', 'SQL', 'V7__of_later.sql',"
                        + " 1, 'carillon', CURRENT_TIMESTAMP, 1, TRUE)");
    }

    @Test
    void usersSettingsAndArchivesComeBackForTheirOwnerAlone() throws Exception {
        Path conf = Files.createDirectories(folder.resolve("a/conf/conf.d")).getParent();
        Files.writeString(conf.resolve("carillon.yaml"), "sip: {}\n");
        Files.writeString(conf.resolve("conf.d/10.yaml"), "http: {}\n");
        Path archives = Files.createDirectories(folder.resolve("a/applications"));
        Files.writeString(archives.resolve("hello.war"), "an archive");
        Files.writeString(archives.resolve("notes.txt"), "no archive");
        byte[] backup;
        try (Database database = database("a")) {
            add(database, "alice");
            backup = backup(database, new BackupSource(conf, null, archives));
            add(database, "later");
        }
        Path other = folder.resolve("b");
        try (Database database = database("b")) {
            Restore restore = restore(database, false);
            restore.read("b.zip", in(backup));
            restore.database();
            restore.files(other.resolve("conf"), other.resolve("applications"));

            assertThat(names(database)).containsExactly("alice");
        }
        assertThat(other.resolve("conf/carillon.yaml")).hasContent("sip: {}");
        assertThat(other.resolve("conf/conf.d/10.yaml")).hasContent("http: {}");
        assertThat(other.resolve("applications/hello.war")).hasContent("an archive");
        assertThat(other.resolve("applications/notes.txt")).doesNotExist();
        for (String file : List.of("data/carillon.mv.db", "data/password", "conf/carillon.yaml")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(other.resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aDatabaseThatIsThereStaysUnlessItIsToBePutAside() throws Exception {
        byte[] backup;
        try (Database database = database("a")) {
            add(database, "alice");
            backup = backup(database, nothing());
        }
        try (Database database = database("b")) {
            add(database, "bob");
        }
        try (Database database = database("b")) {
            Restore restore = restore(database, false);
            restore.read("a.zip", in(backup));
            assertThatThrownBy(restore::database)
                    .isInstanceOf(BackupFailure.class)
                    .hasMessageContaining("is there already: --replace");
            assertThat(names(database)).containsExactly("bob");
        }
        try (Database database = database("b")) {
            Restore restore = restore(database, true);
            restore.read("a.zip", in(backup));
            restore.database();
            assertThat(names(database)).containsExactly("alice");
            assertThat(restore.done()).anyMatch(line -> line.startsWith("What was there is in "));
        }
    }

    @Test
    void aDatabaseThatIsOpenIsNotTouched() throws Exception {
        byte[] backup;
        try (Database database = database("a")) {
            add(database, "alice");
            backup = backup(database, nothing());
            try (Database again = database("a")) {
                Restore restore = restore(again, true);
                restore.read("a.zip", in(backup));
                assertThatThrownBy(restore::database)
                        .isInstanceOf(BackupFailure.class)
                        .hasMessageContaining("another process has");
            }
            assertThat(names(database)).containsExactly("alice");
        }
    }

    @Test
    void tablesOfANewerVersionAreRefusedAndWhatWasThereComesBack() throws Exception {
        byte[] backup;
        try (Database database = database("newer")) {
            add(database, "alice");
            makeNewer(database);
            backup = backup(database, nothing());
        }
        try (Database database = database("newer")) {
            assertThatThrownBy(database.dataSource()::getConnection)
                    .hasMessageContaining(
                            "its tables have version 7, as a newer Carillon made them")
                    .hasMessageContaining("this one knows them up to 1");
        }
        try (Database database = database("b")) {
            add(database, "bob");
        }
        try (Database database = database("b")) {
            Restore restore = restore(database, true);
            restore.read("newer.zip", in(backup));
            assertThatThrownBy(restore::database)
                    .isInstanceOf(BackupFailure.class)
                    .hasMessageContaining("nothing was restored")
                    .hasMessageContaining("its tables have version 7");
        }
        try (Database database = database("b")) {
            assertThat(names(database)).containsExactly("bob");
        }
    }

    @Test
    void settingsThatAreThereStay() throws Exception {
        Path conf = Files.createDirectories(folder.resolve("a/conf"));
        Files.writeString(conf.resolve("carillon.yaml"), "sip: {}\n");
        byte[] backup;
        try (Database database = database("a")) {
            backup = backup(database, new BackupSource(conf, null, null));
        }
        Path mine = Files.createDirectories(folder.resolve("b/conf"));
        Files.writeString(mine.resolve("carillon.yaml"), "http: {}\n");
        try (Database database = database("b")) {
            Restore restore = restore(database, false);
            restore.read("a.zip", in(backup));
            restore.database();
            restore.files(mine, null);
            assertThat(restore.done()).anyMatch(line -> line.startsWith("Left as it is: "));
            assertThat(restore.done()).anyMatch(line -> line.startsWith("It has no database"));
        }
        assertThat(mine.resolve("carillon.yaml")).hasContent("http: {}");
    }

    @Test
    void whatACloneKeepsIsTakenOver() throws Exception {
        Path clone = folder.resolve("clone");
        Path conf = Files.createDirectories(clone.resolve(".carillon/conf"));
        Files.writeString(conf.resolve("carillon.yaml"), "sip: {}\n");
        try (Database database = database("clone/.carillon")) {
            add(database, "alice");
            try (Database into = database("b")) {
                Restore restore = restore(into, false);
                assertThatThrownBy(() -> restore.readFolder(clone))
                        .isInstanceOf(BackupFailure.class)
                        .hasMessageContaining("stop that server first");
            }
        }
        try (Database into = database("b")) {
            Restore restore = restore(into, false);
            restore.readFolder(clone);
            restore.database();
            restore.files(folder.resolve("b/conf"), null);
            assertThat(names(into)).containsExactly("alice");
        }
        assertThat(folder.resolve("b/conf/carillon.yaml")).hasContent("sip: {}");
        try (Database database = database("clone/.carillon")) {
            assertThat(names(database)).as("it is a copy").containsExactly("alice");
        }
    }

    @Test
    void whatIsNoBackupIsRefusedInASentence() throws Exception {
        try (Database into = database("b")) {
            Restore restore = restore(into, false);
            assertThatThrownBy(() ->
                            restore.read("a.txt", in("text".getBytes(StandardCharsets.UTF_8))))
                    .isInstanceOf(BackupFailure.class)
                    .hasMessage(
                            "a.txt is no backup of Carillon: it does not begin with backup.json");
            assertThatThrownBy(() -> restore.read("a.zip", in(zip("{\"format\":9,\"elsewhere\":[]}", null))))
                    .isInstanceOf(BackupFailure.class)
                    .hasMessageContaining("in format 9, and this one reads format 1");
            assertThatThrownBy(() -> restore.read("a.zip", in(zip("no JSON", null))))
                    .isInstanceOf(BackupFailure.class)
                    .hasMessageContaining("cannot be read");
            assertThatThrownBy(() ->
                            restore.read(
                                    "a.zip",
                                    in(zip("{\"format\":1,\"elsewhere\":[]}", "conf/../../../x"))))
                    .isInstanceOf(BackupFailure.class)
                    .hasMessageContaining("it has conf/../../../x");
        }
    }

    private static byte[] zip(String manifest, @Nullable String entry) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("backup.json"));
            out.write(manifest.getBytes(StandardCharsets.UTF_8));
            if (entry != null) {
                out.putNextEntry(new ZipEntry(entry));
            }
        }
        return bytes.toByteArray();
    }
}
