package io.carillon.telemetry.records;

import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records into PostgreSQL: one row for each leg, which a later record of that leg replaces;
 * a final record is replaced by none. One connection, by the sink's thread.
 */
final class PostgresqlSender implements RecordSender {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresqlSender.class);
    private static final int SECONDS = 10;

    private static final String TABLE =
            """
            CREATE TABLE IF NOT EXISTS carillon_cdr (
              id text PRIMARY KEY,
              record text NOT NULL,
              call text,
              node text NOT NULL,
              application text,
              call_id text,
              caller text,
              callee text,
              invite timestamptz,
              answer timestamptz,
              ended timestamptz,
              talk_seconds double precision,
              status integer,
              ended_by text,
              detail jsonb NOT NULL,
              written timestamptz NOT NULL DEFAULT now())\
            """;
    private static final List<String> INDEXES =
            List.of(
                    "CREATE INDEX IF NOT EXISTS carillon_cdr_call ON carillon_cdr (call)",
                    "CREATE INDEX IF NOT EXISTS carillon_cdr_call_id ON carillon_cdr (call_id)",
                    "CREATE INDEX IF NOT EXISTS carillon_cdr_invite ON carillon_cdr (invite)");
    private static final String INSERT =
            """
            INSERT INTO carillon_cdr (id, record, call, node, application, call_id, caller, callee,
              invite, answer, ended, talk_seconds, status, ended_by, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?::timestamptz, ?, ?, ?,
              ?::jsonb)
            ON CONFLICT (id) DO UPDATE SET record = excluded.record, call = excluded.call,
              node = excluded.node,
              application = excluded.application, answer = excluded.answer,
              ended = excluded.ended, talk_seconds = excluded.talk_seconds,
              status = excluded.status, ended_by = excluded.ended_by, detail = excluded.detail,
              written = now()
            WHERE carillon_cdr.record <> 'final'\
            """;

    private final String url;
    private final Properties login = new Properties();
    private @Nullable Connection connection;

    PostgresqlSender(String url, @Nullable String user, @Nullable String password) {
        this.url = url;
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        login.setProperty("connectTimeout", Integer.toString(SECONDS));
        login.setProperty("socketTimeout", Integer.toString(SECONDS));
        login.setProperty("ApplicationName", "carillon-cdr");
    }

    @Override
    public void send(List<String> json) throws IOException {
        try {
            write(connected(), json);
        } catch (SQLException e) {
            close();
            SQLException cause =
                    e instanceof BatchUpdateException && e.getNextException() != null
                            ? e.getNextException()
                            : e;
            String state = String.valueOf(cause.getSQLState());
            // Class 22 of SQL: the value cannot be stored, today or ever.
            if (state.startsWith("22")) {
                throw new Refused(firstLine(cause), cause);
            }
            throw new IOException(firstLine(cause), cause);
        }
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }

    private Connection connected() throws SQLException {
        Connection known = connection;
        if (known == null) {
            known = DriverManager.getConnection(url, login);
            known.setAutoCommit(false);
            try (Statement statement = known.createStatement()) {
                statement.execute(TABLE);
                for (String index : INDEXES) {
                    statement.execute(index);
                }
            }
            known.commit();
            connection = known;
        }
        return known;
    }

    private static CallRecord record(String json) throws Refused {
        try {
            return RecordText.read(json);
        } catch (IllegalArgumentException e) {
            throw new Refused(String.valueOf(e.getMessage()), e);
        }
    }

    private static void write(Connection to, List<String> json) throws SQLException, Refused {
        try (PreparedStatement insert = to.prepareStatement(INSERT)) {
            for (String one : json) {
                // jsonb takes no U+0000, which no address of a call needs.
                String detail = RecordText.withoutNul(one);
                CallRecord record = record(detail);
                insert.setString(1, record.id());
                insert.setString(2, record.record());
                insert.setString(3, record.call());
                insert.setString(4, record.node());
                insert.setString(5, record.application());
                insert.setString(6, record.callId());
                insert.setString(7, record.from());
                insert.setString(8, record.to());
                insert.setString(9, record.invite());
                insert.setString(10, record.answer());
                insert.setString(11, record.end());
                insert.setObject(12, record.talkSeconds(), Types.DOUBLE);
                insert.setObject(13, record.status(), Types.INTEGER);
                insert.setString(14, record.endedBy());
                insert.setString(15, detail);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        to.commit();
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("the connection of cdr.postgresql was broken", e);
            }
        }
    }
}
