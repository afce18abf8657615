package io.carillon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.carillon.server.config.OidcSettings;
import io.carillon.server.config.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access tokens of an issuer of the test's own: which count, whose they are, and until when. */
class OidcTokensTest {
    private TestIssuer issuer;
    private long now = 1;
    private OidcLogin oidc;

    @BeforeEach
    void start() throws Exception {
        issuer = new TestIssuer();
        oidc = oidc(TestIssuer.AUDIENCE);
    }

    private OidcLogin oidc(@Nullable String audience) {
        return new OidcLogin(settings(audience), () -> now);
    }

    private OidcSettings settings(@Nullable String audience) {
        return new OidcSettings(
                issuer.url(),
                "carillon",
                Secret.of("client secret"),
                "https://sip.example:8443/",
                audience,
                "realm_access.roles",
                Map.of("sip-operators", "operator", "sip-admins", "admin"));
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims("sip-operators");
    }

    private String signed(JWTClaimsSet claims) throws Exception {
        return issuer.token(claims);
    }

    @Test
    void aTokenForUsIsWhoseItIsWithTheRolesOfItsClaim() throws Exception {
        Caller caller = Objects.requireNonNull(oidc.bearer(signed(claims().build()), true));

        assertThat(caller.name()).isEqualTo("service-account-ci");
        assertThat(caller.roles()).containsExactly(Role.OPERATOR);
        assertThat(caller.way()).isEqualTo("oidc-token");
        assertThat(caller.may(Role.ADMIN)).isFalse();
        String old =
                TestIssuer.token(
                        claims().build(), "JWT", JWSAlgorithm.RS256, new RSASSASigner(issuer.key));
        assertThat(oidc.bearer(old, true)).as("of an issuer from before RFC 9068").isNotNull();
    }

    @Test
    void withoutAnAudienceNoTokenOfTheIssuersCounts() throws Exception {
        assertThat(oidc(null).bearer(signed(claims().build()), true)).isNull();
    }

    @Test
    void whatIsNoSignedTokenIsNobodys() throws Exception {
        String unsigned = new PlainJWT(claims().build()).serialize();
        for (String text : List.of("", "x", "a.b.c", "carillon_0123", unsigned)) {
            assertThat(oidc.bearer(text, true)).as(text).isNull();
        }
    }

    private void refused(String token, String why) {
        assertThatThrownBy(() -> oidc.bearer(token, true))
                .isInstanceOf(OidcLogin.Failure.class)
                .hasMessageContaining(why)
                .satisfies(e -> assertThat(((OidcLogin.Failure) e).ofIssuer()).isFalse());
    }

    @Test
    void tokensForOthersOfOthersAndOfThePastDoNotCount() throws Exception {
        refused(signed(claims().audience("carillon").build()), "does not count");
        refused(signed(claims().issuer("https://other.example").build()), "another issuer");
        Date past = Date.from(Instant.now().minus(Duration.ofHours(1)));
        refused(signed(claims().expirationTime(past).build()), "Expired");
        refused(signed(claims().expirationTime(null).build()), "exp");
    }

    /** docs/guides/administration.md: what it said last counts for an hour more. */
    @Test
    void whileTheIssuerIsAwayTokensOfItsKeysCountForAnHourButNoExpiredOnes() throws Exception {
        assertThat(oidc.bearer(signed(claims().build()), true)).isNotNull();
        issuer.close();
        now += TimeUnit.MINUTES.toNanos(11);
        assertThat(oidc.bearer(signed(claims().claim("another", 1).build()), true)).isNotNull();
        Date past = Date.from(Instant.now().minus(Duration.ofHours(1)));
        refused(signed(claims().expirationTime(past).build()), "Expired");
        now += TimeUnit.MINUTES.toNanos(50);
        String third = signed(claims().claim("another", 2).build());
        assertThatThrownBy(() -> oidc.bearer(third, true))
                .isInstanceOf(OidcLogin.Failure.class)
                .hasMessageContaining("cannot be asked")
                .satisfies(e -> assertThat(((OidcLogin.Failure) e).ofIssuer()).isTrue());
        refused(signed(claims().expirationTime(past).build()), "Expired");
    }

