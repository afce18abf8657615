package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No connection to the database becomes free: RFC 3261 21.5.4, "temporarily unable to process the
 * request due to a temporary overloading", and not a fault of the server (21.5.1).
 */
class BusyDatabaseTest {
    @TempDir private Path folder;
    private JdbcConnectionPool pool;
    private World world;
    private boolean busy;

    @BeforeEach
    void start() throws Exception {
        pool = JdbcConnectionPool.create("jdbc:h2:mem:busy;DB_CLOSE_DELAY=-1", "carillon", "");
        world = new World(folder, source());
    }

    private DataSource source() {
        return (DataSource)
                Proxy.newProxyInstance(
                        DataSource.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (proxy, method, arguments) -> {
                            if (busy) {
                                throw new SQLTransientConnectionException("none became free");
                            }
                            try {
                                return method.invoke(pool, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @AfterEach
    void stop() throws Exception {
        world.server.advance(Duration.ofSeconds(70));
        world.close();
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
        }
        pool.dispose();
    }

    private static void assertComesAgain(Received refused) {
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 10);
    }

    @Test
    void aRegistrationIsToldToComeAgain() throws Exception {
        World.Flow phone = world.flow("phone", Transport.UDP);
        phone.register(200, "Contact: <sip:bob@10.0.1.1>");
        busy = true;
        assertComesAgain(phone.register(503, "Contact: <sip:bob@10.0.1.1>"));
        busy = false;
        phone.register(200, "Contact: <sip:bob@10.0.1.1>");
    }

    @Test
    void aCallIsToldToComeAgain() throws Exception {
        World.Flow alice = world.flow("alice", Transport.UDP);
        busy = true;
        String contact = "Contact: <sip:alice@10.0.1.1:5060>";
        alice.send("INVITE sip:bob@10.0.0.1", "alice", "bob", "c1", 1, contact);
        assertComesAgain(alice.peer.expect("503"));
    }
}
