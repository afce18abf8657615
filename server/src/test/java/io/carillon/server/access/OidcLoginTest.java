package io.carillon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.carillon.server.config.OidcSettings;
import io.carillon.server.config.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against an issuer of the test's own: discovery, keys, codes and tokens. */
class OidcLoginTest {
    private HttpServer issuer;
    private String url;
    private RSAKey key;
    private RSAKey signs;

    /** By which it signs for this client, beside RSA for others; null: by RSA. */
    private @Nullable ECKey curve;

    private String audience = "carillon";
    private Object groups = List.of("staff", "sip-operators");
    private Duration age = Duration.ZERO;
    private String nonce = "";
    private String challenge = "";
    private long now = 1;
    private OidcLogin oidc;

    @BeforeEach
    void start() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        signs = key;
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://localhost:" + issuer.getAddress().getPort();
        issuer.createContext("/.well-known/openid-configuration", this::discovery);
        issuer.createContext("/keys", one -> answer(one, 200, keys()));
        issuer.createContext("/token", this::token);
        issuer.start();
        oidc =
                new OidcLogin(
                        new OidcSettings(
                                url,
                                "carillon",
                                Secret.of("client secret"),
                                "https://sip.example:8443/",
                                null,
                                "groups",
                                Map.of("sip-operators", "operator", "sip-admins", "admin")),
                        () -> now);
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    private void discovery(HttpExchange exchange) throws IOException {
        answer(
                exchange,
                200,
                """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize",
                 "token_endpoint": "%1$s/token", "jwks_uri": "%1$s/keys",
                 "response_types_supported": ["code"], "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["PS256", "RS256", "ES256"]}
                """
                        .formatted(url));
    }

