package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.UAMode;
import org.junit.jupiter.api.Test;

/**
 * A CANCEL is answered on the shard while the application's turn is at work, or before it hears of
 * what came earlier. SIP Servlet 1.1, 11.2.3: "there is a race condition between the container
 * generating the 487 response and the SIP servlet generating its own response".
 */
class CancelRaceTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";
    private static final String BOB = "sip:b@10.0.0.3:5060";

    private final Server server = Server.fresh(13);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final List<String> seen = new ArrayList<>();

    private void invite() {
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT));
    }

    private SipRequest ring(SipServlet application) {
        server.deploy(application, ExecutionMode.BLOCKING);
        invite();
        SipRequest leg = bob.request("INVITE");
        bob.respond(leg, 180, "b");
        alice.response(180);
        return leg;
    }

    private void cancel() {
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
    }

    /** Inside a handler, whose thread waits: the CANCEL comes and is answered on the shard. */
    private void cancelMeanwhile() {
        cancel();
        server.run(Duration.ofMillis(20));
    }

    private void aliceHears487() {
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.response(487);
    }

    /** RFC 3261 13.2.2.4: who accepted is confirmed, and released. */
    private void bobIsReleased() {
        bob.request("ACK");
        bob.respond(bob.request("BYE"), 200, "");
        server.run(Duration.ofMillis(200));
        assertThat(bob.requests("ACK")).isEqualTo(1);
        assertThat(bob.requests("BYE")).isEqualTo(1);
    }

    private void assertNothingLeft() {
        server.run(Duration.ofMillis(200));
        server.assertEmpty();
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    private static SipServletRequest original(SipServletResponse response) {
        SipServletRequest answered = response.getRequest();
        return answered.getB2buaHelper().getLinkedSipServletRequest(answered);
    }

    private static boolean accepts(SipServletResponse response) {
        return response.getMethod().equals("INVITE") && response.getStatus() == 200;
    }

    /** {@code SipServletMessage.isCommitted}: "a final response has been generated". */
    @Test
    void theContainers487CommitsTheInviteBeforeTheApplicationHearsOfTheCancel() {
        SipRequest leg =
                ring(
                        new Bridge(BOB) {
                            @Override
                            protected void doResponse(SipServletResponse response)
                                    throws ServletException, IOException {
                                if (accepts(response)) {
                                    SipServletRequest original = original(response);
                                    seen.add(before(original));
                                    cancelMeanwhile();
                                    seen.add(before(original));
                                }
                                super.doResponse(response);
                            }
                        });
        bob.respond(leg, 200, "b");
        aliceHears487();
        bobIsReleased();
        assertThat(seen).containsExactly("committed false, pending 1", "committed true, pending 0");
        assertNothingLeft();
    }

    private static String before(SipServletRequest original) {
        B2buaHelper helper = original.getB2buaHelper();
        return "committed "
                + original.isCommitted()
                + ", pending "
                + helper.getPendingMessages(original.getSession(), UAMode.UAS).size();
    }

    /** The callee's 200 waits for its turn when the CANCEL comes. */
    @Test
    void aBridgeThatAsksWhetherItsCallerIsAnsweredReleasesTheCallee() {
        SipRequest leg = ring(new Bridge(BOB));
        bob.respond(leg, 200, "b");
        cancel();
        aliceHears487();
        bobIsReleased();
        assertNothingLeft();
    }

    /** Its handler was at work before: what it writes for others has no part in the race. */
    @Test
    void aHandlerAtWorkMayStillWriteIntoTheRequest() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) {
                        cancelMeanwhile();
                        seen.add("committed " + request.isCommitted());
                        request.setHeader("X-Own", "1");
                        request.setMaxForwards(9);
                        seen.add(request.getHeader("X-Own") + " " + request.getMaxForwards());
                    }

                    @Override
                    protected void doCancel(SipServletRequest cancel) {
                        seen.add("CANCEL");
                    }
                },
                ExecutionMode.BLOCKING);
        invite();
        aliceHears487();
        server.run(Duration.ofMillis(20));
        assertThat(seen).containsExactly("committed true", "1 9", "CANCEL");
        assertNothingLeft();
    }

    /**
     * 11.2.3: "If the container wins and the servlet tries to send a response before (or for that
     * matter after) being notified of the CANCEL, the container throws an IllegalStateException."
     */
    @Test
    void aFinalResponseBehindThe487IsRefused() {
        server.deploy(
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) {
                        SipServletResponse ok = request.createResponse(200);
                        cancelMeanwhile();
                        assertThatThrownBy(ok::send)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessage("a CANCEL came first and was answered with 487");
                        seen.add("refused");
                    }

                    @Override
                    protected void doCancel(SipServletRequest cancel) {
                        seen.add("CANCEL");
                    }
                },
                ExecutionMode.BLOCKING);
        invite();
        aliceHears487();
        server.run(Duration.ofMillis(20));
        assertThat(seen).containsExactly("refused", "CANCEL");
        assertNothingLeft();
    }

    /** The CANCEL comes between the question and the answer; nobody catches the exception. */
    @Test
    void aBridgeWhoseAnswerIsRefusedLeavesNoCalleeBehind() {
        SipRequest leg =
                ring(
                        new Bridge(BOB) {
                            @Override
                            protected void doResponse(SipServletResponse response)
                                    throws ServletException, IOException {
                                SipServletRequest original = original(response);
                                if (!accepts(response) || original.isCommitted()) {
                                    super.doResponse(response);
                                    return;
                                }
                                SipServletResponse back = original.createResponse(200);
                                cancelMeanwhile();
                                back.send();
                            }
                        });
        bob.respond(leg, 200, "b");
        aliceHears487();
        bobIsReleased();
        assertThat(server.container.errors().ofApplications()).isEqualTo(1);
        assertThat(server.container.errors().lastOfContainer()).isNull();
        assertThat(server.container.callsHeld()).isZero();
    }

    /** It relays what can be relayed, and leaves the rest lying. */
    @Test
    void aBridgeThatLeavesThe2xxLyingLeavesNoCalleeBehind() {
        SipRequest leg =
                ring(
                        new Bridge(BOB) {
                            @Override
                            protected void doResponse(SipServletResponse response)
                                    throws ServletException, IOException {
                                if (!original(response).isCommitted()) {
                                    super.doResponse(response);
                                }
                            }
                        });
        bob.respond(leg, 200, "b");
        cancel();
        aliceHears487();
        bobIsReleased();
        assertNothingLeft();
    }
}
