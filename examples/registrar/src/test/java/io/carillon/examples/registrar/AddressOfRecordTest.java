package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user has one address of record, at the hosts of this server (RFC 3261 10.3 step 5). */
class AddressOfRecordTest {
    @TempDir private Path folder;
    private JdbcConnectionPool database;

    @BeforeEach
    void open() {
        database = JdbcConnectionPool.create("jdbc:h2:mem:aor;DB_CLOSE_DELAY=-1", "carillon", "");
    }

    @AfterEach
    void close() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
        }
        database.dispose();
    }

    @Test
    void aHostThatIsNotOursIs404() throws Exception {
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            phone.register(200, "Contact: <sip:bob@192.0.2.1>");
            for (int i = 0; i < 3; i++) {
                phone.host = "r" + i + ".example";
                phone.register(404, "Contact: <sip:bob@192.0.2.2>");
            }
            phone.host = SipTestServer.HOST;
            assertThat(phone.register(200).message().headers(HeaderName.CONTACT)).hasSize(1);
            World.Flow alice = world.flow("alice", Transport.UDP);
            alice.send("OPTIONS sip:bob@r1.example", "alice", "bob", "c1", 1, "");
            alice.peer.expect("404");
            world.server.advance(Duration.ofSeconds(40));
        }
    }

    @Test
    void allHostsOfOursAreOneAddressOfRecordWithOneLimit() throws Exception {
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            for (int i = 0; i < 10; i++) {
                phone.host = i % 2 == 0 ? SipTestServer.HOST : "Carillon"; // the realm
                phone.register(200, "Contact: <sip:bob@192.0.2." + i + ">");
            }
            phone.register(403, "Contact: <sip:bob@192.0.2.10>");
            assertThat(phone.register(200).message().headers(HeaderName.CONTACT)).hasSize(10);
            world.server.advance(Duration.ofSeconds(40));
        }
    }

    /** Where a phone is goes to that phone alone. */
    @Test
    void whoBringsARouteOfHisOwnLearnsNoContact() throws Exception {
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            String contact = "<sip:bob@" + phone.peer.address().getHostString() + ":5060>";
            phone.register(200, "Contact: " + contact);
            World.Flow stranger = world.flow("stranger", Transport.UDP);
            World.Flow elsewhere = world.flow("elsewhere", Transport.UDP);
            String routes =
                    "Route: <sip:10.0.0.1;lr>, <sip:"
                            + elsewhere.peer.address().getHostString()
                            + ";lr>\n";
            for (String method : new String[] {"OPTIONS", "MESSAGE", "INVITE"}) {
                stranger.send(
                        method + " sip:bob@10.0.0.1",
                        "eve",
                        "bob",
                        method,
                        1,
                        routes + "Contact: <sip:eve@x>\n");
                stranger.peer.expect("403");
            }
            stranger.send(
                    "OPTIONS sip:bob@10.0.0.1", "eve", "bob", "c", 1, "Route: <sip:10.0.0.1;lr>\n");
            phone.peer.reply(phone.peer.expect("OPTIONS"), 200);
            stranger.peer.expect("200");
            assertThat(elsewhere.peer.all()).isEmpty();
            world.server.advance(Duration.ofSeconds(40));
        }
    }
}
