package io.carillon.servlettest;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import javax.servlet.sip.SipApplicationSession;
import org.junit.jupiter.api.Test;

/** The example of docs/start/testing-applications.md. */
@SipTest(servlets = AnsweringServlet.class)
class AnsweringServletTest {
    @Test
    void itAnswersAndTheCallerHangsUp(SipTestServer server) {
        UserAgent alice = server.phone("alice");
        Call call = alice.call(server.uri("service"));
        server.advance(Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);

        SipApplicationSession session = server.session("answeringServlet");
        assertThat(session.getAttribute("caller")).isEqualTo(alice.uri().toString());
        assertThat(session.getTimers()).hasSize(1);

        call.bye();
        server.advance(Duration.ofSeconds(1));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        server.assertNothingLeft();
    }

    @Test
    void itHangsUpAfterAMinute(SipTestServer server) {
        Call call = server.phone("alice").call(server.uri("service"));
        server.advance(Duration.ofSeconds(59));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        server.advance(Duration.ofSeconds(2));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
        server.assertNothingLeft();
    }
}
