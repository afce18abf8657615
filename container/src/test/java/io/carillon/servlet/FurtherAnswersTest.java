package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several 2xx to one INVITE, as a B2BUA sends them whose other leg forked (JSR 289, 12.5). */
class FurtherAnswersTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(27);
    private final RawPeer alice = server.peer("10.0.0.2");

    private static final class Unconfirmed implements SipErrorListener {
        @Nullable SipSession session;

        @Override
        public void noAckReceived(SipErrorEvent event) {
            session = event.getResponse().getSession();
        }

        @Override
        public void noPrackReceived(SipErrorEvent event) {}
    }

    /** A call that is up; the To of its dialog. */
    private String talking() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(180);
        SipServletRequest invite = Objects.requireNonNull(phone.invite);
        assertThat(invite.getB2buaHelper()).isNotNull();
        phone.answer(200);
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(50));
        return to;
    }

    private SipServletResponse further() {
        SipServletRequest invite = Objects.requireNonNull(phone.invite);
        B2buaHelper helper = invite.getB2buaHelper();
        return helper.createResponseToOriginalRequest(invite.getSession(), 200, null);
    }

    private void bye(String to, int cseq) {
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", cseq);
        alice.response(200);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aFurther2xxIsRepeatedUntilItsAckWhichReachesItsSession(ExecutionMode mode)
            throws IOException {
        server.deploy(phone, mode);
        String one = talking();
        SipServletResponse second = further();
        second.send();
        SipResponse ok = alice.response(200);
        String two = "<sip:uas@y>;tag=" + ok.toTag();
        assertThat(two).isNotEqualTo(one);
        server.run(Duration.ofSeconds(4));
        long repeated = alice.responses(200);
        assertThat(repeated).isGreaterThan(3);
        alice.request("ACK sip:10.0.0.1", FROM, two, "c1", 1);
        server.run(Duration.ofSeconds(33));
        assertThat(alice.responses(200)).isEqualTo(repeated);
        assertThat(phone.events).containsExactly("INVITE", "ACK", "ACK");
        assertThat(second.getSession().getState()).isEqualTo(SipSession.State.CONFIRMED);
        bye(two, 2);
        assertThat(Objects.requireNonNull(phone.invite).getSession().getState())
                .isEqualTo(SipSession.State.CONFIRMED);
        bye(one, 2);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void bothAnswersMayWaitForTheirAcksAtOnce(ExecutionMode mode) throws IOException {
        server.deploy(phone, mode);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(180);
        phone.answer(200);
        further().send();
        String one = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        String two = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1", FROM, two, "c1", 1);
        server.run(Duration.ofMillis(100));
        long before = alice.responses(200);
        server.run(Duration.ofSeconds(2));
        assertThat(alice.responses(200)).isGreaterThan(before);
        alice.request("ACK sip:10.0.0.1", FROM, one, "c1", 1);
        server.run(Duration.ofMillis(100));
        before = alice.responses(200);
        server.run(Duration.ofSeconds(4));
        assertThat(alice.responses(200)).isEqualTo(before);
        assertThat(phone.events).containsExactly("INVITE", "ACK", "ACK");
        bye(two, 2);
        bye(one, 2);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aFurther2xxWithoutAckIsToldForItsOwnSession(ExecutionMode mode) throws IOException {
        Unconfirmed listener = new Unconfirmed();
        server.deploy(phone, mode, listener);
        String one = talking();
        SipServletResponse second = further();
        second.send();
        alice.response(200);
        server.run(Duration.ofSeconds(33));
        assertThat(listener.session).isSameAs(second.getSession());
        assertThat(listener.session).isNotSameAs(Objects.requireNonNull(phone.invite).getSession());
        bye(one, 2);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc6026_8_7_64T1AfterTheFirst2xxThereIsNoFurtherOne(ExecutionMode mode) {
        server.deploy(phone, mode);
        String one = talking();
        server.run(Duration.ofSeconds(33));
        assertThatThrownBy(this::further).isInstanceOf(IllegalStateException.class);
        bye(one, 2);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }
}
