package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bindings in a database of this test alone. */
class BindingsTest {
    private static final String BOB = "sip:bob@*";

    private JdbcConnectionPool database;
    private Bindings bindings;

    @BeforeEach
    void open() throws SQLException {
        database = JdbcConnectionPool.create("jdbc:h2:mem:bindings", "carillon", "");
        bindings = new Bindings(database);
    }

    @AfterEach
    void close() {
        database.dispose();
    }

    private static Binding binding(String contact, double q, long expiresAtMillis, long cseq) {
        return new Binding.Draft(contact, expiresAtMillis).q((float) q).by("call", cseq, 0).build();
    }

    private static List<Binding> with(List<Binding> before, Binding put) {
        List<Binding> after = new ArrayList<>(before);
        after.removeIf(one -> one.contact.equals(put.contact));
        after.add(put);
        return after;
    }

    @Test
    void ofTwoRegistrationsAtOnceTheLaterSeesTheEarlier() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        List<Binding> now =
                bindings.change(
                        BOB,
                        0,
                        before -> {
                            if (asked.getAndIncrement() == 0) {
                                assertThat(before).isEmpty();
                                meanwhile(binding("sip:bob@192.0.2.1", 1, 100, 1));
                            } else {
                                assertThat(before).hasSize(1);
                            }
                            return with(before, binding("sip:bob@192.0.2.1", 1, 200, 2));
                        });
        assertThat(asked).hasValue(2);
        assertThat(now).extracting(one -> one.cseq).containsExactly(2L);
        assertThat(bindings.of(BOB, 0)).extracting(one -> one.cseq).containsExactly(2L);
    }

    private void meanwhile(Binding put) {
        try {
            bindings.change(BOB, 0, before -> with(before, put));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRefusalChangesNothing() throws Exception {
        meanwhile(binding("sip:bob@192.0.2.1", 1, 100, 1));
        assertThatThrownBy(() ->
                        bindings.change(
                                BOB,
                                0,
                                before -> {
                                    throw new Refused(500);
                                }))
                .isInstanceOf(Refused.class);
        assertThat(bindings.of(BOB, 0)).hasSize(1);
    }

    @Test
    void whatHasExpiredIsNotBoundAndGoesWithTheNextChange() throws Exception {
        meanwhile(binding("sip:bob@192.0.2.1", 1, 100, 1));
        assertThat(bindings.of(BOB, 100)).isEmpty();
        bindings.change(BOB, 100, before -> with(before, binding("sip:bob@192.0.2.2", 1, 200, 1)));
        assertThat(bindings.of(BOB, 0))
                .extracting(one -> one.contact)
                .containsExactly("sip:bob@192.0.2.2");
    }

    @Test
    void theBestComesFirst() throws Exception {
        meanwhile(binding("sip:bob@192.0.2.1", 0.2, 100, 1));
        meanwhile(binding("sip:bob@192.0.2.2", 0.9, 100, 1));
        assertThat(bindings.of(BOB, 0))
                .extracting(one -> one.contact)
                .containsExactly("sip:bob@192.0.2.2", "sip:bob@192.0.2.1");
    }

    /** Rows that an earlier version of this example has stored. */
    @Test
    void bindingsOfTheTableOfBeforeAreRead() throws Exception {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE registrar_binding");
            statement.execute(
                    "CREATE TABLE registrar_binding (aor VARCHAR(300) NOT NULL,"
                            + " contact VARCHAR(500) NOT NULL, q REAL NOT NULL,"
                            + " expires_at BIGINT NOT NULL, call_id VARCHAR(300) NOT NULL,"
                            + " cseq BIGINT NOT NULL, path VARCHAR(2000) NOT NULL,"
                            + " PRIMARY KEY (aor, contact))");
            statement.execute(
                    "INSERT INTO registrar_binding VALUES ('sip:bob@example.com',"
                            + " 'sip:bob@192.0.2.1', 0.5, 100, 'call', 7, '<sip:edge;lr>')");
        }
        Bindings again = new Bindings(database);
        Binding old = again.of(BOB, 0).get(0);
        assertThat(old.contact).isEqualTo("sip:bob@192.0.2.1");
        assertThat(old.path).containsExactly("<sip:edge;lr>");
        assertThat(old.regId).isZero();
        again.change(BOB, 0, before -> with(before, binding("sip:bob@192.0.2.1", 1, 200, 8)));
        assertThat(again.of(BOB, 0)).extracting(one -> one.cseq).containsExactly(8L);
    }

    private long rows(String table) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            count.next();
            return count.getLong(1);
        }
    }

    private void bound(String aor, int number, long expiresAtMillis) throws Exception {
        Binding one =
                new Binding.Draft("sip:x@192.0.2.1:" + number, expiresAtMillis)
                        .instance("urn:" + number, 0)
                        .build();
        bindings.change(aor, 0, before -> with(before, one));
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO registrar_gruu VALUES ('%s', 'urn:%d', %d, 'call')"
                            .formatted(aor, number, number));
        }
    }

    @Test
    void whatNobodyRegistersAgainGoesAwayOnceAMinuteAndItsGruusWithIt() throws Exception {
        for (int i = 0; i < 700; i++) {
            bound("sip:user" + i + "@*", i, 1_000);
        }
        bound(BOB, 1_000, 1_000_000);
        Expired expired = new Expired(database);
        expired.sweep(999);
        assertThat(rows("registrar_binding")).as("nothing has expired").isEqualTo(701);
        expired.sweep(59_000);
        assertThat(rows("registrar_binding")).as("not yet a minute").isEqualTo(701);
        expired.sweep(61_000);
        assertThat(rows("registrar_binding")).as("no more than 500 at once").isEqualTo(201);
        expired.sweep(61_001);
        assertThat(rows("registrar_binding")).as("there was more").isEqualTo(1);
        assertThat(rows("registrar_gruu")).isEqualTo(1);
        assertThat(bindings.of(BOB, 61_001)).hasSize(1);
    }

    @Test
    void theGruuOfAnInstanceGoesWithItsLastBinding() throws Exception {
        bound(BOB, 1, 100);
        bound(BOB, 2, 1_000);
        bindings.change(BOB, 500, before -> before); // the first has expired meanwhile
        assertThat(rows("registrar_gruu")).isEqualTo(1);
        bindings.change(BOB, 500, before -> List.of());
        assertThat(rows("registrar_gruu")).isZero();
    }

    /** Each host that a user had written was an address of record. */
    @Test
    void addressesOfRecordOfBeforeBecomeOneForEachUser() throws Exception {
        bound("sip:bob@one.example", 1, 100);
        bound("sip:bob@two.example", 2, 100);
        bindings.change(
                "sip:bob@two.example",
                0,
                before -> with(before, binding("sip:x@192.0.2.1:1", 1, 100, 1)));
        Bindings again = new Bindings(database);
        assertThat(again.of(BOB, 0))
                .extracting(one -> one.contact)
                .containsExactlyInAnyOrder("sip:x@192.0.2.1:1", "sip:x@192.0.2.1:2");
        assertThat(rows("registrar_binding")).isEqualTo(2);
        assertThat(rows("registrar_gruu")).isEqualTo(2);
    }
}
