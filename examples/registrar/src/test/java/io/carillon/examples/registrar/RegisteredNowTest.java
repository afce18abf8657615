package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegisteredNowTest {
    private JdbcConnectionPool database;
    private RegisteredNow registered;
    private final long later = System.currentTimeMillis() + 600_000;

    @BeforeEach
    void open() throws Exception {
        database = JdbcConnectionPool.create("jdbc:h2:mem:registered", "carillon", "");
        Bindings bindings = new Bindings(database);
        for (String user : List.of("anna", "bert_1", "carl")) {
            bindings.change(
                    "sip:" + user + "@*",
                    0,
                    before -> {
                        List<Binding> two = new ArrayList<>();
                        two.add(binding("sip:" + user + "@192.0.2.1", later));
                        two.add(binding("sip:" + user + "@192.0.2.2", later));
                        return two;
                    });
        }
        bindings.change("sip:gone@*", 0, before -> List.of(binding("sip:gone@192.0.2.1", 1)));
        registered = new RegisteredNow(database);
    }

    @AfterEach
    void close() {
        database.dispose();
    }

    private static Binding binding(String contact, long expiresAtMillis) {
        return new Binding.Draft(contact, expiresAtMillis).q(1).by("call", 1, 0).build();
    }

    private List<Map<String, String>> ask(String text, int limit, String after) {
        return registered.apply(
                Map.of("text", text, "limit", Integer.toString(limit), "after", after));
    }

    @Test
    void whoIsBoundNowIsListedInPages() {
        List<String> seen = new ArrayList<>();
        String after = "";
        for (List<Map<String, String>> page = ask("", 4, after); !page.isEmpty(); ) {
            page.forEach(row -> seen.add(row.get("contact")));
            after = page.getLast().get("place");
            page = ask("", 4, after);
        }
        assertThat(seen).hasSize(6).doesNotHaveDuplicates().noneMatch(one -> one.contains("gone"));
    }

    @Test
    void textIsLookedForAndIsNoPattern() {
        assertThat(ask("ANNA", 10, "")).hasSize(2);
        assertThat(ask("t_1", 10, "")).hasSize(2);
        assertThat(ask("%", 10, "")).isEmpty();
        assertThat(ask("'; DROP TABLE registrar_binding", 10, "")).isEmpty();
    }
}
