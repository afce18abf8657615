package io.carillon.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the embedded database: who may read them, and with which password. */
class DatabaseFilesTest {
    @TempDir Path home;

    private Path folder() {
        return home.resolve(".carillon").resolve("data");
    }

    private Database database() {
        return new Database(ConfigurationReader.standard().database(), folder());
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private void assertOwnersOnly() throws Exception {
        assertThat(mode(folder())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.toList()) {
                assertThat(mode(file)).as("%s", file).isEqualTo("rw-------");
            }
        }
    }

    /** As a server without the password made it. */
    private void makeWithoutPassword() throws Exception {
        Files.createDirectories(folder());
        try (Connection open = DriverManager.getConnection(url(), "carillon", "")) {
            open.createStatement().execute("CREATE TABLE kept (name VARCHAR(20))");
            open.createStatement().execute("INSERT INTO kept VALUES ('alice')");
        }
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            }
        }
    }

    private String url() {
        return "jdbc:h2:file:" + folder().resolve("carillon");
    }

    private Database atUrl(String url, @Nullable String user) {
        DatabaseSettings usual = ConfigurationReader.standard().database();
        return new Database(
                new DatabaseSettings(
                        url, user, null, usual.connections(), usual.maxWaiting(), usual.maxWait()),
                home.resolve("not-used"));
    }

    @Test
    void oneAtAUrlOfOnesOwnIsItsOwnersAloneAndHasAPassword() throws Exception {
        Path shared = Files.createDirectories(home.resolve("shared"));
        Path other = Files.writeString(shared.resolve("other.txt"), "of somebody else");
        for (Path file : List.of(shared, other)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String url = "jdbc:h2:file:" + shared.resolve("own");
        try (Database database = atUrl(url + ";WRITE_DELAY=0", null)) {
            new SqlUsers(database).add("carillon", "alice", "secret", Set.of());
            assertThat(mode(shared.resolve("own.mv.db"))).isEqualTo("rw-------");
        }
        assertThat(mode(shared.resolve("own.mv.db"))).isEqualTo("rw-------");
        assertThat(mode(shared.resolve("own.password"))).isEqualTo("rw-------");
        assertThat(List.of(mode(shared), mode(other))).containsOnly("rwxr-xr-x");
        assertThatThrownBy(() -> DriverManager.getConnection(url).close())
                .isInstanceOf(SQLException.class);
        try (Database again = atUrl(url, null)) {
            assertThat(new SqlUsers(again).find("carillon", "alice")).isNotNull();
        }
    }

    @Test
    void oneAtAUrlOfOnesOwnThatIsThereIsTakenOverWithAllThatItHolds() throws Exception {
        makeWithoutPassword();
        try (Database database = atUrl(url(), "carillon")) {
            database.closeToOthers();
            assertThat(mode(folder().resolve("carillon.mv.db"))).isEqualTo("rw-------");
            try (Connection open = database.dataSource().getConnection();
                    var rows = open.createStatement().executeQuery("SELECT name FROM kept")) {
                assertThat(rows.next()).isTrue();
            }
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url(), "carillon", "").close())
                .isInstanceOf(SQLException.class);
    }

    @Test
    void aPasswordInTheUrlStaysTheDatabases() throws Exception {
        String url = "jdbc:h2:" + home.resolve("new/own") + ";user=sa;password=theirs";
        try (Database database = atUrl(url, null)) {
            new SqlUsers(database).add("carillon", "alice", "secret", Set.of());
        }
        assertThat(mode(home.resolve("new"))).isEqualTo("rwx------");
        assertThat(mode(home.resolve("new/own.mv.db"))).isEqualTo("rw-------");
        assertThat(home.resolve("new/own.password")).doesNotExist();
        DriverManager.getConnection(url).close();
    }

    @Test
    void whatIsNoFileOfThisMachineIsLeftAlone() {
        assertThat(H2Url.of("jdbc:h2:mem:x")).isNull();
        assertThat(H2Url.of("jdbc:h2:tcp://db.example/~/x")).isNull();
        assertThat(H2Url.of("jdbc:h2:zip:/a.zip!/x")).isNull();
        assertThat(H2Url.of("jdbc:postgresql://db.example/x")).isNull();
        assertThat(H2Url.of("jdbc:h2:~/x;CIPHER=AES"))
                .extracting(H2Url::base)
                .isEqualTo(Path.of(System.getProperty("user.home"), "x"));
    }

    @Test
    void onlyTheOwnerReadsADatabaseThatWasMade() throws Exception {
        try (Database database = database()) {
            new SqlUsers(database).add("carillon", "alice", "secret", Set.of());
            assertOwnersOnly();
        }
        assertOwnersOnly();
        assertThat(mode(home.resolve(".carillon"))).isEqualTo("rwx------");
    }

    /** The start does so, before anybody needs the database. */
    @Test
    void oneThatIsNotOpenedYetIsClosedToOthersToo() throws Exception {
        makeWithoutPassword();
        try (Database database = database()) {
            database.closeToOthers();
            assertOwnersOnly();
        }
        assertThat(folder().resolve("password")).doesNotExist();
    }

    @Test
    void aFolderOfAnotherUserIsRefusedInASentence() throws Exception {
        Files.createDirectories(folder());
        var users = folder().getFileSystem().getUserPrincipalLookupService();
        try {
            Files.setOwner(folder(), users.lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            assumeThat(e).as("only root gives folders away").isNull();
        }
        try (Database database = database()) {
            assertThatThrownBy(database::closeToOthers)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(
                            folder() + " belongs to nobody, and this process runs as");
        }
    }

    @Test
    void aLinkToAFolderOnAnotherDiskIsFollowed() throws Exception {
        Path elsewhere = Files.createDirectories(home.resolve("elsewhere"));
        Files.createDirectories(folder().getParent());
        Files.createSymbolicLink(folder(), elsewhere);
        try (Database database = database()) {
            assertThat(new SqlUsers(database).find("carillon", "alice")).isNull();
        }
        assertThat(Files.getPosixFilePermissions(elsewhere))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aPasswordFileThatIsGoneIsSaidToBeGone() throws Exception {
        try (Database database = database()) {
            new SqlUsers(database).add("carillon", "alice", "secret", Set.of());
        }
        Files.delete(folder().resolve("password"));
        try (Database database = database()) {
            assertThatThrownBy(() -> database.dataSource().getConnection())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password is gone, which holds the password");
        }
        assertThat(folder().resolve("password")).doesNotExist();
    }

    @Test
    void itOpensWithTheGeneratedPasswordOnly() throws Exception {
        try (Database database = database()) {
            new SqlUsers(database).add("carillon", "alice", "secret", Set.of());
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url(), "carillon", "").close())
                .isInstanceOf(SQLException.class);
        try (Database again = database()) {
            assertThat(new SqlUsers(again).find("carillon", "alice")).isNotNull();
        }
    }

    @Test
    void oneWithoutAPasswordIsTakenOverWithAllThatItHolds() throws Exception {
        makeWithoutPassword();
        try (Database database = database();
                Connection open = database.dataSource().getConnection();
                var rows = open.createStatement().executeQuery("SELECT name FROM kept")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("alice");
            assertOwnersOnly();
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url(), "carillon", "").close())
                .isInstanceOf(SQLException.class);
    }
}
