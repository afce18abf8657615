package io.carillon.servlet.feature.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Originator;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.SipDate;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 8224 around applications: verified when a request comes, signed when one leaves. */
class SignedCallsTest {
    private static final String INFO = "https://cert.example.org/passport.cer";
    private static final String FROM = "<sip:+12155551212@example.com>;tag=a";
    private static final String TO = "<sip:+12155551213@example.com>";

    private final Server server = Server.fresh(47);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final KeyPair keys = TestCertificates.keys();
    private final CompletableFuture<Credential> certificate = new CompletableFuture<>();
    private final Es256Verifier verifier =
            new Es256Verifier(
                    place -> certificate, 60, 1_000, AddressRanges.of(List.of("10.0.0.3")));
    private final Es256Signer signer =
            new Es256Signer(keys.getPrivate(), INFO, List.of("1"), List.of(), true, "A", "12345");

    /** Remembers what it was told of its callers. */
    private static final class Listener extends SipServlet {
        final List<String> told = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            told.add(
                    request.getAttribute(IdentityResult.VERSTAT)
                            + " "
                            + request.getAttribute(IdentityResult.STATUS)
                            + " "
                            + request.getAttribute(IdentityResult.IDENTITY)
                            + " "
                            + request.getAttribute(IdentityResult.ATTEST)
                            + " "
                            + request.getAttribute(IdentityResult.ORIGID));
            request.createResponse(486).send();
        }
    }

    private void deploy(SipServlet servlet, ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(mode)
                        .build());
    }

    private String date() {
        return new SipDate(Instant.ofEpochMilli(server.container.millis())).toString();
    }

    private String identity() {
        return signer.sign(signable(), server.container.millis(), Originator.APPLICATION);
    }

    private SipRequest signable() {
        MessageDraft draft = MessageDraft.request("INVITE", SipUri.of("b", "10.0.0.1", -1));
        try {
            draft.setFrom(NameAddress.parse(FROM));
            draft.setTo(NameAddress.parse(TO));
        } catch (SipParseException e) {
            throw new IllegalStateException(e);
        }
        draft.set(HeaderName.DATE, date());
        return draft.freezeRequest();
    }

    private void invite(String callId, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Contact: <sip:10.0.0.2:5060>";
        alice.request("INVITE sip:b@10.0.0.1", FROM, TO, callId, 1, all);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void applicationsAreToldWhoIsVouchedFor(ExecutionMode mode) throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, false));
        Listener listener = new Listener();
        deploy(listener, mode);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        String identity = identity();
        invite("c1", "Date: " + date(), "Identity: " + identity);
        alice.response(486);
        invite("c2", "Date: " + date(), "Identity: " + identity.replace(".", ".A"));
        alice.response(486);
        invite("c3");
        alice.response(486);
        assertThat(listener.told)
                .containsExactly(
                        "TN-Validation-Passed 200 12155551212 A 12345",
                        "TN-Validation-Failed 438 null null null",
                        "No-TN-Validation 428 null null null");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 428, Use Identity Header", "1, 438, Invalid PASSporT"})
    void whereOneIsRequiredNothingElseComesIn(int kind, int status, String reason)
            throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        Listener listener = new Listener();
        deploy(listener, ExecutionMode.NON_BLOCKING);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        if (kind == 0) {
            invite("c1");
        } else {
            invite("c1", "Identity: a.b.c;info=<" + INFO + ">");
        }
        SipResponse refused = alice.response(status);
        assertThat(refused.reason()).isEqualTo(reason);
        assertThat(listener.told).isEmpty();
        invite("c2", "Date: " + date(), "Identity: " + identity());
        alice.response(486);
        assertThat(listener.told).hasSize(1);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** The number that he asserts is his own and signed for; From is what everybody is shown. */
    @Test
    void aStrangerWhoSignsForWhomHeAssertsIsNotWhoFromNames() throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        Listener listener = new Listener();
        deploy(listener, ExecutionMode.NON_BLOCKING);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        String[] headers = {
            "Date: " + date(),
            "Identity: " + identity(),
            "P-Asserted-Identity: <tel:+12155551212>",
            "Contact: <sip:10.0.0.2:5060>"
        };
        String from = "<sip:+4989999999@bank.example>;tag=a";
        alice.request("INVITE sip:b@10.0.0.1", from, TO, "c1", 1, headers);
        assertThat(alice.response(438).reason()).isEqualTo("Invalid Identity Header");
        assertThat(listener.told).isEmpty();
        bob.request("INVITE sip:b@10.0.0.1", from, TO, "c2", 1, headers);
        bob.response(486);
        assertThat(listener.told).hasSize(1); // a peer of the trust domain
    }

    /** A certificate that takes its time holds nobody else up, and a CANCEL ends the waiting. */
    @Test
    void aCallThatWaitsForItsCertificateMayBeCancelled() throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        Listener listener = new Listener();
        deploy(listener, ExecutionMode.NON_BLOCKING);
        String line = "INVITE sip:b@10.0.0.1";
        String identity = identity();
        alice.send(alice.text(line, "z9hG4bKwait", FROM, TO, "c1", 1, "Identity: " + identity));
        server.run(Duration.ofSeconds(1));
        assertThat(alice.responses(100)).isEqualTo(1);
        alice.request("OPTIONS sip:b@10.0.0.1", FROM, TO, "c2", 1);
        alice.response(500);
        alice.send(alice.text("CANCEL sip:b@10.0.0.1", "z9hG4bKwait", FROM, TO, "c1", 1));
        server.run(Duration.ofMillis(50));
        assertThat(alice.responses(487)).isEqualTo(1);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        server.run(Duration.ofSeconds(40));
        assertThat(listener.told).isEmpty();
        server.assertClean();
        assertThat(server.container.callsHeld()).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theOtherLegOfABackToBackUserAgentIsSigned(ExecutionMode mode) throws Exception {
        server.container
                .settings()
                .signing(new SigningPolicy(signer, AddressRanges.of(List.of()), false));
        deploy(new Bridge("sip:b@10.0.0.3:5060"), mode);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        invite("c1");
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.header(HeaderName.DATE)).isEqualTo(date());
        assertThat(
                        verifier.verify(leg, server.container.millis())
                                .toCompletableFuture()
                                .get()
                                .verstat())
                .isEqualTo("TN-Validation-Passed");
    }

    @Test
    void whatHasAnIdentityIsPassedOnAsItIs() throws Exception {
        server.container
                .settings()
                .signing(new SigningPolicy(signer, AddressRanges.of(List.of()), true));
        deploy(new Bridge("sip:b@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        String foreign = "a.b.c;info=<https://elsewhere.example.org/x>;alg=ES256;ppt=shaken";
        invite("c1", "Identity: " + foreign);
        assertThat(bob.request("INVITE").headers(HeaderName.IDENTITY)).containsExactly(foreign);
    }

    /** RFC 8224 12.1: within the time of its freshness it is good for one call. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anIdentityIsGoodForOneCall(ExecutionMode mode) throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        Listener listener = new Listener();
        deploy(listener, mode);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        String[] headers = {"Date: " + date(), "Identity: " + identity()};
        invite("c1", headers);
        alice.response(486);
        invite("c2", headers);
        assertThat(alice.response(438).reason()).isEqualTo("Replayed PASSporT");
        // The same call on another way, and once more with credentials.
        bob.request("INVITE sip:b@10.0.0.1", FROM, TO, "c1", 2, headers);
        bob.response(486);
        alice.request("INVITE sip:b@10.0.0.1", FROM, TO, "c1", 3, headers);
        alice.response(486);
        assertThat(listener.told).hasSize(3);
        assertThat(verifier.counters()).containsEntry("passports_replayed", 1L);
    }

    /** Everybody can make a second form of an ECDSA signature: r and n - s. */
    @Test
    void theOtherFormOfASignatureIsTheSame() throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        deploy(new Listener(), ExecutionMode.NON_BLOCKING);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        String identity = identity();
        invite("c1", "Date: " + date(), "Identity: " + identity);
        alice.response(486);
        int end = identity.indexOf(';');
        int begin = identity.lastIndexOf('.', end) + 1;
        byte[] signature = Base64.getUrlDecoder().decode(identity.substring(begin, end));
        BigInteger order = ((ECPublicKey) keys.getPublic()).getParams().getOrder();
        BigInteger s = new BigInteger(1, Arrays.copyOfRange(signature, 32, 64));
        byte[] other = order.subtract(s).toByteArray();
        Arrays.fill(signature, 32, 64, (byte) 0);
        int length = Math.min(32, other.length);
        System.arraycopy(other, other.length - length, signature, 64 - length, length);
        String forged =
                identity.substring(0, begin)
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(signature)
                        + identity.substring(end);
        invite("c2", "Date: " + date(), "Identity: " + forged);
        assertThat(alice.response(438).reason()).isEqualTo("Replayed PASSporT");
    }

    /** The other leg leaves, and somebody sends it back to us: a spiral. */
    @Test
    void aCallThatComesBackThroughABackToBackUserAgentIsTheSame() throws Exception {
        server.container.settings().verification(new VerificationPolicy(verifier, true));
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, ExecutionMode.NON_BLOCKING);
        certificate.complete(new Credential(TestCertificates.of(keys, null), true));
        invite("c1", "Date: " + date(), "Identity: " + identity());
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.callId()).isNotEqualTo("c1");
        bob.request(
                "INVITE sip:b@10.0.0.1",
                leg.from().toString(),
                leg.to().toString(),
                leg.callId(),
                1,
                "Date: " + leg.header(HeaderName.DATE),
                "Identity: " + leg.header(HeaderName.IDENTITY),
                "Contact: <sip:10.0.0.3:5060>");
        assertThat(bob.request("INVITE").callId()).isNotEqualTo(leg.callId());
        assertThat(bridge.events).containsExactly("INVITE", "INVITE");
    }

    private static final class Forward extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            request.getProxy().proxyTo(factory.createURI("sip:b@10.0.0.3:5060"));
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aProxySignsWhereItIsToldTo(boolean proxied) throws Exception {
        server.container
                .settings()
                .signing(new SigningPolicy(signer, AddressRanges.of(List.of()), proxied));
        deploy(new Forward(), ExecutionMode.NON_BLOCKING);
        invite("c1");
        assertThat(bob.request("INVITE").has(HeaderName.IDENTITY)).isEqualTo(proxied);
    }
}
