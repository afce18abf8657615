package io.carillon.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.ConfigurationReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 closes itself when it cannot write; the server opens it again. */
class DatabaseFullDiskTest {
    private static final FilePath DISK = new FullDisk();

    @TempDir Path folder;

    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void register() {
        FilePath.register(DISK);
    }

    @AfterEach
    void free() {
        FullDisk.full = false;
        FullDisk.gone = false;
        FilePath.unregister(DISK);
    }

    @Test
    void aDatabaseWhoseDiskWasFullWorksAgainWhenThereIsSpace() throws Exception {
        try (Database database = database()) {
            execute(database, "create table kept(id int)");
            execute(database, "insert into kept values(1)");
            assertThat(database.failure()).isNull();

            FullDisk.full = true;
            assertThatThrownBy(() -> execute(database, "insert into kept values(2)"))
                    .isInstanceOf(SQLException.class);

            assertThat(database.failure())
                    .contains("No space left on device")
                    .contains(folder.toString());
            assertThat(database.counters()).containsEntry("database.failures", 1L);
            nanos.addAndGet(5_000_000_000L);
            assertThatThrownBy(() -> execute(database, "insert into kept values(3)"))
                    .isInstanceOf(SQLException.class);
            assertThat(database.failure()).contains("No space left on device");

            FullDisk.full = false;
            nanos.addAndGet(5_000_000_000L);
            execute(database, "insert into kept values(4)");
            assertThat(database.failure()).isNull();
            assertThat(kept(database)).containsExactly(1, 4);
            assertThat(database.counters()).containsEntry("database.failures", 1L);
        }
    }

    @Test
    void aDatabaseThatStaysBrokenIsTriedOnceASecond() throws Exception {
        try (Database database = database()) {
            execute(database, "create table kept(id int)");
            FullDisk.full = true;
            assertThatThrownBy(() -> execute(database, "insert into kept values(1)"))
                    .isInstanceOf(SQLException.class);
            FullDisk.full = false;
            FullDisk.gone = true;
            nanos.addAndGet(1_000_000_000L);
            assertThatThrownBy(() -> execute(database, "insert into kept values(2)"))
                    .hasMessageContaining("cannot be opened: Input/output error");
            FullDisk.gone = false;

            nanos.addAndGet(999_999_999L);
            assertThatThrownBy(() -> execute(database, "insert into kept values(3)"))
                    .hasMessageContaining("cannot be opened: Input/output error");
            nanos.addAndGet(1);
            execute(database, "insert into kept values(4)");
            assertThat(kept(database)).containsExactly(4);
        }
    }

    @Test
    void aStatementThatIsWrongLeavesTheDatabaseOpen() throws Exception {
        try (Database database = database()) {
            assertThatThrownBy(() -> execute(database, "insert into nothing values(1)"))
                    .isInstanceOf(SQLException.class);
            assertThat(database.failure()).isNull();
        }
    }

    private Database database() throws Exception {
        String url = "jdbc:h2:full:" + folder.resolve("own");
        return new Database(
                ConfigurationReader.read(
                                "test", "database: {url: '" + url + "', user: own}", folder)
                        .database(),
                folder,
                nanos::get);
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<Integer> kept(Database database) throws SQLException {
        List<Integer> found = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from kept order by id")) {
            while (rows.next()) {
                found.add(rows.getInt(1));
            }
        }
        return found;
    }
}
