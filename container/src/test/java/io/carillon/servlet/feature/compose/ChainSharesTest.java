package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sessions of all applications that a call passes count for who began it. */
class ChainSharesTest {
    private static final int ROOM = 80;
    private static final long ALICE = SourceKey.of(InetAddress.ofLiteral("10.0.0.2"));
    private static final long TRUSTED = SourceKey.of(InetAddress.ofLiteral("10.0.0.9"));

    /** A back-to-back user agent, with the other leg in the session of the first one. */
    private static final class Copy extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException, TooManyHopsException {
            invite.getB2buaHelper().createRequest(invite, true, Map.of()).send();
        }
    }

    /** One with an application session for each leg. */
    private static final class Apart extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest onward =
                    factory.createRequest(
                            factory.createApplicationSession(),
                            "INVITE",
                            invite.getFrom(),
                            invite.getTo());
            onward.setRequestURI(invite.getRequestURI());
            onward.send();
        }
    }

    private final SessionShares shares =
            new SessionShares(ROOM, 25, 100, new Sources(source -> source == TRUSTED, 77));

    private Stage stage(ExecutionMode mode) {
        Stage stage = new Stage(mode, null);
        stage.server.container.sessions().shares(shares);
        return stage;
    }

    private static void calls(Stage stage, RawPeer from, int count) {
        for (int i = 0; i < count; i++) {
            from.request(
                    "INVITE sip:bob@10.0.0.3:5060",
                    "<sip:x@x>;tag=a",
                    Stage.CALLEE,
                    from.hostPort() + "-" + i,
                    1,
                    "Contact: <sip:" + from.hostPort() + ">");
            stage.server.run(Duration.ofMillis(20));
        }
    }

    private static long arrived(Stage stage) {
        stage.server.run(Duration.ofMillis(200));
        Set<String> calls = new HashSet<>();
        for (SipMessage message : stage.bob.all) {
            if (message instanceof SipRequest r && r.is("INVITE")) {
                calls.add(r.callId());
            }
        }
        return calls.size();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void sessionsBehindBackToBackUserAgentsOfOursCountForTheCaller(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("one", new Copy()).deploy("two", new Copy()).deploy("three", new Copy());
        calls(stage, stage.alice, 3);
        assertThat(arrived(stage)).isEqualTo(3);
        assertThat(stage.server.container.callsHeld()).isEqualTo(9);
        assertThat(shares.held(ALICE)).isEqualTo(9);
        end(stage);
        assertThat(shares.held(ALICE)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyBehindABackToBackUserAgentCountsForTheCaller(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("one", new Copy());
        stage.relay("two");
        stage.deploy("three", new Copy());
        calls(stage, stage.alice, 2);
        assertThat(arrived(stage)).isEqualTo(2);
        assertThat(shares.held(ALICE)).isEqualTo(6);
        end(stage);
        assertThat(shares.held(ALICE)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aSessionThatAHandlerMakesCountsForWhomItsOwnCountsFor(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("apart", new Apart());
        calls(stage, stage.alice, 2);
        assertThat(arrived(stage)).isEqualTo(2);
        assertThat(stage.server.container.callsHeld()).isEqualTo(4);
        assertThat(shares.held(ALICE)).isEqualTo(4);
        end(stage);
        assertThat(shares.held(ALICE)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void oneSourceBehindThemLeavesRoomForOthers(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("one", new Copy()).deploy("two", new Copy()).deploy("three", new Copy());
        calls(stage, stage.alice, ROOM);
        int alone = stage.server.container.callsHeld();
        assertThat(alone).isBetween(ROOM / 2, ROOM / 2 + 3);
        assertThat(stage.server.container.counters().refusedShare.sum()).isPositive();
        // A call that came in gets through to its last application.
        assertThat(arrived(stage) * 3).isEqualTo(alone);
        RawPeer other = stage.server.peer("10.0.0.4");
        calls(stage, other, 3); // of what is left a quarter
        assertThat(other.responses(503)).isZero();
        assertThat(stage.server.container.callsHeld()).isEqualTo(alone + 9);
        end(stage);
        assertThat(shares.held(ALICE)).isZero();
    }

    /** A proxy that forks to names. */
    private static final class Fork extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException, ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> targets = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                targets.add(factory.createURI("sip:bob@d" + i + ".example"));
            }
            invite.getProxy().proxyTo(targets);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theNamesThatTheLastApplicationsLookUpAreOfOneBudget(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("one", new Fork());
        stage.relay("two");
        int most = 20;
        int[] asked = new int[1];
        stage.server.network.names((host, budget) -> {
            for (int i = 0; i < 8; i++) {
                asked[0] += budget.takeQuestion(most) ? 1 : 0;
            }
            return List.of();
        });
        calls(stage, stage.alice, 1);
        assertThat(asked[0]).isEqualTo(most);
        end(stage);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whatATrustedSourceBeganCountsForNobody(ExecutionMode mode) {
        Stage stage = stage(mode);
        stage.deploy("one", new Copy()).deploy("two", new Copy());
        RawPeer trunk = stage.server.peer("10.0.0.9");
        calls(stage, trunk, ROOM / 2);
        assertThat(trunk.responses(503)).isZero();
        assertThat(stage.server.container.callsHeld()).isEqualTo(ROOM);
        end(stage);
    }

    /** Nobody answers: Timer B and Timer C end it all. */
    private static void end(Stage stage) {
        stage.server.run(Duration.ofSeconds(400));
        stage.server.assertEmpty();
    }
}
