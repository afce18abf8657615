package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.CanonicalIdentity;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Verifies plain and SHAKEN PASSporTs signed with ES256, full and compact, by the JDK's
 * cryptography (RFC 8224 section 6.2). Any thread.
 */
@SuppressWarnings("JavaUtilDate") // what certificates have
public final class Es256Verifier implements IdentityVerifier {
    private static final int MAX_HEADERS = 4;
    private static final int SIGNATURE_BYTES = 64;
    private static final int P256_BITS = 256;
    private static final int SAN_DNS = 2;
    private static final int SAN_URI = 6;

    private static final IdentityResult ABSENT = IdentityResult.failed(428, "Use Identity Header");
    private static final IdentityResult UNSUPPORTED_PPT =
            IdentityResult.failed(428, "Use Supported PASSporT Format");
    private static final IdentityResult STALE = IdentityResult.failed(403, "Stale Date");
    private static final IdentityResult BAD_INFO = IdentityResult.failed(436, "Bad Identity Info");
    private static final IdentityResult UNSUPPORTED =
            IdentityResult.failed(437, "Unsupported Credential");
    private static final IdentityResult INVALID =
            IdentityResult.failed(438, "Invalid Identity Header");
    private static final IdentityResult INVALID_PASSPORT =
            IdentityResult.failed(438, "Invalid PASSporT");

    private static final IdentityResult REPLAYED = IdentityResult.failed(438, "Replayed PASSporT");

    private final CredentialSource credentials;
    private final long freshSeconds;
    private final AddressRanges trusted;
    private final @Nullable SeenPassports seen;

    /**
     * @param freshSeconds how far Date, or iat, may be from now
     * @param remembered most PASSporTs that are remembered, so that each is good for one call; 0:
     *     none, each is good for every call while it is fresh
     * @param trusted peers of the trust domain: their P-Asserted-Identity may name the caller; of
     *     all others From does
     */
    public Es256Verifier(
            CredentialSource credentials,
            long freshSeconds,
            int remembered,
            AddressRanges trusted) {
        this.credentials = credentials;
        this.trusted = trusted;
        this.freshSeconds = freshSeconds;
        this.seen = remembered == 0 ? null : new SeenPassports(remembered);
    }

    /** What is the same for all headers of a request. */
    private record Asked(String callId, @Nullable InetAddress source, long nowMillis) {}

    /** What is left to do for one header once its certificate is there. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Candidate(
            Passport passport, byte[] signature, URI info, CanonicalIdentity identity) {}

    @Override
    public CompletionStage<IdentityResult> verify(SipRequest request, long nowMillis) {
        return verify(request, new Asked(request.callId(), null, nowMillis));
    }

    @Override
    public CompletionStage<IdentityResult> verify(
            SipRequest request, InetAddress source, long nowMillis) {
        return verify(request, new Asked(request.callId(), source, nowMillis));
    }

    private CompletionStage<IdentityResult> verify(SipRequest request, Asked asked) {
        List<String> headers = request.headers(HeaderName.IDENTITY);
        if (headers.isEmpty()) {
            return CompletableFuture.completedFuture(ABSENT);
        }
        SignedParts parts = SignedParts.of(request);
        InetAddress source = asked.source();
        if (source == null || !trusted.contains(source)) {
            // RFC 3325 5: of "a node that it does not trust" P-Asserted-Identity counts for
            // nothing. Everybody could sign for himself there, and write another into From.
            parts = parts.withoutAsserted();
        }
        List<Candidate> candidates = new ArrayList<>();
        IdentityResult worst = UNSUPPORTED_PPT;
        for (String header : headers.subList(0, Math.min(MAX_HEADERS, headers.size()))) {
            Object outcome = examine(header, parts, asked.nowMillis() / 1000);
            if (outcome instanceof Candidate candidate) {
                candidates.add(candidate);
            } else if (outcome instanceof IdentityResult failure) {
                worst = worse(worst, failure);
            }
        }
        return next(candidates, 0, worst, asked);
    }

    /**
     * RFC 8224 6.2.1: "only if a verifier determines that all Identity header fields within a
     * message are invalid should the request be considered to have an invalid identity."
     */
    private CompletionStage<IdentityResult> next(
            List<Candidate> candidates, int index, IdentityResult worst, Asked asked) {
        if (index == candidates.size()) {
            return CompletableFuture.completedFuture(worst);
        }
        Candidate candidate = candidates.get(index);
        InetAddress source = asked.source();
        return (source == null
                        ? credentials.find(candidate.info())
                        : credentials.find(candidate.info(), source))
                .handle((credential, failure) ->
                        failure != null || credential == null
                                ? unavailable(failure)
                                : judge(candidate, credential, asked))
                .thenCompose(result ->
                        result.valid()
                                ? CompletableFuture.completedFuture(result)
                                : next(candidates, index + 1, worse(worst, result), asked));
    }

