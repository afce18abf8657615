package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carillon.testkit.database.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records in a real PostgreSQL, which goes away by a crash and comes back; where there is one. */
class PostgresqlSenderTest {
    private static final int BYTES = 1 << 20;
    private static final Duration BACK = Duration.ofSeconds(90);

    private static PostgresProcess database;
    private static String password;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(PostgresProcess.programs().isPresent(), "no PostgreSQL on this machine");
        database = PostgresProcess.start();
        password = Files.readString(database.passwordFile()).strip();
    }

    @AfterAll
    static void stop() throws IOException {
        if (database != null) {
            database.close();
        }
    }

    @BeforeEach
    void noTable() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS carillon_cdr");
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), PostgresProcess.USER, password);
    }

    private static PostgresqlSender sender() {
        return new PostgresqlSender(database.url(), PostgresProcess.USER, password);
    }

    private static String record(String kind, String id, String node, String more) {
        return "{\"record\":\"%s\",\"id\":\"%s\",\"node\":\"%s\",\"call\":\"c\",\"callId\":\"i\"%s}"
                .formatted(kind, id, node, more);
    }

    private static List<String> rows(String columns) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery(
                                "SELECT concat_ws(' ', "
                                        + columns
                                        + ") FROM carillon_cdr ORDER BY id")) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Test
    void aLaterRecordOfALegTakesThePlaceOfAnEarlierOneAndNothingTakesThatOfTheFinalOne()
            throws Exception {
        try (PostgresqlSender sender = sender()) {
            sender.send(
                    List.of(
                            record("open", "a", "n1", ",\"invite\":\"2026-11-26T04:31:02.118Z\""),
                            record("open", "b", "n1", "")));
            sender.send(
                    List.of(
                            record(
                                    "final",
                                    "a",
                                    "n2",
                                    ",\"status\":200,\"talkSeconds\":1.5,\"endedBy\":\"caller\""),
                            record("lost", "a", "n1", ""),
                            record("lost", "b", "n1", "")));
            sender.send(List.of(record("final", "a", "n3", ",\"talkSeconds\":9.0")));
        }
        assertThat(rows("id, record, node, status, talk_seconds, ended_by, detail->>'callId'"))
                .containsExactly("a final n2 200 1.5 caller i", "b lost n1 i");
        assertThat(rows("invite AT TIME ZONE 'UTC'"))
                .containsExactly("2026-11-26 04:31:02.118", "");
    }

    @Test
    void aValueThatCanNeverBeStoredIsRefusedAndTakesNoOtherWithIt() throws Exception {
        try (PostgresqlSender sender = sender()) {
            assertThatThrownBy(() ->
                            sender.send(
                                    List.of(
                                            record("final", "a", "n", ""),
                                            record("final", "b", "n", ",\"invite\":\"never\""))))
                    .isInstanceOf(RecordSender.Refused.class)
                    .hasMessageContaining("never");
            sender.send(List.of(record("final", "c", "n", ",\"from\":\"a\\u0000b\"")));
            // A stranger's name, which only looks like the escape.
            sender.send(List.of(record("final", "d", "n", ",\"from\":\"\\\\u0000\\\" b\"")));
            assertThatThrownBy(() -> sender.send(List.of("{\"record\":\"fin")))
                    .isInstanceOf(RecordSender.Refused.class);
        }
        assertThat(rows("id, caller")).containsExactly("c ab", "d \\u0000\" b");
    }

    @Test
    void aDatabaseThatCrashesGetsEveryRecordOnceWhenItIsBack() throws Exception {
        try (SpooledSink sink =
                new SpooledSink("postgresql", folder.resolve("spool"), BYTES, sender())) {
            sink.start();
            for (int i = 0; i < 100; i++) {
                sink.append(record("final", "before" + i, "n", ""));
            }
            sink.flush();
            await().atMost(BACK).until(() -> sink.sent() == 100);

            database.crash();
            for (int i = 0; i < 700; i++) {
                sink.append(record("final", "while" + i, "n", ""));
            }
            sink.flush();
            await().atMost(BACK).until(sink::away);
            assertThat(sink.waitingBytes()).isPositive();

            database.restart();
            await().atMost(BACK).until(() -> sink.sent() == 800);
            assertThat(sink.away()).isFalse();
            assertThat(sink.waitingBytes()).isZero();
            assertThat(sink.dropped() + sink.refused()).isZero();
        }
        assertThat(rows("id")).hasSize(800);
    }
}
