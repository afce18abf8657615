package io.carillon.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.server.config.ConfigurationReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseWaitingTest {
    @TempDir Path folder;

    @Test
    void requestsThatWaitForAConnectionAreBoundedAndCounted() throws Exception {
        try (Database database =
                new Database(
                        ConfigurationReader.read(
                                        "test",
                                        "database: {connections: 2, max-waiting: 1}",
                                        folder)
                                .database(),
                        folder)) {
            Connection one = database.dataSource().getConnection();
            Connection other = database.dataSource().getConnection();
            CompletableFuture<Boolean> third =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try (Connection late = database.dataSource().getConnection()) {
                                    return late.isValid(1);
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofVirtual().start(task));
            await().until(() -> database.counters().get("database.waiting") == 1);
            assertThatThrownBy(() -> database.dataSource().getConnection())
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessage("1 requests wait for a connection to the database already");
            assertThat(database.counters()).containsEntry("database.refused", 1L);
            one.close();
            other.close();
            assertThat(third.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(database.counters()).containsEntry("database.waiting", 0L);
        }
    }
}
