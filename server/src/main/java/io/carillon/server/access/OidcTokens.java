package io.carillon.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.carillon.server.config.OidcSettings;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens of the issuer that programs bring in place of ours: JWTs (RFC 9068) made for our
 * audience, signed with a key of the issuer's. What was looked at is believed for a minute, so a
 * client that asks often costs one signature each minute.
 *
 * <p>Any thread; blocks for the issuer's keys, few at a time.
 */
final class OidcTokens {
    private static final int MILLIS = 5_000;
    private static final int LARGEST = 256 << 10;
    private static final int MOST_KNOWN = 1_000;
    private static final int MOST_AT_A_TIME = 2;
    private static final long BELIEVED_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration SKEW = Duration.ofMinutes(1);
    private static final long KEYS_MILLIS = TimeUnit.MINUTES.toMillis(10);

    /** A key that nobody knows is asked for no more often. */
    private static final long KEYS_AGAIN_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** Of an issuer that is away the old keys count for so long. */
    private static final long KEYS_OF_ABSENT_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.copyOf(OidcLogin.ALGORITHMS);

    private final OidcSettings settings;
    private final OidcLogin issuer;
    private final LongSupplier nanos;
    private final int mostKnown;
    private final Semaphore free = new Semaphore(MOST_AT_A_TIME);

    /** By the hash of the token; guarded by itself. */
    private final Map<String, Known> known =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                    return size() > mostKnown;
                }
            };

    private @Nullable DefaultJWTProcessor<SecurityContext> processor;
    private String keysAt = "";

    private record Known(OidcLogin.Person person, long seenNanos, long endsNanos) {}

    OidcTokens(OidcSettings settings, OidcLogin issuer, LongSupplier nanos) {
        this(settings, issuer, nanos, MOST_KNOWN);
    }

    OidcTokens(OidcSettings settings, OidcLogin issuer, LongSupplier nanos, int mostKnown) {
        this.settings = settings;
        this.issuer = issuer;
        this.nanos = nanos;
        this.mostKnown = mostKnown;
    }

    /**
     * Whose token it is.
     *
     * @param again is it looked at again what was looked at a while ago? Else it counts to its end
     * @return null for what is no such token, or where none count
     * @throws OidcLogin.Failure for one that does not count, with a sentence
     */
    OidcLogin.@Nullable Person find(String text, boolean again) throws OidcLogin.Failure {
        String audience = settings.audience();
        if (audience == null) {
            return null;
        }
        SignedJWT token;
        String from;
        Date ended;
        try {
            token = SignedJWT.parse(text);
            from = token.getJWTClaimsSet().getIssuer();
            ended = token.getJWTClaimsSet().getExpirationTime();
        } catch (ParseException e) {
            return null;
        }
        String hash = hash(text);
        long now = nanos.getAsLong();
        Known before;
        synchronized (known) {
            before = known.get(hash);
        }
        if (before != null
                && now - before.endsNanos() < 0
                && (!again || now - before.seenNanos() < BELIEVED_NANOS)) {
            return before.person();
        }
        if (!String.valueOf(settings.issuer()).equals(from)) {
            throw new OidcLogin.Failure(false, "the token is of another issuer", null);
        }
        if (ended != null && ended.toInstant().plus(SKEW).isBefore(Instant.now())) {
            // Nobody need be asked, who may be away.
            throw new OidcLogin.Failure(false, "the token does not count: Expired JWT", null);
        }
        if (!free.tryAcquire()) {
            throw new OidcLogin.Failure(true, "too many tokens are looked at", null);
        }
        try {
            JWTClaimsSet claims = claims(token, audience);
            OidcLogin.Person person =
                    issuer.person(
                            claims.getClaim("preferred_username"),
                            claims.getSubject(),
                            claims.getClaims());
            Instant ends = claims.getExpirationTime().toInstant();
            long left = Duration.between(Instant.now(), ends).toNanos();
            Known seen = new Known(person, now, now + left);
            synchronized (known) {
                known.remove(hash);
                known.put(hash, seen);
            }
            return person;
        } finally {
            free.release();
        }
    }

    /** How many are remembered now. */
    int remembered() {
        synchronized (known) {
            return known.size();
        }
    }

    private JWTClaimsSet claims(SignedJWT token, String audience) throws OidcLogin.Failure {
        try {
            return processor(issuer.issuer(), audience).process(token, null);
        } catch (RateLimitReachedException e) {
            throw new OidcLogin.Failure(
                    false, "the token is signed with a key that the issuer does not show", e);
        } catch (BadJOSEException e) {
            throw new OidcLogin.Failure(false, "the token does not count: " + e.getMessage(), e);
        } catch (JOSEException | MalformedURLException e) {
            throw new OidcLogin.Failure(
                    true, "the issuer's keys cannot be read: " + e.getMessage(), e);
        }
    }

    private synchronized DefaultJWTProcessor<SecurityContext> processor(
            OIDCProviderMetadata of, String audience) throws MalformedURLException {
        DefaultJWTProcessor<SecurityContext> present = processor;
        String keys = of.getJWKSetURI().toString();
        if (present != null && keysAt.equals(keys)) {
            return present;
        }
        DefaultJWTProcessor<SecurityContext> made = new DefaultJWTProcessor<>();
        made.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(types()));
        made.setJWSKeySelector(
                new JWSVerificationKeySelector<>(
                        ALGORITHMS,
                        JWKSourceBuilder.<SecurityContext>create(
                                        of.getJWKSetURI().toURL(),
                                        new DefaultResourceRetriever(MILLIS, MILLIS, LARGEST))
                                .cache(KEYS_MILLIS, MILLIS)
                                .refreshAheadCache(false)
                                .rateLimited(KEYS_AGAIN_MILLIS)
                                .outageTolerant(KEYS_OF_ABSENT_MILLIS)
                                .build()));
        made.setJWTClaimsSetVerifier(
                new DefaultJWTClaimsVerifier<>(
                        audience,
                        new JWTClaimsSet.Builder().issuer(of.getIssuer().getValue()).build(),
                        Set.of("sub", "exp")));
        processor = made;
        keysAt = keys;
        return made;
    }

    /**
     * RFC 9068 2.1: "application/at+jwt" or "at+jwt". Issuers from before it write JWT, or nothing.
     */
    private static Set<@Nullable JOSEObjectType> types() {
        Set<@Nullable JOSEObjectType> types = new HashSet<>();
        types.add(new JOSEObjectType("at+jwt"));
        types.add(new JOSEObjectType("application/at+jwt"));
        types.add(JOSEObjectType.JWT);
        types.add(null);
        return types;
    }

    private static String hash(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
