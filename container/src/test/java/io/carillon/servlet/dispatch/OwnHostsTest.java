package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Server;
import java.util.function.Predicate;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application is told about the hosts that are its server. */
class OwnHostsTest {
    private static final class Silent extends SipServlet {
        private static final long serialVersionUID = 1L;
    }

    private final Server server = Server.fresh(1);

    @AfterEach
    void stop() {
        server.assertClean();
    }

    @Test
    @SuppressWarnings("unchecked")
    void addressesDomainsAndTheRealmAreOursAndNothingElse() {
        server.node.alias("home.example");
        Silent servlet = new Silent();
        server.deploy(servlet, ExecutionMode.BLOCKING);
        Predicate<String> own =
                (Predicate<String>)
                        servlet.getServletContext().getAttribute("io.carillon.own-host");
        assertThat(own.test("10.0.0.1")).isTrue();
        assertThat(own.test("home.example")).isTrue();
        assertThat(own.test("Carillon")).as("the realm, which is no secret").isTrue();
        for (String other : new String[] {"10.0.0.2", "carillon.example", "r1.example", ""}) {
            assertThat(own.test(other)).as(other).isFalse();
        }
    }
}
