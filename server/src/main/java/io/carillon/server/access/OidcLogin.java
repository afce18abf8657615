package io.carillon.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.carillon.server.config.OidcSettings;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log-ins by OpenID Connect: the authorization code flow with PKCE (RFC 7636). Whoever comes back
 * has to bring what he was sent away with. Any thread; blocks for the issuer, few at a time.
 */
public final class OidcLogin {
    private static final Logger LOG = LoggerFactory.getLogger(OidcLogin.class);
    private static final int MILLIS = 5_000;
    private static final int LARGEST = 256 << 10;
    private static final int MOST_AWAY = 256;

    /** Of one source: whoever sends more away pushes out his own. */
    private static final int MOST_OF_ONE = 32;

    private static final int MOST_AT_A_TIME = 3;
    private static final long LONGEST_AWAY_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** While the issuer is away, what it said last counts for so long. */
    private static final long BELIEVED_NANOS = TimeUnit.HOURS.toNanos(1);

    /** An issuer that could not be asked is asked again after so long. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PATIENCE_MILLIS = 500;
    private static final int LONGEST_NAME = 200;
    static final List<JWSAlgorithm> ALGORITHMS =
            List.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256, JWSAlgorithm.PS256);

    private final OidcSettings settings;
    private final LongSupplier nanos;
    private final Semaphore free = new Semaphore(MOST_AT_A_TIME);
    private final OidcTokens tokens;

    /** Those who were sent to the issuer, by their state; guarded by itself. */
    private final Map<String, Away> away =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Away> eldest) {
                    return size() > MOST_AWAY;
                }
            };

    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Metadata known;
    private volatile @Nullable Absence absent;

    private record Metadata(OIDCProviderMetadata says, long atNanos) {}

    /** It could not be asked, at that time. */
    private record Absence(String why, long atNanos) {}

    private record Away(CodeVerifier verifier, Nonce nonce, long sinceNanos, String source) {}

    /**
     * Somebody who came back.
     *
     * @param name at the issuer
     * @param roles here
     */
    public record Person(String name, Set<Role> roles) {}

    /** He is not let in; the message is a sentence for the user. */
    public static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean issuer;

        Failure(boolean issuer, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.issuer = issuer;
        }

        /** Is it the issuer that cannot be asked? */
        public boolean ofIssuer() {
            return issuer;
        }
    }

    public OidcLogin(OidcSettings settings, LongSupplier nanos) {
        this.settings = settings;
        this.nanos = nanos;
        this.tokens = new OidcTokens(settings, this, nanos);
    }

    /**
     * Who brings an access token of the issuer's.
     *
     * @param text of the token
     * @param again is it looked at again what was looked at a while ago? Else it counts to its end
     * @return null for what is no such token, or where none count (admin.oidc.audience)
     */
    public @Nullable Caller bearer(String text, boolean again) throws Failure {
        Person person = tokens.find(text, again);
        return person == null
                ? null
                : new Caller(person.name(), person.roles(), "oidc-token", null, null);
    }

    /** Is an issuer named? */
    public boolean on() {
        return settings.issuer() != null;
    }

    /**
     * Sends somebody to the issuer.
     *
     * @param state random, by which he is known when he comes back
     * @param source where he comes from
     */
    public URI begin(String state, String source) throws Failure {
        OIDCProviderMetadata issuer = issuer();
        Away one = new Away(new CodeVerifier(), new Nonce(), nanos.getAsLong(), source);
        synchronized (away) {
            makeRoom(source);
            away.put(state, one);
        }
        return new AuthenticationRequest.Builder(
                        new ResponseType(ResponseType.Value.CODE),
                        new Scope("openid", "profile"),
                        new ClientID(String.valueOf(settings.clientId())),
                        redirect())
                .endpointURI(issuer.getAuthorizationEndpointURI())
                .state(new State(state))
                .nonce(one.nonce())
                .codeChallenge(one.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    /** Guarded by {@link #away}. */
    private void makeRoom(String source) {
        String eldest = null;
        int own = 0;
        for (Map.Entry<String, Away> each : away.entrySet()) {
            if (each.getValue().source().equals(source)) {
                eldest = own++ == 0 ? each.getKey() : eldest;
            }
        }
        if (eldest != null && own >= MOST_OF_ONE) {
            away.remove(eldest);
        }
    }

    private URI redirect() {
        String url = String.valueOf(settings.url());
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return URI.create(base + "/api/v1/oidc/callback");
    }

    /** Lets somebody in who comes back. */
    public Person finish(String state, String code) throws Failure {
        Away one;
        synchronized (away) {
            one = away.remove(state);
        }
        if (one == null || nanos.getAsLong() - one.sinceNanos() > LONGEST_AWAY_NANOS) {
            throw new Failure(false, "nobody was sent to the issuer with this; begin again", null);
        }
        if (!free.tryAcquire()) {
            throw new Failure(true, "too many log in", null);
        }
        try {
            IDTokenClaimsSet claims = claims(issuer(), one, code);
            return person(
                    claims.getClaim("preferred_username"),
                    claims.getSubject().getValue(),
                    claims.toJSONObject());
        } finally {
            free.release();
        }
    }

    /**
     * What the issuer says of itself. One thread at a time asks it, every ten minutes; the others,
     * and all while it is away, have what it said before, for an hour. Who cannot be told in half a
     * second is refused: an issuer that hangs must not hold all threads of the administration.
     */
    OIDCProviderMetadata issuer() throws Failure {
        Metadata before = known;
        if (before != null && nanos.getAsLong() - before.atNanos() < KNOWN_NANOS) {
            return before.says();
        }
        String issuer = settings.issuer();
        if (issuer == null) {
            throw new Failure(false, "no issuer is named (admin.oidc.issuer)", null);
        }
        if (before != null && nanos.getAsLong() - before.atNanos() >= BELIEVED_NANOS) {
            before = null;
        }
        try {
            if (!isAbsent()
                    && asking.tryLock(
                            before == null ? PATIENCE_MILLIS : 0, TimeUnit.MILLISECONDS)) {
                try {
                    return asked(issuer);
                } finally {
                    asking.unlock();
                }
            }
        } catch (GeneralException | IOException e) {
            String why = issuer + " cannot be asked: " + e.getMessage();
            absent = new Absence(why, nanos.getAsLong());
            LOG.debug("{}", why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (before != null) {
            return before.says();
        }
        Absence last = absent;
        throw new Failure(true, last == null ? issuer + " is being asked" : last.why(), null);
    }

    /** A moment ago it could not be asked. */
    private boolean isAbsent() {
        Absence last = absent;
        return last != null && nanos.getAsLong() - last.atNanos() < AGAIN_NANOS;
    }

    private OIDCProviderMetadata asked(String issuer) throws GeneralException, IOException {
        Metadata present = known;
        if (present != null && nanos.getAsLong() - present.atNanos() < KNOWN_NANOS) {
            return present.says(); // by who had the lock before
        }
        OIDCProviderMetadata read =
                OIDCProviderMetadata.resolve(new Issuer(issuer), MILLIS, MILLIS);
        known = new Metadata(read, nanos.getAsLong());
        absent = null;
        return read;
    }

    private IDTokenClaimsSet claims(OIDCProviderMetadata issuer, Away one, String code)
            throws Failure {
        ClientID client = new ClientID(String.valueOf(settings.clientId()));
        try {
            io.carillon.server.config.Secret secret = settings.clientSecret();
            TokenRequest request =
                    new TokenRequest.Builder(
                                    issuer.getTokenEndpointURI(),
                                    new ClientSecretBasic(
                                            client,
                                            new Secret(secret == null ? "" : secret.value())),
                                    new AuthorizationCodeGrant(
                                            new AuthorizationCode(code),
                                            redirect(),
                                            one.verifier()))
                            .build();
            HTTPRequest http = request.toHTTPRequest();
            http.setConnectTimeout(MILLIS);
            http.setReadTimeout(MILLIS);
            TokenResponse response = OIDCTokenResponseParser.parse(http.send());
            if (!response.indicatesSuccess()
                    || !(response.toSuccessResponse() instanceof OIDCTokenResponse tokens)) {
                throw new Failure(false, "the issuer gives no token for this code", null);
            }
            JWT token = tokens.getOIDCTokens().getIDToken();
            IDTokenValidator validator =
                    new IDTokenValidator(
                            issuer.getIssuer(),
                            client,
                            new JWSVerificationKeySelector<>(
                                    Set.copyOf(algorithms(issuer)),
                                    JWKSourceBuilder.<SecurityContext>create(
                                                    issuer.getJWKSetURI().toURL(),
                                                    new DefaultResourceRetriever(
                                                            MILLIS, MILLIS, LARGEST))
                                            .refreshAheadCache(false)
                                            .cache(false)
                                            .rateLimited(false)
                                            .build()),
                            null);
            return validator.validate(token, one.nonce());
        } catch (IOException e) {
            throw new Failure(true, "the issuer cannot be asked: " + e.getMessage(), e);
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw new Failure(false, "the issuer's answer does not count: " + e.getMessage(), e);
        }
    }

    /**
     * By which the issuer may have signed: those of ours that it offers. An issuer that offers
     * several signs by the one that is set for this client.
     */
    private static List<JWSAlgorithm> algorithms(OIDCProviderMetadata issuer) throws Failure {
        List<JWSAlgorithm> offered = issuer.getIDTokenJWSAlgs();
        List<JWSAlgorithm> ours =
                ALGORITHMS.stream()
                        .filter(one -> offered == null || offered.contains(one))
                        .toList();
        if (ours.isEmpty()) {
            throw new Failure(false, "the issuer signs by no algorithm of " + ALGORITHMS, null);
        }
        return ours;
    }

    /**
     * Somebody with a role here.
     *
     * @param preferred name; anything else than a word counts as none
     * @param subject that the issuer knows him by
     * @param claims all of them
     */
    Person person(@Nullable Object preferred, String subject, Map<String, Object> claims)
            throws Failure {
        String name =
                preferred instanceof String text && !text.isBlank() && text.length() <= LONGEST_NAME
                        ? text
                        : subject;
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String group : groups(claim(claims, settings.rolesClaim()))) {
            String role = settings.roles().get(group);
            if (role != null) {
                roles.add(Role.of(role));
            }
        }
        if (roles.isEmpty()) {
            throw new Failure(
                    false,
                    name
                            + " has no group with a role here (claim "
                            + settings.rolesClaim()
                            + ", admin.oidc.roles)",
                    null);
        }
        return new Person(name, roles);
    }

    /** A claim of that name; else what its dots lead to, as realm_access.roles. */
    private static @Nullable Object claim(Map<String, Object> claims, String name) {
        Object whole = claims.get(name);
        if (whole != null) {
            return whole;
        }
        Object at = claims;
        for (String part : name.split("\\.", -1)) {
            at = at instanceof Map<?, ?> object ? object.get(part) : null;
        }
        return at;
    }

    private static List<String> groups(@Nullable Object claim) {
        if (claim instanceof String one) {
            return List.of(one);
        }
        return claim instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of();
    }
}
