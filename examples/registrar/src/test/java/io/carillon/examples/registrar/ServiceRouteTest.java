package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameter {@code service-route} (RFC 3608), which is copied into every answer. */
class ServiceRouteTest {
    @TempDir private Path folder;
    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:routes;DB_CLOSE_DELAY=-1", "carillon", "");

    @AfterEach
    void close() throws Exception {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
        }
        database.dispose();
    }

    private World world(String routes) throws Exception {
        Path application = folder.resolve("registrar");
        World.copy(Path.of("src/main/webapp"), application);
        World.copy(Path.of("target/classes"), application.resolve("WEB-INF/classes"));
        Path descriptor = application.resolve("WEB-INF/sip.xml");
        String written = routes.replace("<", "&lt;").replace(">", "&gt;");
        String parameter =
                "<javaee:context-param><javaee:param-name>service-route</javaee:param-name>"
                        + "<javaee:param-value>"
                        + written
                        + "</javaee:param-value></javaee:context-param>\n  <servlet-selection>";
        Files.writeString(
                descriptor, Files.readString(descriptor).replace("<servlet-selection>", parameter));
        return new World(folder, database);
    }

    @Test
    void urisStandWithAndWithoutBrackets() throws Exception {
        try (World world = world("<sip:edge.example;lr> sip:home.example;transport=tcp")) {
            assertThat(
                            world.flow("phone", Transport.UDP)
                                    .register(200, "Contact: <sip:bob@10.0.1.2>")
                                    .message()
                                    .headers(io.carillon.sip.header.HeaderName.of("Service-Route")))
                    .containsExactly(
                            "<sip:edge.example;lr>", "<sip:home.example;transport=tcp;lr>");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:<edge.example>",
                "<sip:edge.example",
                "sip:edge.example>",
                "<<sip:edge.example>>",
                "sip:a@<b>edge.example",
                "tel:+4930"
            })
    void whatIsNoUriIsRefusedAtTheStart(String routes) {
        assertThatThrownBy(() -> world(routes).close()).isInstanceOf(Exception.class);
    }
}
