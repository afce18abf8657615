package io.carillon.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of access tokens, with discovery and one key. */
public final class TestIssuer implements AutoCloseable {
    /** Whom its tokens are for. */
    public static final String AUDIENCE = "https://sip.example:8443";

    final RSAKey key;
    final AtomicInteger keysRead = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();

    /** Does it say nothing of itself? */
    volatile boolean away;

    private final HttpServer http;
    private final String url;

    public TestIssuer() throws IOException, JOSEException {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://localhost:" + http.getAddress().getPort();
        http.createContext("/.well-known/openid-configuration", this::discovery);
        http.createContext(
                "/keys",
                one -> {
                    keysRead.incrementAndGet();
                    answer(one, new JWKSet(key).toString());
                });
        http.start();
    }

    /** Its name. */
    public String url() {
        return url;
    }

    private void discovery(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        if (away) {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
            return;
        }
        answer(
                exchange,
                """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize",
                 "token_endpoint": "%1$s/token", "jwks_uri": "%1$s/keys",
                 "response_types_supported": ["code"], "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["RS256"]}
                """
                        .formatted(url));
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Claims of a program with these roles in {@code realm_access.roles}. */
    public JWTClaimsSet.Builder claims(String... roles) {
        return new JWTClaimsSet.Builder()
                .issuer(url)
                .audience(List.of("account", AUDIENCE))
                .subject("1234")
                .claim("preferred_username", "service-account-ci")
                .claim("realm_access", Map.of("roles", List.of(roles)))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)));
    }

    /** A token of its own. */
    public String token(JWTClaimsSet claims) throws JOSEException {
        return token(claims, "at+jwt", JWSAlgorithm.RS256, new RSASSASigner(key));
    }

    static String token(JWTClaimsSet claims, String type, JWSAlgorithm algorithm, JWSSigner signer)
            throws JOSEException {
        SignedJWT jwt =
                new SignedJWT(
                        new JWSHeader.Builder(algorithm)
                                .keyID("one")
                                .type(new JOSEObjectType(type))
                                .build(),
                        claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
