package io.carillon.sip.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.carillon.sip.header.AuthHeader;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one realm: makes challenges and judges credentials. Thread safe.
 *
 * <p>RFC 8760 section 2.3: the challenges of one realm differ in their algorithm and stand in the
 * order of preference.
 */
public final class DigestServer {
    /** What credentials are worth. */
    public enum Verdict {
        ACCEPTED,
        /** The secret is known, but the nonce is old, foreign or its count was used. */
        STALE,
        REFUSED
    }

    /** What can be said of credentials before anybody is asked for the user. */
    public enum Standing {
        /** They answer a challenge of ours, in time and for the first time. */
        DUE,
        /** Their nonce is old or foreign, or its count was used. */
        STALE,
        /** They answer what was not asked. */
        REFUSED
    }

    private final String realm;
    private final List<DigestAlgorithm> algorithms;
    private final boolean integrity;
    private final int nonceSeconds;
    private final Nonces nonces;
    private final NonceCounts counts;
    private final String decoy;

    /**
     * @param algorithms offered, most preferred first; each once
     * @param integrity whether auth-int is offered beside auth
     * @param nonceSeconds life of a nonce
     */
    public DigestServer(
            String realm,
            List<DigestAlgorithm> algorithms,
            boolean integrity,
            int nonceSeconds,
            Nonces nonces,
            NonceCounts counts) {
        if (algorithms.isEmpty() || algorithms.stream().distinct().count() != algorithms.size()) {
            throw new IllegalArgumentException("algorithms: at least one, each once");
        }
        this.realm = realm;
        this.algorithms = List.copyOf(algorithms);
        this.integrity = integrity;
        this.nonceSeconds = nonceSeconds;
        this.nonces = nonces;
        this.counts = counts;
        this.decoy = nonces.issue(realm, 0);
    }

    public String realm() {
        return realm;
    }

    public List<DigestAlgorithm> algorithms() {
        return algorithms;
    }

    /** As {@link #challenges(boolean, long, byte[])}, for whoever. */
    public List<AuthHeader> challenges(boolean stale, long nowMillis) {
        return challenges(stale, nowMillis, null);
    }

    /**
     * WWW-Authenticate or Proxy-Authenticate values, to be sent in this order.
     *
     * @param to address that they are sent to, for {@link #answersOurs}; null: not asked
     */
    public List<AuthHeader> challenges(boolean stale, long nowMillis, byte @Nullable [] to) {
        String nonce = nonces.issue(realm, nowMillis, to == null ? 0 : nonces.origin(to));
        List<AuthHeader> challenges = new ArrayList<>(algorithms.size());
        for (DigestAlgorithm algorithm : algorithms) {
            // RFC 8760 2.6 item 8: "A UAS MUST always send a "qop" parameter".
            AuthHeader challenge =
                    AuthHeader.of("Digest")
                            .withQuoted("realm", realm)
                            .withQuoted("nonce", nonce)
                            .withQuoted("qop", integrity ? "auth,auth-int" : "auth")
                            .withToken("algorithm", algorithm.token());
            challenges.add(stale ? challenge.withToken("stale", "true") : challenge);
        }
        return challenges;
    }

    /**
     * Looks at what needs no secret: a store of users is asked for none but {@link Standing#DUE},
     * so that invented credentials cost no query.
     *
     * @param from where they came from, where that may be forged: a challenge that was sent to
     *     another address is answered from there no more than an old one; null: not asked
     */
    public Standing look(DigestCredentials credentials, long nowMillis, byte @Nullable [] from) {
        if (!offered(credentials)) {
            return Standing.REFUSED;
        }
        Nonces.Nonce nonce = nonces.read(credentials.nonce(), realm);
        // RFC 7616 3.3: "The server SHOULD only set stale to true if it receives a request for
        // which the nonce is invalid."
        return nonce == null
                        || Nonces.expired(nonce, nowMillis, nonceSeconds)
                        || counts.used(nonce, credentials.nonceCount())
                        || (from != null && nonce.origin() != nonces.origin(from))
                ? Standing.STALE
                : Standing.DUE;
    }

    /** As {@link #look(DigestCredentials, long, byte[])}, from wherever. */
    public Standing look(DigestCredentials credentials, long nowMillis) {
        return look(credentials, nowMillis, null);
    }

    private boolean offered(DigestCredentials credentials) {
        return algorithms.contains(credentials.algorithm())
                && credentials.realm().equals(realm)
                && (integrity || credentials.qop() != Qop.AUTH_INT);
    }

    /**
     * Judges credentials. The work is the same for a user that does not exist.
     *
     * @param ha1 stored for this user, realm and the credentials' algorithm; null: no such user
     * @param body of the request, for auth-int
     */
    public Verdict judge(
            DigestCredentials credentials,
            @Nullable String ha1,
            String method,
            byte[] body,
            long nowMillis) {
        DigestAlgorithm algorithm = credentials.algorithm();
        String secret = ha1 == null ? algorithm.hash(decoy + credentials.username()) : ha1;
        String expected =
                algorithm.response(
                        secret,
                        credentials.nonce(),
                        credentials.qop(),
                        DigestCredentials.nc(credentials.nonceCount()),
                        credentials.cnonce(),
                        method,
                        credentials.uri(),
                        body);
        boolean equal =
                MessageDigest.isEqual(
                        expected.getBytes(US_ASCII),
                        credentials.response().toLowerCase(Locale.ROOT).getBytes(US_ASCII));
        Nonces.Nonce nonce = nonces.read(credentials.nonce(), realm);
        if (!equal || ha1 == null || !offered(credentials)) {
            return Verdict.REFUSED;
        }
        // RFC 7616 3.3, stale: "the previous request from the client was rejected because the nonce
        // value was stale."
        if (nonce == null
                || Nonces.expired(nonce, nowMillis, nonceSeconds)
                || !counts.use(nonce, credentials.nonceCount())) {
            return Verdict.STALE;
        }
        return Verdict.ACCEPTED;
    }

    /**
     * Do credentials answer a challenge that we sent to this address, in time? Then they come from
     * there: nobody else has seen the challenge, unless he sees that address's traffic.
     */
    public boolean answersOurs(DigestCredentials credentials, long nowMillis, byte[] from) {
        Nonces.Nonce nonce = nonces.read(credentials.nonce(), realm);
        return nonce != null
                && !Nonces.expired(nonce, nowMillis, nonceSeconds)
                && nonce.origin() == nonces.origin(from);
    }
}
