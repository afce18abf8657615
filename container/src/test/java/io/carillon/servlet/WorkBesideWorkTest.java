package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.turn.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/** Work of one call never begins inside of another one's, on whatever thread. */
class WorkBesideWorkTest {
    private static final class Plain extends SipServlet {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void whatWaitsForASessionThatAnotherHasTouchedRunsInItsOwnTurn() {
        Server server = Server.fresh(1);
        Plain servlet = new Plain();
        server.deploy(servlet, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) servlet.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        ApplicationSession one = (ApplicationSession) factory.createApplicationSession();
        ApplicationSession other = (ApplicationSession) factory.createApplicationSession();
        List<String> order = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        one.home()
                .executor()
                .execute(() ->
                        one.execute(() -> {
                            assertThat(other.enter()).isTrue();
                            other.execute(() -> {
                                order.add("of the other");
                                turns.add(Turn.current());
                            });
                            other.exit();
                            order.add("of the one");
                            turns.add(Turn.current());
                        }));
        server.run(Duration.ofSeconds(1));
        assertThat(order).containsExactly("of the one", "of the other");
        assertThat(turns).containsExactly(one, other);
        server.assertClean();
    }
}
