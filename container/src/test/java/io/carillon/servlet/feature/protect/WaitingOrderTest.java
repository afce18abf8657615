package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call sends behind a message that waits, and what comes while it waits. */
class WaitingOrderTest {
    private final Protected node = new Protected();
    private final Manual phone = new Manual();

    @BeforeEach
    void slow() {
        node.store.answersAfter = Duration.ofMillis(20);
    }

    private static String tag(SipMessage response) {
        return Objects.requireNonNull(((SipResponse) response).toTag());
    }

    private List<String> atAlice() {
        return node.alice.all.stream()
                .map(m -> m instanceof SipResponse r ? "" + r.status() : ((SipRequest) m).method())
                .filter(what -> !what.equals("100"))
                .toList();
    }

    /** Answers and says more in one turn. */
    private static final class Talkative extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
            request.getSession().createRequest("INFO").send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestStaysBehindThe2xx(ExecutionMode mode) {
        node.deploy(new Talkative(), mode);
        node.invite("c1");
        node.millis(19);
        assertThat(atAlice()).isEmpty();
        node.millis(20);
        assertThat(atAlice()).startsWith("200", "INFO");
        node.alice.response(200);
        node.alice.respond(node.alice.request("INFO"), 200, "");
        node.millis(100);
        node.server.assertClean();
    }

    /** Rings, and refuses in the same turn. */
    private static final class Busy extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.createResponse(180).send();
            request.createResponse(486).send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whatIsOverBeforeItsRecordWaitsForNothing(ExecutionMode mode) {
        node.deploy(new Busy(), mode);
        node.invite("c1");
        node.millis(8);
        assertThat(atAlice()).containsExactly("180", "486");
        node.millis(70_000);
        assertThat(node.store.written).isEmpty();
        assertThat(node.status().unprotectedCalls()).isZero();
        assertThat(node.status().leftUnprotected(Unprotected.SLOW)).isZero();
        node.server.assertEmpty();
    }

    /** RFC 3262: each of them is repeated until its PRACK, from when it left. */
    private static final class Reliable extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            try {
                request.createResponse(183).sendReliably();
                SipServletResponse second = request.createResponse(183);
                second.addHeader("Subject", "two");
                second.sendReliably();
            } catch (Rel100Exception e) {
                throw new IllegalStateException(e);
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doPrack(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    @Test
    void everyReliableResponseWaits() {
        node.deploy(new Reliable(), ExecutionMode.NON_BLOCKING);
        node.invite("c1", "Supported: 100rel");
        node.millis(20);
        assertThat(atAlice()).isEmpty();
        node.millis(10);
        assertThat(atAlice()).containsExactly("183");
        SipResponse first = node.alice.response(183);
        node.request("PRACK", tag(first), "c1", 2, "RAck: " + rseq(first) + " 1 INVITE");
        node.millis(19);
        assertThat(atAlice()).as("the second waits, and the PRACK's 200 behind it").hasSize(1);
        node.millis(10);
        assertThat(atAlice()).hasSize(3).contains("200");
        SipResponse second = (SipResponse) node.alice.all.get(node.alice.all.size() - 2);
        assertThat(second.status()).isEqualTo(183);
        node.request("PRACK", tag(second), "c1", 3, "RAck: " + rseq(second) + " 1 INVITE");
        node.millis(19);
        assertThat(atAlice()).as("and so does the 2xx").hasSize(3);
        node.millis(10);
        assertThat(node.alice.responses(200)).isEqualTo(3);
        assertThat(node.status().leftProtected()).isEqualTo(3);
        node.server.assertClean();
    }

    private static String rseq(SipResponse response) {
        return String.valueOf(response.header(HeaderName.RSEQ));
    }

    private SipResponse rings() {
        node.invite("c1");
        node.millis(100);
        return node.alice.response(180);
    }

    /** RFC 3261 9.2: the final response came first, "the CANCEL request has no effect". */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCancelDoesNotOvertakeThe2xxThatWaits(ExecutionMode mode) {
        node.deploy(phone, mode);
        rings();
        phone.answer(200);
        node.alice.send(
                node.alice.text(
                        "CANCEL sip:uas@10.0.0.1",
                        "z9hG4bK10.0.0.20",
                        Protected.FROM,
                        "<sip:uas@y>",
                        "c1",
                        1));
        node.millis(10);
        assertThat(node.alice.response(200).cseq().method()).isEqualTo("CANCEL");
        node.millis(20);
        assertThat(node.alice.response(200).cseq().method()).isEqualTo("INVITE");
        assertThat(node.alice.responses(487)).isZero();
        assertThat(phone.events).doesNotContain("CANCEL");
        node.server.assertClean();
    }

    /** A CANCEL while the 180 waits: the 487 goes at once, and the 180 nowhere. */
    @Test
    void aCallThatIsCancelledWaitsForNothing() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.invite("c1");
        node.alice.send(
                node.alice.text(
                        "CANCEL sip:uas@10.0.0.1",
                        "z9hG4bK10.0.0.20",
                        Protected.FROM,
                        "<sip:uas@y>",
                        "c1",
                        1));
        node.millis(5);
        assertThat(atAlice()).containsExactlyInAnyOrder("200", "487");
        node.millis(70_000);
        assertThat(node.alice.responses(180)).isZero();
        assertThat(node.store.records()).isZero();
        node.server.assertEmpty();
    }

    /** RFC 3261 13.3.1.4: it is repeated from T1 after it left, and its ACK ends that. */
    @Test
    void theRepetitionsOfThe2xxBeginWhenItHasLeft() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipResponse ringing = rings();
        phone.answer(200);
        node.millis(15);
        node.alice.send(
                node.alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bK10.0.0.20",
                        Protected.FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060>"));
        node.millis(5);
        assertThat(node.alice.responses(200)).isZero();
        assertThat(node.alice.responses(180)).as("the INVITE came again").isEqualTo(2);
        node.millis(520);
        assertThat(node.alice.responses(200)).isEqualTo(2);
        node.request("ACK", tag(ringing), "c1", 1);
        node.millis(40_000);
        assertThat(node.alice.responses(200)).isEqualTo(2);
        assertThat(phone.events).containsExactly("INVITE", "ACK");
    }

    /** While the store is late its messages need not wait for it. */
    @Test
    void nobodyWaitsForAStoreThatIsKnownToBeLate() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = Duration.ofMillis(500);
        node.invite("c1");
        node.millis(55);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        phone.answer(200);
        node.millis(3);
        assertThat(node.alice.responses(200)).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.SLOW)).isEqualTo(2);
        node.millis(2_000);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(1);
        assertThat(node.store.twoAtOnce).isFalse();
    }

    /** A B2BUA: what we answer waits, and what the other leg says behind it. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aBackToBackCallKeepsTheOrderOfItsLegs(ExecutionMode mode) {
        node.deploy(new Bridge("sip:b@10.0.0.3:5060"), mode);
        node.invite("c1");
        SipRequest invite = node.bob.request("INVITE");
        node.bob.respond(invite, 180, "b");
        node.millis(15);
        assertThat(atAlice()).isEmpty();
        node.millis(40);
        assertThat(atAlice()).containsExactly("180");
        node.bob.respond(invite, 200, "b");
        node.millis(15);
        assertThat(atAlice()).containsExactly("180");
        node.millis(40);
        assertThat(atAlice()).containsExactly("180", "200");
        node.server.assertClean();
    }
}
