package io.carillon.servlet.feature.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.servlet.port.Caller;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/** Requests of an application that are challenged (RFC 3261 22.2 and 22.3, RFC 8760 2.4). */
class OwnCredentialsTest {
    private static final class Caller extends SipServlet {
        final List<Integer> finals = new ArrayList<>();
        boolean byAuthInfo;
        SipFactory factory;

        @Override
        public void init() throws ServletException {
            factory = (SipFactory) getServletContext().getAttribute("javax.servlet.sip.SipFactory");
        }

        void call(String method) throws IOException {
            SipServletRequest request;
            try {
                request =
                        factory.createRequest(
                                factory.createApplicationSession(),
                                method,
                                "sip:alice@10.0.0.1",
                                "sip:bob@10.0.0.3:5060");
            } catch (ServletException e) {
                throw new IOException(e);
            }
            request.send();
        }

        @Override
        protected void doErrorResponse(SipServletResponse response)
                throws ServletException, IOException {
            finals.add(response.getStatus());
            if (response.getStatus() == 403) {
                return;
            }
            SipServletRequest again =
                    response.getSession().createRequest(response.getRequest().getMethod());
            if (byAuthInfo) {
                AuthInfo info = factory.createAuthInfo();
                info.addAuthInfo(407, "proxy.test", "alice", "proxy-secret");
                info.addAuthInfo(401, "bob.test", "alice", "bob-secret");
                again.addAuthHeader(response, info);
            } else {
                again.addAuthHeader(response, "alice", "secret");
            }
            again.send();
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            finals.add(response.getStatus());
            if (response.getMethod().equals("INVITE")) {
                response.createAck().send();
                response.getSession().createRequest("BYE").send();
            }
        }
    }

    private final Caller caller = new Caller();
    private final Server server = Server.fresh(1).deploy(caller, ExecutionMode.BLOCKING);
    private final RawPeer bob = server.peer("10.0.0.3");

    private static final String BOB =
            "WWW-Authenticate: Digest realm=\"bob.test\", nonce=\"n1\", qop=\"auth\", algorithm=";
    private static final String PROXY =
            "Proxy-Authenticate: Digest realm=\"proxy.test\", nonce=\"n2\", qop=\"auth\", algorithm=MD5";

    private static DigestCredentials given(SipRequest request, HeaderName name) throws Exception {
        return DigestCredentials.parse(AuthHeader.parse(request.header(name)));
    }

    private static void assertRight(
            SipRequest request, DigestCredentials given, String realm, String password) {
        String ha1 = given.algorithm().ha1("alice", realm, password);
        assertThat(given.response())
                .isEqualTo(
                        given.algorithm()
                                .response(
                                        ha1,
                                        given.nonce(),
                                        given.qop(),
                                        DigestCredentials.nc(given.nonceCount()),
                                        given.cnonce(),
                                        request.method(),
                                        given.uri(),
                                        request.body()));
    }

    @Test
    @Proves("SipServletRequest#addAuthHeader(SipServletResponse,String,String)")
    void theTopmostChallengeThatIsUnderstoodIsAnswered() throws Exception {
        caller.call("MESSAGE");
        bob.respond(
                bob.request("MESSAGE"),
                401,
                "b",
                "WWW-Authenticate: Digest realm=\"bob.test\", nonce=\"n0\", algorithm=SHA-999",
                BOB + "SHA-256",
                BOB + "MD5");
        SipRequest again = bob.request("MESSAGE");
        DigestCredentials given = given(again, HeaderName.AUTHORIZATION);
        assertThat(given.algorithm()).isEqualTo(DigestAlgorithm.SHA_256);
        assertThat(again.headers(HeaderName.AUTHORIZATION)).hasSize(1);
        assertRight(again, given, "bob.test", "secret");
        // RFC 3261 22.2: "the UAC MUST increment the CSeq header field value".
        assertThat(again.cseq().number()).isEqualTo(2);
        bob.respond(again, 200, "b");
        server.run(Duration.ofSeconds(1));
        assertThat(caller.finals).containsExactly(401, 200);
    }

