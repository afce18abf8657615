package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.auth.DigestUri;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Credentials are good for one request to one target, whichever application looks at them. */
class OneUseTest {
    private static final String US = "sip:uas@10.0.0.1";

    private static final class Open extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    private final Server server = Server.fresh(7);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final List<String> asked = new ArrayList<>();
    private int cseq;

    @BeforeEach
    void users() {
        server.container
                .security()
                .users()
                .store((realm, name) -> {
                    asked.add(name);
                    return Guard.find(realm, name);
                });
    }

    private void deploy(String name) throws Exception {
        server.container.replace(
                Guard.application(
                        name, ExecutionMode.BLOCKING, new Open(), constraint(Set.of("*"))),
                Duration.ZERO);
    }

    private void send(String uri, String... headers) {
        alice.request(
                "MESSAGE " + uri, "<sip:alice@x>;tag=a", "<sip:uas@y>", "c1", ++cseq, headers);
    }

    private DigestClient challenge() {
        send(US);
        return challenged(alice, "alice");
    }

    private void assertStale() {
        assertThat(alice.response(401).header(HeaderName.WWW_AUTHENTICATE)).contains("stale=true");
    }

    @Test
    void aRedeploymentForgetsNoCount() throws Exception {
        deploy("test");
        String once = answer(challenge(), "MESSAGE", US);
        send(US, once);
        alice.response(200);
        deploy("test");
        send(US, once);
        assertStale();
    }

    @Test
    void whatOneApplicationAcceptedNoOtherAccepts() throws Exception {
        deploy("one");
        String once = answer(challenge(), "MESSAGE", US);
        send(US, once);
        alice.response(200);
        server.container.undeploy("one");
        deploy("other");
        send(US, once);
        assertStale();
    }

    /** RFC 7616 3.4.6, RFC 8760 2.6 item 6. */
    @ParameterizedTest
    @CsvSource({
        "sip:uas@10.0.0.1, 200",
        "sip:uas@10.0.0.1:5060;transport=udp, 200",
        "SIP:uas@10.0.0.1, 200",
        "sip:uas@carillon.test, 200",
        "sip:other@10.0.0.1, 400",
        "sip:10.0.0.1, 400",
        "sip:uas@10.0.0.9, 400",
        "not a uri, 400",
    })
    void credentialsAreForTheUriThatTheyName(String uri, int status) throws Exception {
        deploy("test");
        DigestClient client = challenge();
        send(US, answer(client, "MESSAGE", uri));
        alice.response(status);
        assertThat(asked).hasSize(status == 200 ? 1 : 0);
        assertThat(server.container.security().urisRefused()).isEqualTo(status == 200 ? 0 : 1);
    }

    /** A host is ours at whatever port we listen: all hosts of ours are one with the realm. */
    @ParameterizedTest
    @CsvSource({
        "sip:uas@carillon.test, 200",
        "sip:uas@10.0.0.1, 200",
        "sip:uas@10.0.0.1:5070, 200",
        "sip:uas@10.0.0.9, 400",
    })
    void aHostIsOursAtAnyPort(String uri, int status) throws Exception {
        Server elsewhere = Server.at(5070);
        elsewhere.container.security().users().store(Guard::find);
        elsewhere.container.deploy(
                Guard.application(
                        "test", ExecutionMode.BLOCKING, new Open(), constraint(Set.of("*"))));
        RawPeer peer =
                new RawPeer(
                        elsewhere.network,
                        "10.0.0.2",
                        5060,
                        SimulatedNetwork.address("10.0.0.1", 5070));
        String us = "sip:uas@10.0.0.1:5070";
        peer.request("MESSAGE " + us, "<sip:alice@x>;tag=a", "<sip:uas@y>", "c1", 1);
        String proof = answer(challenged(peer, "alice"), "MESSAGE", uri);
        peer.request("MESSAGE " + us, "<sip:alice@x>;tag=a", "<sip:uas@y>", "c1", 2, proof);
        peer.response(status);
    }

    @Test
    void behindAProxyThatRewritesTheUriNeedNotBeTheSame() throws Exception {
        server.container.security().digestUri(DigestUri.USER);
        deploy("test");
        send(US, answer(challenge(), "MESSAGE", "sip:uas@10.0.0.9"));
        alice.response(200);
        send(US, answer(challenge(), "MESSAGE", "sip:other@10.0.0.1"));
        alice.response(400);
        server.container.security().digestUri(DigestUri.ANY);
        send(US, answer(challenge(), "MESSAGE", "sip:other@10.0.0.9"));
        alice.response(200);
    }

    /** Nobody is asked who some name is that comes with a nonce which is not ours, old or used. */
    @Test
    void inventedCredentialsCostNoLookUp() throws Exception {
        deploy("test");
        DigestClient client = challenge();
        String good = answer(client, "MESSAGE", US);
        for (int i = 0; i < 50; i++) {
            send(
                    US,
                    good.replace("\"alice\"", "\"nobody" + i + "\"")
                            .replaceFirst("nonce=\"[^\"]*", "nonce=\"invented" + i));
            assertStale();
        }
        assertThat(asked).isEmpty();
        send(US, good);
        alice.response(200);
        assertThat(asked).containsExactly("alice");
        send(US, good.replace("\"alice\"", "\"nobody\""));
        assertStale();
        server.run(Duration.ofMinutes(6));
        send(US, answer(client, "MESSAGE", US).replace("\"alice\"", "\"nobody\""));
        assertStale();
        assertThat(asked).containsExactly("alice");
    }

    @Test
    void moreNoncesThanMayBeRememberedAreAskedForAnewAndNeverReplayed() throws Exception {
        server.container.security().bounds(4, 10, 10);
        deploy("test");
        DigestClient first = challenge();
        String once = answer(first, "MESSAGE", US);
        send(US, once);
        alice.response(200);
        for (int i = 0; i < 6; i++) {
            server.run(Duration.ofMillis(1));
            send(US, answer(challenge(), "MESSAGE", US));
            alice.response(200);
        }
        send(US, once);
        assertStale();
        send(US, answer(first, "MESSAGE", US));
        assertStale();
        assertThat(server.container.security().noncesForgotten()).isPositive();
    }
}