    /** It may hang as well: who asks next does not wait for it too. */
    @Test
    void anIssuerThatCouldNotBeAskedIsLeftAloneForAMoment() throws Exception {
        issuer.away = true;
        String token = signed(claims().build());
        assertThatThrownBy(() -> oidc.bearer(token, true)).hasMessageContaining("cannot be asked");
        issuer.away = false;
        assertThatThrownBy(() -> oidc.bearer(token, true)).hasMessageContaining("cannot be asked");
        assertThat(issuer.asked).hasValue(1);
        now += TimeUnit.SECONDS.toNanos(11);
        assertThat(oidc.bearer(token, true)).isNotNull();
    }

    @Test
    void tokensThatAreSignedOtherwiseDoNotCount() throws Exception {
        RSAKey other = new RSAKeyGenerator(2048).keyID("one").generate();
        refused(
                TestIssuer.token(
                        claims().build(), "at+jwt", JWSAlgorithm.RS256, new RSASSASigner(other)),
                "does not count");
        // What everybody knows is no secret: the public key as that of an HMAC.
        refused(
                TestIssuer.token(
                        claims().build(),
                        "at+jwt",
                        JWSAlgorithm.HS256,
                        new MACSigner(issuer.key.toRSAPublicKey().getEncoded())),
                "does not count");
        refused(
                TestIssuer.token(
                        claims().build(),
                        "logout+jwt",
                        JWSAlgorithm.RS256,
                        new RSASSASigner(issuer.key)),
                "does not count");
    }

    @Test
    void whoHasNoGroupWithARoleIsNamed() throws Exception {
        refused(
                signed(issuer.claims("staff").build()),
                "service-account-ci has no group with a role here");
    }

    @Test
    void aTokenIsBelievedForAMinuteAndListensToItsEnd() throws Exception {
        String token = signed(claims().build());
        assertThat(oidc.bearer(token, true)).isNotNull();
        assertThat(issuer.keysRead).hasValue(1);
        issuer.close();
        now += TimeUnit.SECONDS.toNanos(59);
        assertThat(oidc.bearer(token, true)).isNotNull();
        now += TimeUnit.SECONDS.toNanos(200);
        assertThat(oidc.bearer(token, false)).as("goes on to listen").isNotNull();
        assertThat(oidc.bearer(token, true)).as("the keys are known still").isNotNull();
    }

    @Test
    void anIssuerThatCannotBeAskedIsNamed() throws Exception {
        issuer.close();
        String token = signed(claims().build());
        assertThatThrownBy(() -> oidc.bearer(token, true))
                .hasMessageContaining("cannot be asked")
                .satisfies(e -> assertThat(((OidcLogin.Failure) e).ofIssuer()).isTrue());
    }

    @Test
    void manyTokensOfStrangersReadTheKeysOnce() throws Exception {
        RSAKey other = new RSAKeyGenerator(2048).keyID("two").generate();
        for (int i = 0; i < 50; i++) {
            SignedJWT jwt =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("key" + i).build(),
                            claims().build());
            jwt.sign(new RSASSASigner(other));
            assertThatThrownBy(() -> oidc.bearer(jwt.serialize(), true))
                    .isInstanceOf(OidcLogin.Failure.class);
        }
        assertThat(issuer.keysRead).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void ofVeryManyTokensTheLastOnesAreRemembered() throws Exception {
        OidcTokens tokens = new OidcTokens(settings(TestIssuer.AUDIENCE), oidc, () -> now, 20);
        for (int i = 0; i < 25; i++) {
            assertThat(tokens.find(signed(claims().claim("number", i).build()), true)).isNotNull();
        }
        assertThat(tokens.remembered()).isEqualTo(20);
    }
}
