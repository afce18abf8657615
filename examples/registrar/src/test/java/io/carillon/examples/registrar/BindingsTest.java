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
    private static final String BOB = "sip:bob@example.com";

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
                    "INSERT INTO registrar_binding VALUES ('"
                            + BOB
                            + "', 'sip:bob@192.0.2.1', 0.5, 100, 'call', 7, '<sip:edge;lr>')");
        }
        Bindings again = new Bindings(database);
        Binding old = again.of(BOB, 0).get(0);
        assertThat(old.contact).isEqualTo("sip:bob@192.0.2.1");
        assertThat(old.path).containsExactly("<sip:edge;lr>");
        assertThat(old.regId).isZero();
        again.change(BOB, 0, before -> with(before, binding("sip:bob@192.0.2.1", 1, 200, 8)));
        assertThat(again.of(BOB, 0)).extracting(one -> one.cseq).containsExactly(8L);
    }
}
