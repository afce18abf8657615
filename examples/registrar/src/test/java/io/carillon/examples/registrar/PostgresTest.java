package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.carillon.server.config.DatabaseSettings;
import io.carillon.server.config.Secret;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.testkit.database.PostgresProcess;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and bindings in a real PostgreSQL. Skipped where the machine has none. */
class PostgresTest {
    private static final String REALM = "example.com";
    private static final int CONNECTIONS = 4;

    private static PostgresProcess postgres;

    @TempDir Path folder;
    private Database database;

    @BeforeAll
    static void start() throws Exception {
        assumeThat(PostgresProcess.programs())
                .as("PostgreSQL is not on this machine (apt-get install postgresql)")
                .isPresent();
        postgres = PostgresProcess.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (postgres != null) {
            postgres.close();
        }
    }

    @BeforeEach
    void open() {
        database = database();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** As docs/guides/security.md configures it. */
    private Database database() {
        return new Database(
                new DatabaseSettings(
                        postgres.url(),
                        PostgresProcess.USER,
                        Secret.inFile(postgres.passwordFile()),
                        CONNECTIONS,
                        1_000,
                        Duration.ofSeconds(10)),
                folder);
    }

    @Test
    void usersAreKeptFromOneServerToTheNext() {
        SqlUsers users = new SqlUsers(database);
        assertThat(users.add(REALM, "alice", "secret", Set.of("staff", "admin"))).isTrue();
        assertThat(users.add(REALM, "alice", "other", Set.of())).isFalse();
        assertThat(users.add(REALM, "bob", "secret", Set.of("staff"))).isTrue();
        assertThat(users.password(REALM, "alice", "new")).isTrue();
        assertThat(users.roles(REALM, "alice", Set.of("staff"))).isTrue();
        assertThat(users.remove(REALM, "bob")).isTrue();
        assertThat(users.remove(REALM, "bob")).isFalse();
        database.close();

        database = database();
        SqlUsers next = new SqlUsers(database);
        assertThat(next.list())
                .containsExactly(new SqlUsers.Listed(REALM, "alice", List.of("staff")));
        assertThat(next.find(REALM, "bob")).isNull();
        assertThat(next.find(REALM, "alice").ha1())
                .containsEntry(
                        DigestAlgorithm.SHA_256,
                        DigestAlgorithm.SHA_256.ha1("alice", REALM, "new"));
    }

    private static Binding binding(String contact, long cseq) {
        return new Binding.Draft(contact, Long.MAX_VALUE).by("call", cseq, 0).build();
    }

    private static void bind(Bindings bindings, String aor, String contact) throws Exception {
        bindings.change(
                aor,
                0,
                before -> {
                    List<Binding> after = new ArrayList<>(before);
                    after.removeIf(one -> one.contact.equals(contact));
                    after.add(binding(contact, 1));
                    return after;
                });
    }

    @Test
    void whatWasBoundIsThereAfterACrash() throws Exception {
        Bindings bindings = new Bindings(database.dataSource());
        int phones = 200;
        for (int i = 0; i < phones; i++) {
            bind(bindings, Binding.addressOfRecord("phone" + i), "sip:phone" + i + "@192.0.2.1");
        }

        postgres.crash();
        postgres.restart();

        // Connections of before are found dead when they are used.
        for (int i = 0; i < CONNECTIONS; i++) {
            try {
                bindings.of(Binding.addressOfRecord("phone0"), 0);
            } catch (SQLException dead) {
                // Connection lost, or the word of a server that goes down (57P01 to 57P03).
                assertThat(dead.getSQLState()).matches("(08|57P).*");
            }
        }
        for (int i = 0; i < phones; i++) {
            assertThat(bindings.of(Binding.addressOfRecord("phone" + i), 0))
                    .extracting(one -> one.contact)
                    .containsExactly("sip:phone" + i + "@192.0.2.1");
        }
    }

    /** Two servers at one database: no turn of ours keeps them apart. */
    @Test
    void registrationsOfOneUserAtTwoServersAreAllKept() throws Exception {
        String aor = Binding.addressOfRecord("both");
        int contacts = 50;
        try (Database other = database();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Callable<Void>> servers = new ArrayList<>();
            for (Database one : List.of(database, other)) {
                String host = one == other ? "192.0.2.2" : "192.0.2.1";
                Bindings bindings = new Bindings(one.dataSource());
                servers.add(() -> {
                    for (int i = 0; i < contacts; i++) {
                        bind(bindings, aor, "sip:" + i + "@" + host);
                    }
                    return null;
                });
            }
            for (Future<Void> each : threads.invokeAll(servers)) {
                each.get();
            }
            assertThat(new Bindings(other.dataSource()).of(aor, 0)).hasSize(2 * contacts);
        }
    }

    /** The statements that no request has: those of a start, and of what has expired. */
    @Test
    void rowsOfBeforeAreTakenOverAndExpiredOnesGo() throws Exception {
        Bindings bindings = new Bindings(database.dataSource());
        Binding one = new Binding.Draft("sip:x@192.0.2.1", 1_000).instance("urn:x", 0).build();
        for (String host : List.of("one.example", "two.example")) {
            bindings.change("sip:earlier@" + host, 0, before -> List.of(one));
        }
        String aor = Binding.addressOfRecord("earlier");
        assertThat(new Bindings(database.dataSource()).of(aor, 0)).hasSize(1);
        new Expired(database.dataSource()).sweep(1_000);
        assertThat(bindings.of(aor, 0)).isEmpty();
    }
}