    @Test
    @Proves({
        "SipServletRequest#addAuthHeader(SipServletResponse,AuthInfo)",
        "AuthInfo#addAuthInfo(int,String,String,String)",
        "SipFactory#createAuthInfo()",
    })
    void challengesOfAForkingProxyAreAnsweredForEachRealmWithItsOwnSecret() throws Exception {
        caller.byAuthInfo = true;
        caller.call("MESSAGE");
        bob.respond(bob.request("MESSAGE"), 407, "b", PROXY, BOB + "SHA-512-256");
        SipRequest again = bob.request("MESSAGE");
        assertRight(
                again, given(again, HeaderName.PROXY_AUTHORIZATION), "proxy.test", "proxy-secret");
        assertRight(again, given(again, HeaderName.AUTHORIZATION), "bob.test", "bob-secret");
    }

    @Test
    @Proves(also = "SipServletResponse#createAck()")
    void credentialsAreUsedAgainInTheDialogWithTheNextCount() throws Exception {
        caller.call("INVITE");
        bob.respond(bob.request("INVITE"), 407, "b", PROXY);
        bob.request("ACK");
        SipRequest again = bob.request("INVITE");
        assertThat(given(again, HeaderName.PROXY_AUTHORIZATION).nonceCount()).isEqualTo(1);
        bob.respond(again, 401, "b", BOB + "SHA-256");
        bob.request("ACK");
        SipRequest third = bob.request("INVITE");
        assertThat(given(third, HeaderName.PROXY_AUTHORIZATION).nonceCount()).isEqualTo(2);
        assertThat(given(third, HeaderName.AUTHORIZATION).nonceCount()).isEqualTo(1);
        bob.respond(third, 200, "b");
        SipRequest ack = bob.request("ACK");
        // RFC 3261 13.2.2.4: "The ACK MUST contain the same credentials as the INVITE."
        assertThat(ack.header(HeaderName.AUTHORIZATION))
                .isEqualTo(third.header(HeaderName.AUTHORIZATION));
        SipRequest bye = bob.request("BYE");
        assertThat(given(bye, HeaderName.PROXY_AUTHORIZATION).nonceCount()).isEqualTo(3);
        assertThat(given(bye, HeaderName.AUTHORIZATION).nonceCount()).isEqualTo(2);
        assertRight(bye, given(bye, HeaderName.AUTHORIZATION), "bob.test", "secret");
        bob.respond(bye, 200, "b");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    @Proves(
            also = {
                "SipServletResponse#getRequest()",
                "SipSession#createRequest(String)",
                "SipServletRequest#addAuthHeader(SipServletResponse,String,String)",
            })
    void aStaleNonceIsReplacedByTheNewOne() throws Exception {
        caller.call("MESSAGE");
        bob.respond(bob.request("MESSAGE"), 401, "b", BOB + "MD5");
        bob.respond(
                bob.request("MESSAGE"),
                401,
                "b",
                BOB.replace("n1", "n9").replace("algorithm", "stale=true, algorithm") + "MD5");
        SipRequest third = bob.request("MESSAGE");
        DigestCredentials given = given(third, HeaderName.AUTHORIZATION);
        assertThat(given.nonce()).isEqualTo("n9");
        assertThat(given.nonceCount()).isEqualTo(1);
        assertThat(third.headers(HeaderName.AUTHORIZATION)).hasSize(1);
    }

    @Test
    void realmsThatNobodyKnowsStayUnanswered() throws Exception {
        caller.byAuthInfo = true;
        caller.call("MESSAGE");
        bob.respond(
                bob.request("MESSAGE"),
                401,
                "b",
                "WWW-Authenticate: Digest realm=\"other\", nonce=\"n\", qop=\"auth\"");
        assertThat(bob.request("MESSAGE").has(HeaderName.AUTHORIZATION)).isFalse();
    }

    @Test
    @Proves(
            also = {
                "AuthInfo#addAuthInfo(int,String,String,String)",
                "SipFactory#createAuthInfo()",
            })
    void authInfoTakesOnlyChallengeStatusesAndNoNulls() {
        AuthInfo info = caller.factory.createAuthInfo();
        assertThatThrownBy(() -> info.addAuthInfo(404, "r", "u", "p"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> info.addAuthInfo(401, null, "u", "p"))
                .isInstanceOf(NullPointerException.class);
        assertThat(info.toString()).doesNotContain("secret");
    }
}
