package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many contacts a user may have, and to how many a call for him goes. */
class ContactLimitTest {
    private static final int USUAL = 10;

    @TempDir private Path folder;
    private JdbcConnectionPool database;

    @BeforeEach
    void open() {
        database = JdbcConnectionPool.create("jdbc:h2:mem:limit;DB_CLOSE_DELAY=-1", "carillon", "");
    }

    @AfterEach
    void close() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
        }
        database.dispose();
    }

    private static String contacts(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "<sip:bob@192.0.2." + i + ">")
                .collect(Collectors.joining(", ", "Contact: ", ""));
    }

    private static int bound(Received ok) {
        return ok.message().headers(io.carillon.sip.header.HeaderName.CONTACT).size();
    }

    @Test
    void oneMoreThanTheLimitIs403AndSaysTheLimit() throws Exception {
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            assertThat(bound(phone.register(200, contacts(0, USUAL)))).isEqualTo(USUAL);
            Received refused = phone.register(403, contacts(USUAL, USUAL + 1));
            assertThat(new String(refused.message().bytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("SIP/2.0 403 At Most 10 Contacts\r\n");
            assertThat(bound(phone.register(200))).isEqualTo(USUAL);
            // A place that was left may be taken.
            phone.register(200, "Contact: <sip:bob@192.0.2.0>;expires=0");
            assertThat(bound(phone.register(200, contacts(USUAL, USUAL + 1)))).isEqualTo(USUAL);
            world.server.advance(Duration.ofSeconds(40));
        }
    }

    @Test
    void boundUnderAHigherLimitMayBeRefreshedButDoesNotRing() throws Exception {
        limit("30");
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            assertThat(bound(phone.register(200, contacts(0, 30)))).isEqualTo(30);
            world.server.advance(Duration.ofSeconds(40));
        }
        limit("4");
        try (World world = new World(folder, database)) {
            World.Flow phone = world.flow("phone", Transport.UDP);
            phone.callId = "after-a-restart";
            assertThat(bound(phone.register(200, contacts(0, 1)))).isEqualTo(30);
            phone.register(403, contacts(30, 31));
            Set<String> rung = new HashSet<>();
            world.server
                    .network()
                    .tap((at, fate, transport, from, to, bytes) -> {
                        if (fate == SimulatedNetwork.Fate.SENT
                                && new String(bytes, StandardCharsets.ISO_8859_1)
                                        .startsWith("INVITE")
                                && from.equals(World.SERVER)) {
                            rung.add(to.getHostString());
                        }
                    });
            World.Flow alice = world.flow("alice", Transport.UDP);
            String contact = "Contact: <sip:alice@10.0.1.2:5060>";
            alice.send("INVITE sip:bob@10.0.0.1", "alice", "bob", "c1", 1, contact);
            world.server.advance(Duration.ofSeconds(5));
            assertThat(rung).hasSize(4);
            world.server.advance(Duration.ofSeconds(40));
        }
    }

    @Test
    void aLimitThatIsNoneFailsTheDeploymentInASentence() throws Exception {
        for (String wrong : new String[] {"0", "201", "ten"}) {
            limit(wrong);
            assertThatThrownBy(() -> new World(folder, database).close())
                    .hasMessageContaining("max-contacts must be 1 to 200, not '" + wrong + "'");
        }
    }

    /** As an owner writes it into sip.xml. */
    private void limit(String value) throws Exception {
        Path xml = World.pack(folder).resolve("WEB-INF/sip.xml");
        String text = Files.readString(Path.of("src/main/webapp/WEB-INF/sip.xml"));
        Files.writeString(
                xml,
                text.replace(
                        "  <servlet-selection>",
                        "  <context-param><javaee:param-name>max-contacts</javaee:param-name>"
                                + "<javaee:param-value>"
                                + value
                                + "</javaee:param-value></context-param>\n  <servlet-selection>"));
    }
}