    private static IdentityResult unavailable(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof CredentialFailure known && known.status() == 437
                ? UNSUPPORTED
                : BAD_INFO;
    }

    /** Of several failures the one that says most: 438, 437, 436, 403, 428. */
    private static IdentityResult worse(IdentityResult one, IdentityResult other) {
        int a = one.status() == 403 ? 430 : one.status();
        int b = other.status() == 403 ? 430 : other.status();
        return b > a ? other : one;
    }

    @Override
    public void copied(List<String> identities, String callId) {
        SeenPassports memory = seen;
        for (int i = 0; memory != null && i < Math.min(MAX_HEADERS, identities.size()); i++) {
            byte[] signature = signature(identities.get(i));
            if (signature.length == SIGNATURE_BYTES) {
                memory.copied(signature, callId);
            }
        }
    }

    /** Of a value of Identity; empty where it has none. */
    private static byte[] signature(String identity) {
        int end = identity.indexOf(';');
        String token = (end < 0 ? identity : identity.substring(0, end)).strip();
        try {
            return Base64.getUrlDecoder().decode(token.substring(token.lastIndexOf('.') + 1));
        } catch (IllegalArgumentException e) {
            return new byte[0]; // it was not valid here
        }
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = new TreeMap<>(credentials.counters());
        SeenPassports memory = seen;
        all.put("passports_replayed", memory == null ? 0 : memory.replayed());
        all.put("remembered_passports_forgotten", memory == null ? 0 : memory.forgotten());
        return all;
    }

    // ---- without the certificate ----

    private Object examine(String text, SignedParts parts, long now) {
        IdentityHeader header;
        try {
            header = IdentityHeader.parse(text);
        } catch (IllegalArgumentException e) {
            return INVALID;
        }
        String ppt = header.ppt();
        // Step 1: with a ppt that we do not support "it MUST ignore the Identity header field".
        if (ppt != null && !ppt.equals(Passport.SHAKEN)) {
            return UNSUPPORTED_PPT;
        }
        if (!header.alg().equals(IdentityHeader.ES256)) {
            return UNSUPPORTED;
        }
        URI info = place(header.info());
        return info == null ? BAD_INFO : examine(header, info, parts, now);
    }

    private Object examine(IdentityHeader header, URI info, SignedParts parts, long now) {
        String[] token = header.token().split("\\.", -1);
        if (token.length != 3) {
            return INVALID;
        }
        boolean compact = token[0].isEmpty() && token[1].isEmpty();
        if (compact && header.ppt() != null) {
            return INVALID_PASSPORT; // RFC 8225 8.1: SHAKEN has claims that nobody can reconstruct
        }
        try {
            Passport passport =
                    compact
                            ? reconstructed(header, parts)
                            : Passport.read(token[0], token[1], header);
            byte[] signature = Base64.getUrlDecoder().decode(token[2]);
            if (passport == null || signature.length != SIGNATURE_BYTES) {
                return INVALID;
            }
            return claims(header, passport, signature, info, parts, now);
        } catch (IllegalArgumentException e) {
            return INVALID_PASSPORT;
        }
    }

    /** RFC 8225 7: header and claims out of the request. */
    private static @Nullable Passport reconstructed(IdentityHeader header, SignedParts parts) {
        CanonicalIdentity from = parts.from();
        CanonicalIdentity to = parts.to();
        return from == null || to == null || parts.dateSeconds() < 0
                ? null
                : Passport.of(
                        header.info(),
                        null,
                        from,
                        to,
                        parts.dateSeconds(),
                        parts.mediaKeys(),
                        Map.of());
    }

