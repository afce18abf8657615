package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.feature.security.UserStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes from another application of this server is nobody's whom an address names. */
class InternalSourceTest {
    private static final String ASSERTED = "P-Asserted-Identity: <sip:alice@carillon.test>";

    /** Answers everything, and notes who asked. */
    private static final class Noting extends SipServlet {
        private static final long serialVersionUID = 1L;

        final transient List<String> served = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            served.add(
                    request.getMethod()
                            + " "
                            + request.getRemoteUser()
                            + " "
                            + request.getInitialRemoteAddr());
            if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestInADialogBetweenApplicationsIsBelievedNoIdentityForOurOwnAddress(
            ExecutionMode mode) throws DeploymentException {
        Stage stage = new Stage(mode, null);
        Noting noting = new Noting();
        stage.server
                .container
                .security()
                .settings(
                        List.of(DigestAlgorithm.SHA_256),
                        "r",
                        300,
                        Set.of("10.0.0.1", "127.0.0.1"));
        stage.server
                .container
                .security()
                .users()
                .store((realm, name) -> new UserStore.User(name, Map.of(), Set.of("staff")));
        stage.deploy("one", new Bridge("sip:bob@10.0.0.3:5060"));
        SecurityConstraint constraint =
                new SecurityConstraint(
                        List.of(new SecurityConstraint.Resources(Set.of(), Set.of("MESSAGE"))),
                        false,
                        Set.of("*"),
                        false);
        stage.server.container.deploy(
                ApplicationDescription.builder("two")
                        .servlet("main", () -> noting)
                        .execution(mode)
                        .security(
                                new SecurityDescription(
                                        List.of(constraint),
                                        "carillon.test",
                                        IdentityAssertion.SUPPORTED,
                                        Set.of("staff"),
                                        Map.of(),
                                        Map.of()))
                        .build());
        stage.call();
        SipResponse ok = stage.alice.response(200);
        String to = ok.to().toString();
        stage.alice.request("ACK sip:10.0.0.1:5060", Stage.CALLER, to, "c1", 1);
        stage.server.run(Duration.ofMillis(50));
        stage.alice.request("MESSAGE sip:10.0.0.1:5060", Stage.CALLER, to, "c1", 2, ASSERTED);
        stage.server.run(Duration.ofMillis(50));
        stage.alice.request("INFO sip:10.0.0.1:5060", Stage.CALLER, to, "c1", 3);
        stage.server.run(Duration.ofMillis(50));
        assertThat(noting.served)
                .containsExactly("INVITE null null", "ACK null null", "INFO null null");
    }
}
