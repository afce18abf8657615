package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy forwards upstream waits for its record. */
class ProxiedWaitingTest {
    private static final class Forwarder extends SipServlet {
        boolean recordRoute;
        final List<String> targets = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial() && request.getMethod().equals("INVITE")) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(recordRoute);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                for (String target : targets) {
                    proxy.proxyTo(factory.createURI(target));
                }
            }
        }
    }

    private final Protected node = new Protected();
    private final Forwarder forwarder = new Forwarder();

    private SipRequest invited(ExecutionMode mode, boolean recordRoute) {
        forwarder.recordRoute = recordRoute;
        forwarder.targets.add("sip:b@10.0.0.3:5060");
        node.deploy(forwarder, mode);
        node.store.answersAfter = Duration.ofMillis(20);
        node.invite("c1");
        return node.bob.request("INVITE");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theFirst180AndThe2xxWait(ExecutionMode mode) {
        SipRequest invite = invited(mode, true);
        node.bob.respond(invite, 180, "b");
        node.millis(20);
        assertThat(node.alice.responses(180)).isZero();
        node.millis(15);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        // The same fork rings again: that is known.
        node.bob.respond(invite, 180, "b", "Subject: still");
        node.millis(15);
        assertThat(node.alice.responses(180)).isEqualTo(2);
        node.millis(100);
        node.bob.respond(invite, 200, "b");
        node.millis(20);
        assertThat(node.alice.responses(200)).isZero();
        node.millis(15);
        assertThat(node.alice.responses(200)).isEqualTo(1);
        assertThat(node.status().leftProtected()).isEqualTo(2);
        // RFC 3261 16.7 step 5: a repeated 2xx is forwarded too, and need not wait again.
        node.bob.respond(invite, 200, "b");
        node.millis(10);
        assertThat(node.alice.responses(200)).isEqualTo(2);
        node.server.assertClean();
    }

    /** Who does not stay on the way of the dialog has a record until the final response. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void withoutRecordRouteThe2xxIsTheEnd(ExecutionMode mode) {
        SipRequest invite = invited(mode, false);
        node.bob.respond(invite, 180, "b");
        node.millis(20);
        assertThat(node.alice.responses(180)).isZero();
        node.millis(15);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.store.records()).isEqualTo(1);
        node.bob.respond(invite, 200, "b");
        node.millis(15);
        assertThat(node.alice.responses(200)).isEqualTo(1);
        node.millis(70_000);
        assertThat(node.store.records()).isZero();
        node.server.assertEmpty();
    }

    @Test
    void eachForkWaitsForItself() {
        SipRequest invite = invited(ExecutionMode.NON_BLOCKING, true);
        node.bob.respond(invite, 180, "one");
        node.millis(100);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        node.bob.respond(invite, 180, "two");
        node.millis(20);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        node.millis(10);
        assertThat(node.alice.responses(180)).isEqualTo(2);
        node.bob.respond(invite, 200, "two");
        node.bob.respond(invite, 200, "one");
        node.millis(100);
        assertThat(node.alice.responses(200)).isEqualTo(2);
        assertThat(node.status().leftProtected()).isEqualTo(4);
        node.server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefusalGoesAtOnceAndNothingStays(boolean recordRoute) {
        SipRequest invite = invited(ExecutionMode.NON_BLOCKING, recordRoute);
        node.bob.respond(invite, 180, "b");
        node.millis(100);
        node.bob.respond(invite, 486, "b");
        node.millis(4);
        assertThat(node.alice.responses(486)).isEqualTo(1);
        node.millis(70_000);
        assertThat(node.store.records()).isZero();
        node.server.assertEmpty();
    }

    /** RFC 3261 9.2, 16.10: the 2xx was decided first. */
    @Test
    void aCancelDoesNotOvertakeThe2xxThatWaits() {
        SipRequest invite = invited(ExecutionMode.NON_BLOCKING, true);
        node.bob.respond(invite, 180, "b");
        node.millis(100);
        node.bob.respond(invite, 200, "b");
        node.millis(5);
        node.alice.send(
                node.alice.text(
                        "CANCEL sip:uas@10.0.0.1",
                        "z9hG4bK10.0.0.20",
                        Protected.FROM,
                        "<sip:uas@y>",
                        "c1",
                        1));
        node.millis(5);
        node.alice.response(180);
        assertThat(node.alice.response(200).cseq().method()).isEqualTo("CANCEL");
        node.millis(20);
        assertThat(node.alice.response(200).cseq().method()).isEqualTo("INVITE");
        assertThat(node.alice.responses(487)).isZero();
        assertThat(node.bob.requests("CANCEL")).isZero();
        node.server.assertClean();
    }

    /** What the callee sends behind its 2xx does not overtake it. */
    @Test
    void aRequestOfTheCalleeStaysBehindThe2xx() {
        SipRequest invite = invited(ExecutionMode.NON_BLOCKING, true);
        node.bob.respond(invite, 180, "b");
        node.millis(100);
        SipResponse ringing = node.alice.response(180);
        node.bob.respond(invite, 200, "b");
        node.millis(2);
        node.bob.request(
                "INFO sip:10.0.0.2:5060",
                "<sip:uas@y>;tag=b",
                Protected.FROM,
                "c1",
                7,
                "Route: " + ringing.recordRoutes().getFirst());
        node.millis(10);
        assertThat(node.alice.requests("INFO")).isZero();
        node.millis(20);
        node.alice.response(200);
        node.alice.respond(node.alice.request("INFO"), 200, "");
        node.bob.response(200);
        node.server.assertClean();
    }
}