    private Object claims(
            IdentityHeader header,
            Passport passport,
            byte[] signature,
            URI info,
            SignedParts parts,
            long now) {
        // 6.2.4: "the originating identity of the call is always derived from the SIP signaling".
        boolean byFrom = passport.isFrom(parts.from());
        CanonicalIdentity identity =
                byFrom ? parts.from() : passport.isFrom(parts.asserted()) ? parts.asserted() : null;
        if (identity == null || !passport.isTo(parts.to())) {
            return INVALID;
        }
        if (passport.claims().containsKey("mky")
                && !Json.write(passport.claims().get("mky"))
                        .equals(Json.write(parts.mediaKeys()))) {
            return INVALID;
        }
        if (header.ppt() != null && !shaken(passport)) {
            return INVALID_PASSPORT;
        }
        // Step 4. Of the full form iat counts, of the compact one Date, which stands for it.
        if (Math.abs(now - passport.issuedAtSeconds()) > freshSeconds) {
            return STALE;
        }
        return new Candidate(passport, signature, info, identity);
    }

    /** RFC 8588 4 and 5: both claims are there, and attest is A, B or C. */
    private static boolean shaken(Passport passport) {
        String attest = passport.text("attest");
        return attest != null
                && attest.length() == 1
                && "ABC".contains(attest)
                && passport.text("origid") != null;
    }

    private static @Nullable URI place(String info) {
        try {
            URI uri = new URI(info);
            return "https".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null ? uri : null;
        } catch (URISyntaxException e) {
            return null; // 436 says so
        }
    }

    // ---- with it ----

    private IdentityResult judge(Candidate candidate, Credential credential, Asked asked) {
        X509Certificate certificate = credential.certificate();
        Date now = new Date(asked.nowMillis());
        boolean supported =
                certificate.getPublicKey() instanceof ECPublicKey key
                        && key.getParams().getOrder().bitLength() == P256_BITS
                        && !now.before(certificate.getNotBefore())
                        && !now.after(certificate.getNotAfter());
        if (!supported) {
            return UNSUPPORTED;
        }
        Passport passport = candidate.passport();
        if (!authority(credential, candidate.identity())
                || !signed(certificate, passport.signingInput(), candidate.signature())) {
            return INVALID;
        }
        SeenPassports memory = seen;
        long staleAfter = (passport.issuedAtSeconds() + freshSeconds + 1) * 1000;
        if (memory != null
                && !memory.take(
                        candidate.signature(), asked.callId(), staleAfter, asked.nowMillis())) {
            return REPLAYED;
        }
        return new IdentityResult(
                200,
                "OK",
                candidate.identity().value(),
                passport.text("attest"),
                passport.text("origid"));
    }

    private static boolean signed(X509Certificate certificate, byte[] input, byte[] signature) {
        try {
            Signature check = Signature.getInstance("SHA256withECDSAinP1363Format");
            check.initVerify(certificate.getPublicKey());
            check.update(input);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // a signature that is none is wrong
        }
    }

    /**
     * May that certificate speak for it? Numbers by RFC 8226; domains by RFC 5922 7.2, with the
     * domain of the identity in the place of the server's name.
     */
    private static boolean authority(Credential credential, CanonicalIdentity identity) {
        if (identity.number()) {
            Boolean allowed = TnAuthList.allows(credential.certificate(), identity.value());
            return allowed == null ? credential.local() : allowed;
        }
        return names(credential.certificate(), identity.host());
    }

    private static boolean names(X509Certificate certificate, String domain) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names == null) {
                return false;
            }
            for (List<?> name : names) {
                String text = String.valueOf(name.get(1)).toLowerCase(Locale.ROOT);
                boolean uri = name.get(0).equals(SAN_URI) && text.equals("sip:" + domain);
                if (uri || (name.get(0).equals(SAN_DNS) && text.equals(domain))) {
                    return true;
                }
            }
            return false;
        } catch (GeneralSecurityException e) {
            return false; // names that cannot be read are none
        }
    }
}
