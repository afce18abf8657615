package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.session.ApplicationSession;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever crosses the end of a session, the session ends. */
class SessionEndsTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(9);
    private final RawPeer alice = server.peer("10.0.0.2");

    /** A message that came just before the expiry was told puts it off; it is not lost. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anExpiryThatWasPutOffInTheLastMomentComesLater(ExecutionMode mode) {
        server.deploy(phone, mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, CONTACT);
        alice.response(180);
        ApplicationSession session = (ApplicationSession) phone.invite.getApplicationSession();
        server.run(Duration.ofSeconds(170));
        // The turn is busy when the time comes, and its work is the session's use.
        assertThat(session.enter()).isTrue();
        elsewhere(() -> server.run(Duration.ofSeconds(15)));
        session.touch();
        session.exit();
        server.run(Duration.ofSeconds(1));
        assertThat(session.isValid()).isTrue();
        server.run(Duration.ofSeconds(185));
        assertThat(session.isValid()).isFalse();
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private static void elsewhere(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