    private String keys() {
        return new JWKSet(curve == null ? List.of(key) : List.of(key, curve)).toString();
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> all = new HashMap<>();
        for (String one : text.split("&", -1)) {
            int equals = one.indexOf('=');
            all.put(
                    one.substring(0, equals),
                    URLDecoder.decode(one.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return all;
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> asked =
                pairs(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String basic =
                Base64.getEncoder()
                        .encodeToString("carillon:client+secret".getBytes(StandardCharsets.UTF_8));
        boolean right =
                ("Basic " + basic).equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        && "good".equals(asked.get("code"))
                        && "https://sip.example:8443/api/v1/oidc/callback"
                                .equals(asked.get("redirect_uri"))
                        && challenge.equals(sha256(asked.getOrDefault("code_verifier", "")));
        if (!right) {
            answer(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        answer(
                exchange,
                200,
                "{\"access_token\": \"x\", \"token_type\": \"Bearer\", \"id_token\": \""
                        + idToken()
                        + "\"}");
    }

    private static String sha256(String text) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String idToken() {
        Instant issued = Instant.now().minus(age);
        SignedJWT jwt =
                new SignedJWT(
                        new JWSHeader.Builder(
                                        curve == null ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                                .keyID(curve == null ? "one" : "curve")
                                .build(),
                        new JWTClaimsSet.Builder()
                                .issuer(url)
                                .audience(audience)
                                .subject("1234")
                                .claim("preferred_username", "anna")
                                .claim("groups", groups)
                                .claim("nonce", nonce)
                                .issueTime(Date.from(issued))
                                .expirationTime(Date.from(issued.plusSeconds(300)))
                                .build());
        try {
            jwt.sign(curve == null ? new RSASSASigner(signs) : new ECDSASigner(curve));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return jwt.serialize();
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void sendAway(String state) throws Exception {
        URI there = oidc.begin(state, "192.0.2.1");
        assertThat(there.toString()).startsWith(url + "/authorize?");
        Map<String, String> asked = pairs(there.getRawQuery());
        assertThat(asked)
                .containsEntry("state", state)
                .containsEntry("response_type", "code")
                .containsEntry("code_challenge_method", "S256");
        nonce = asked.getOrDefault("nonce", "");
        challenge = asked.getOrDefault("code_challenge", "");
    }

    @Test
    void whoComesBackHasTheRolesOfHisGroups() throws Exception {
        sendAway("state");
        OidcLogin.Person person = oidc.finish("state", "good");

        assertThat(person.name()).isEqualTo("anna");
        assertThat(person.roles()).containsExactly(Role.OPERATOR);
        groups = "sip-admins";
        sendAway("state");
        assertThat(oidc.finish("state", "good").roles()).containsExactly(Role.ADMIN);
    }

    /** An issuer offers all that it can, and signs by what is set for the client. */
    @Test
    void theIssuerMaySignByAnyAlgorithmOfOursThatItOffers() throws Exception {
        curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
        sendAway("state");
        assertThat(oidc.finish("state", "good").name()).isEqualTo("anna");
    }

    @Test
    void whoHasNoGroupWithARoleIsNotLetIn() throws Exception {
        groups = List.of("staff");
        sendAway("state");
        assertThatThrownBy(() -> oidc.finish("state", "good"))
                .hasMessageContaining("anna has no group with a role")
                .hasMessageContaining("groups");
    }

    @Test
    void tokensOfOthersDoNotCount() throws Exception {
        audience = "another client";
        refused();
        audience = "carillon";
        age = Duration.ofHours(1);
        refused();
        age = Duration.ZERO;
        signs = new RSAKeyGenerator(2048).keyID("one").generate();
        refused();
        signs = key;
        sendAway("state");
        nonce = "of another log-in";
        assertThatThrownBy(() -> oidc.finish("state", "good"))
                .hasMessageContaining("does not count");
    }

    private void refused() throws Exception {
        sendAway("state");
        assertThatThrownBy(() -> oidc.finish("state", "good"))
                .isInstanceOf(OidcLogin.Failure.class)
                .hasMessageContaining("does not count");
    }

    @Test
    void aWrongCodeAndAStateThatNobodyHasAreRefused() throws Exception {
        sendAway("state");
        assertThatThrownBy(() -> oidc.finish("state", "bad")).hasMessageContaining("no token");
        assertThatThrownBy(() -> oidc.finish("state", "good"))
                .as("once")
                .hasMessageContaining("begin again");
        sendAway("state");
        now += TimeUnit.MINUTES.toNanos(11);
        assertThatThrownBy(() -> oidc.finish("state", "good")).hasMessageContaining("begin again");
    }

    @Test
    void theOldestOfThoseWhoAreAwayGivesWay() throws Exception {
        sendAway("first");
        for (int i = 0; i < 256; i++) {
            oidc.begin("other " + i, "192.0.2." + i);
        }
        assertThatThrownBy(() -> oidc.finish("first", "good")).hasMessageContaining("begin again");
    }

    /** Whoever reaches the port would keep everybody else from the log-in. */
    @Test
    void oneSourcePushesOutItsOwnAlone() throws Exception {
        sendAway("first");
        for (int i = 0; i < 1_000; i++) {
            oidc.begin("other " + i, "198.51.100.7");
        }
        assertThat(oidc.finish("first", "good").name()).isEqualTo("anna");
    }

    @Test
    void anIssuerThatCannotBeAskedIsNamed() {
        issuer.stop(0);
        assertThatThrownBy(() -> oidc.begin("state", "192.0.2.1"))
                .hasMessageContaining(url + " cannot be asked")
                .satisfies(e -> assertThat(((OidcLogin.Failure) e).ofIssuer()).isTrue());
    }

    @Test
    void settingsThatAreNotSafeAreRefused() {
        assertThatThrownBy(() ->
                        new OidcSettings(
                                "http://login.example",
                                "x",
                                Secret.of("y"),
                                url,
                                null,
                                "g",
                                Map.of()))
                .hasMessageContaining("https://");
        assertThatThrownBy(() -> new OidcSettings(url, null, null, url, null, "g", Map.of()))
                .hasMessageContaining("client-id, client-secret and url");
        assertThatThrownBy(() ->
                        new OidcSettings(
                                url, "x", Secret.of("y"), url, null, "g", Map.of("ops", "root")))
                .hasMessageContaining("'root' is no role");
        assertThatThrownBy(
                        () -> new OidcSettings(url, "x", Secret.of("y"), url, "x", "g", Map.of()))
                .hasMessageContaining("admin.oidc.audience is client-id");
    }
}
