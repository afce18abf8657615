package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.http.ApplicationWebSessions;
import io.carillon.servlet.feature.identity.Es256Signer;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ATIS-1000074 5.2.3, RFC 8224 6.1: what a signature attests is what is known of the caller. */
class AttestedCallersTest {
    private static final String BOB = "sip:bob@10.0.0.3:5060";
    private static final String NUMBER = "12155551212";
    private static final String FROM = "<sip:+" + NUMBER + "@example.com>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";
    private static final PrivateKey KEY = key();

    private Server server = Server.fresh(11);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer bob = server.peer("10.0.0.3");

    private static PrivateKey key() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair().getPrivate();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void signs(@Nullable String attest, boolean proxied, String... trusted) {
        server.container
                .settings()
                .signing(
                        new SigningPolicy(
                                new Es256Signer(
                                        KEY,
                                        "https://x.example/c.pem",
                                        List.of("1"),
                                        List.of("example.com"),
                                        true,
                                        attest,
                                        "id"),
                                AddressRanges.of(List.of(trusted)),
                                proxied));
    }

    private void deploy(SipServlet servlet, ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(mode)
                        .build());
    }

    /** An application that asks its callers who they are. */
    private void guarded(String name, SipServlet servlet) throws Exception {
        server.container.security().users().store(AttestedCallersTest::find);
        server.container.deploy(
                Guard.application(
                        name,
                        ExecutionMode.NON_BLOCKING,
                        servlet,
                        constraint(Set.of("*"), "INVITE")));
    }

    private static UserStore.User find(String realm, String name) {
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        for (DigestAlgorithm one : DigestAlgorithm.values()) {
            ha1.put(one, one.ha1(name, realm, "secret"));
        }
        return new UserStore.User(name, ha1, Set.of("staff"));
    }

    private void invite(String from, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = CONTACT;
        alice.request("INVITE " + BOB, from, "<" + BOB + ">", "c1", 1, all);
    }

    private void inviteAs(String user, String from, String... headers) {
        invite(from, headers);
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = CONTACT;
        all[headers.length + 1] = answer(challenged(alice, user), "INVITE", BOB);
        alice.request("INVITE " + BOB, from, "<" + BOB + ">", "c1", 2, all);
    }

    /** Level and originator of what leaves; empty where it has no signature. */
    private String attested() {
        return attested(bob.request("INVITE"));
    }

    private static String attested(SipRequest leg) {
        String identity = leg.header(HeaderName.IDENTITY);
        if (identity == null) {
            return "";
        }
        String claims =
                new String(
                        Base64.getUrlDecoder().decode(identity.split("\\.")[1]),
                        StandardCharsets.UTF_8);
        return claim(claims, "\"attest\":\"(.)\"")
                + " "
                + claim(claims, "\"orig\":\\{\"..i?\":\"([^\"]*)\"");
    }

    private static String claim(String claims, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(claims);
        return found.find() ? found.group(1) : "-";
    }

    /** A B2BUA that asserts what it likes. */
    private static Bridge asserting(String identity) {
        return new Bridge(BOB) {
            @Override
            protected Map<String, List<String>> headers(SipServletRequest request) {
                return Map.of("P-Asserted-Identity", List.of(identity));
            }
        };
    }

    /** A B2BUA without the helper, as old applications are. */
    private static class ByHand extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest leg =
                    factory.createRequest(
                            request.getApplicationSession(),
                            "INVITE",
                            factory.createAddress(request.getFrom().getURI()),
                            factory.createAddress(BOB));
            leg.send();
        }
    }

    private static class Forward extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            request.getProxy().proxyTo(factory.createURI(BOB));
        }
    }

    // ---- strangers ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whoeverWritesANumberOfOursIntoFromIsAttestedNoMoreThanHisEntry(ExecutionMode mode)
            throws Exception {
        signs("A", false);
        deploy(new Bridge(BOB), mode);
        invite(FROM);
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    @Test
    void norIsWhoAssertsIt() throws Exception {
        signs("A", false);
        deploy(new Bridge(BOB), ExecutionMode.NON_BLOCKING);
        invite("<sip:x@elsewhere.example>;tag=a", "P-Asserted-Identity: <tel:+" + NUMBER + ">");
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    /** The application does not know who calls either. */
    @Test
    void norWhomAnApplicationAssertsThatHasNotAsked() throws Exception {
        signs("A", false);
        deploy(asserting("<tel:+" + NUMBER + ">"), ExecutionMode.NON_BLOCKING);
        invite("<sip:x@elsewhere.example>;tag=a");
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    @Test
    void norByAnApplicationThatCopiesByHand() throws Exception {
        signs("A", false);
        deploy(new ByHand(), ExecutionMode.NON_BLOCKING);
        invite(FROM);
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    @Test
    void norByAProxy() throws Exception {
        signs("A", true);
        deploy(new Forward(), ExecutionMode.NON_BLOCKING);
        invite(FROM);
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    /** RFC 8224 6.1 step 2: the plain PASSporT says no less than that the number is his. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlainSignatureIsForNoStranger(boolean proxied) throws Exception {
        signs(null, true);
        deploy(proxied ? new Forward() : new Bridge(BOB), ExecutionMode.NON_BLOCKING);
        invite(FROM);
        assertThat(attested()).isEmpty();
    }

    // ---- who is known ----

    @ParameterizedTest
    @CsvSource({"A, A", "B, B", "C, C", ", -"})
    void whoAsPeerOfTheTrustDomainSaysWhoCallsIsAttestedAsConfigured(String most, String attest)
            throws Exception {
        signs(most, false, "10.0.0.2");
        deploy(new Bridge(BOB), ExecutionMode.NON_BLOCKING);
        invite(FROM, "P-Asserted-Identity: <tel:+" + NUMBER + ">");
        assertThat(attested()).isEqualTo(attest + " " + NUMBER);
    }

    @Test
    void whatAnApplicationCallsByItselfIsItsOwn() throws Exception {
        signs("A", false);
        Manual phone = new Manual();
        deploy(phone, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        factory.createRequest(
                        factory.createApplicationSession(),
                        "INVITE",
                        "sip:+" + NUMBER + "@example.com",
                        BOB)
                .send();
        assertThat(attested()).isEqualTo("A " + NUMBER);
    }

    /** RFC 8224 6.1 step 2: whoever opens a page has not proved whose number he writes into it. */
    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, false, , C",
        "127.0.0.1, false, , C",
        "203.0.113.7, true, , C",
        "203.0.113.7, false, alice, B",
        "203.0.113.7, false, +" + NUMBER + ", A",
    })
    void whatAVisitorOfAPageAsksForIsOnHisBehalf(
            String address, boolean old, @Nullable String user, String level) throws Exception {
        signs("A", false);
        Manual phone = new Manual();
        deploy(phone, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipApplicationSession own = factory.createApplicationSession();
        PageVisitor.<Exception>serve(
                address,
                () -> {
                    SipServletRequest call =
                            factory.createRequest(
                                    old ? own : factory.createApplicationSession(),
                                    "INVITE",
                                    "sip:+" + NUMBER + "@example.com",
                                    BOB);
                    call.setAttribute("io.carillon.identity.user", user);
                    call.send();
                });
        assertThat(attested()).isEqualTo(level + " " + NUMBER);
    }

    /** Its timers and its turn are on the visitor's behalf too. */
    @Test
    void norIsWhatHappensLaterInHisSession() throws Exception {
        signs("A", false);
        Manual phone = new Manual();
        deploy(phone, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        ApplicationSession visited =
                new ApplicationWebSessions(
                                server.container.host(),
                                server.container.newSessions(),
                                server.container.applications().getFirst())
                        .create(PageVisitor.at("203.0.113.7"));
        factory.createRequest(visited, "INVITE", "sip:+" + NUMBER + "@example.com", BOB).send();
        assertThat(attested()).isEqualTo("C " + NUMBER);
    }

    @ParameterizedTest
    @CsvSource({
        NUMBER + ", <sip:" + NUMBER + "@example.com>, A " + NUMBER,
        "+" + NUMBER + ", <tel:+1-215-555-1212>, A " + NUMBER,
        "alice, <sip:alice@example.com>, A sip:alice@example.com",
        "alice, <sip:bob@example.com>, B sip:bob@example.com",
        "alice, <tel:+" + NUMBER + ">, B " + NUMBER,
        "12155550000, <tel:+" + NUMBER + ">, B " + NUMBER,
    })
    void aUserIsAttestedWhatIsHisNameAndElseThatHeIsKnown(String user, String from, String attested)
            throws Exception {
        signs("A", true);
        guarded("test", new Bridge(BOB));
        inviteAs(user, from + ";tag=a");
        assertThat(attested()).isEqualTo(attested);
    }

    @ParameterizedTest
    @CsvSource({"alice, A -", "bob, ''"})
    void aPlainSignatureIsForWhatIsHis(String user, String attested) throws Exception {
        signs(null, true);
        guarded("test", new Forward());
        inviteAs(user, "<sip:alice@example.com>;tag=a");
        assertThat(attested()).isEqualTo(attested.replace("A -", "- sip:alice@example.com"));
    }

    /** The application has the list of who may use which number. */
    @Test
    void whatAnApplicationAssertsOfAUserIsHis() throws Exception {
        signs("A", false);
        guarded("test", asserting("<tel:+" + NUMBER + ">"));
        inviteAs("alice", "<sip:alice@example.com>;tag=a");
        assertThat(attested()).isEqualTo("A " + NUMBER);
    }

    /** But not by writing again what he has written himself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "P-Asserted-Identity: <tel:+1-215-555-1212>",
                "P-Preferred-Identity: <sip:+12155551212@example.com>",
                "Remote-Party-ID: <sip:12155551212@x>;party=calling"
            })
    void whatHeClaimedHimselfIsNot(String claim) throws Exception {
        signs("A", false);
        guarded("test", asserting("<tel:+" + NUMBER + ">"));
        inviteAs("alice", "<sip:alice@example.com>;tag=a", claim);
        assertThat(attested()).isEqualTo("B " + NUMBER);
    }

    // ---- several applications ----

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void theNextApplicationAttestsWhatTheFirstOneKnows(boolean known, boolean proxied)
            throws Exception {
        signs("A", true);
        SipServlet first = proxied ? new Forward() : asserting("<tel:+" + NUMBER + ">");
        if (known) {
            guarded("one", first);
        } else {
            server.container.deploy(
                    ApplicationDescription.builder("one")
                            .servlet("main", () -> first)
                            .execution(ExecutionMode.NON_BLOCKING)
                            .build());
        }
        server.container.deploy(
                ApplicationDescription.builder("two")
                        .servlet("main", () -> new Bridge(BOB))
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
        String from = proxied ? FROM : "<sip:alice@example.com>;tag=a";
        if (known) {
            inviteAs(proxied ? NUMBER : "alice", from);
        } else {
            invite(from);
        }
        assertThat(attested()).isEqualTo((known ? "A " : "C ") + NUMBER);
    }

    // ---- privacy ----

    /** Who is asserted inside only is not told by the signature outside. */
    @ParameterizedTest
    @CsvSource({"10.0.0.3, A 12155551212", "10.0.0.9, ''"})
    void whoIsAnonymousIsSignedForInsideTheTrustDomainOnly(String inside, String attested)
            throws Exception {
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 11),
                        "10.0.0.1",
                        1,
                        11,
                        new RoundTripStore(),
                        StackConfig.builder()
                                .boundary(
                                        new TrustDomain(
                                                AddressRanges.of(List.of("10.0.0.2", inside)),
                                                false))
                                .build(),
                        ContainerConfig.defaults());
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
        signs("A", false, "10.0.0.2");
        deploy(new Bridge(BOB), ExecutionMode.NON_BLOCKING);
        invite(
                "\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=a",
                "P-Asserted-Identity: <tel:+" + NUMBER + ">",
                "Privacy: id");
        SipRequest leg = bob.request("INVITE");
        assertThat(attested(leg)).isEqualTo(attested);
        assertThat(leg.toString().contains(NUMBER)).isEqualTo(!attested.isEmpty());
    }

    /** An application that puts the country code before what its users write, as most do. */
    @Test
    void whatHeWroteWithoutItsCountryCodeIsNotHisByThat() throws Exception {
        signs("A", false);
        guarded(
                "test",
                new Bridge(BOB) {
                    @Override
                    protected Map<String, List<String>> headers(SipServletRequest request) {
                        String user = ((SipURI) request.getFrom().getURI()).getUser();
                        return Map.of("P-Asserted-Identity", List.of("<tel:+1" + user + ">"));
                    }
                });
        inviteAs("alice", "<sip:2155551212@example.com>;tag=a");
        assertThat(attested()).isEqualTo("B " + NUMBER);
    }

    /** An extension is the end of each colleague's number. */
    @ParameterizedTest
    @CsvSource({
        "alice, <sip:1212@example.com>, B", "alice, <sip:551212@example.com>, B",
        "alice, <sip:551212@example.com;user=phone>, B", "alice, <tel:12-12>, B",
        "alice, <sip:%2B1212@example.com>, B", "alice, <sip:0.1212@example.com>, B",
        "alice, <sip:*31%231212@example.com>, B", "1212, <sip:1212@10.0.0.1>, A",
        "+1212, <sip:1212@example.com>, A", "1213, <sip:1212@example.com>, B",
        "1212@elsewhere, <sip:1212@example.com>, B", "alice, <sip:alice@example.com>, A",
    })
    void norIsAnExtension(String user, String from, String level) throws Exception {
        signs("A", false);
        guarded("test", asserting("<tel:+" + NUMBER + ">"));
        inviteAs(user, from + ";tag=a");
        assertThat(attested()).isEqualTo(level + " " + NUMBER);
    }

    /** Nor is a colleague's name that the application puts at its own domain. */
    @ParameterizedTest
    @CsvSource({"bob@elsewhere.example, B", "alice@elsewhere.example, A", "x@y.example, A"})
    void norIsTheSameUserElsewhere(String claimed, String level) throws Exception {
        signs("A", false);
        String name = claimed.startsWith("alice") ? "alice" : "bob";
        guarded("test", asserting("<sip:" + name + "@example.com>"));
        inviteAs("alice", "<sip:" + claimed + ">;tag=a");
        assertThat(attested()).isEqualTo(level + " sip:" + name + "@example.com");
    }

    /** As international calls are dialled in Europe. */
    @Test
    void norWithZeroes() throws Exception {
        signs("A", false);
        guarded("test", asserting("<tel:+" + NUMBER + ">"));
        inviteAs("alice", "<sip:00" + NUMBER + "@example.com>;tag=a");
        assertThat(attested()).isEqualTo("B " + NUMBER);
    }
}
