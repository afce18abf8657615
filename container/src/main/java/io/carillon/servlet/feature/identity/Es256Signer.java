package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.CanonicalIdentity;
import io.carillon.servlet.port.Originator;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Signs with ECDSA on P-256 (RFC 8225 section 4.2), by the JDK's cryptography. Any thread.
 *
 * @param key of the certificate at {@code info}
 * @param info https URL of the certificate, as verifiers fetch it
 * @param numbers prefixes of the telephone numbers that are ours, digits; an empty prefix: all
 * @param domains ours, lower case
 * @param full whether the full form is written; SHAKEN always is
 * @param attest A, B or C for SHAKEN: the most that is attested; null for the plain PASSporT
 * @param origid of SHAKEN: names this server to who traces a call back
 */
public record Es256Signer(
        PrivateKey key,
        String info,
        List<String> numbers,
        List<String> domains,
        boolean full,
        @Nullable String attest,
        @Nullable String origid)
        implements IdentitySigner {
    private static final long FRESH_SECONDS = 60;

    private static final String FULL = "A";
    private static final String PARTIAL = "B";
    private static final String GATEWAY = "C";

    public Es256Signer {
        numbers = List.copyOf(numbers);
        domains = domains.stream().map(d -> d.toLowerCase(Locale.ROOT)).toList();
        if (!info.startsWith("https://") || info.indexOf('>') >= 0 || info.indexOf(' ') >= 0) {
            throw new IllegalArgumentException(
                    "the certificate of signatures is at an https URL, not '" + info + "'");
        }
        if (!key.getAlgorithm().equals("EC")) {
            throw new IllegalArgumentException(
                    "signatures need a key of the curve P-256, not one of " + key.getAlgorithm());
        }
    }

    @Override
    public @Nullable String sign(SipRequest request, long nowMillis, Originator originator) {
        SignedParts parts = SignedParts.of(request);
        // ATIS-1000074: SHAKEN vouches for P-Asserted-Identity where there is one; RFC 8224 for
        // From.
        CanonicalIdentity orig =
                attest != null && parts.asserted() != null ? parts.asserted() : parts.from();
        CanonicalIdentity dest = parts.to();
        // RFC 8224 6.1 step 3: "MUST NOT generate a PASSporT ... if the Date header is outside of
        // its local policy for freshness".
        boolean fresh = Math.abs(nowMillis / 1000 - parts.dateSeconds()) <= FRESH_SECONDS;
        if (orig == null || dest == null || !fresh || !ours(orig)) {
            return null;
        }
        String earned = earned(originator, orig);
        if (attest == null && !earned.equals(FULL)) {
            return null;
        }
        Map<String, Object> extra = new TreeMap<>();
        String level = attest == null || attest.compareTo(earned) > 0 ? attest : earned;
        if (level != null) {
            extra.put("attest", level);
            extra.put("origid", origid == null ? UUID.randomUUID().toString() : origid);
        }
        String ppt = level == null ? null : Passport.SHAKEN;
        Passport passport =
                Passport.of(
                        info,
                        ppt,
                        orig,
                        dest,
                        parts.dateSeconds(),
                        level == null ? parts.mediaKeys() : List.of(),
                        extra);
        String signature = signature(passport.signingInput());
        String token =
                full || level != null
                        ? passport.header() + '.' + passport.payload() + '.' + signature
                        : ".." + signature;
        return new IdentityHeader(token, info, IdentityHeader.ES256, ppt).toString();
    }

    /**
     * ATIS-1000074 5.2.3 (RFC 8588 4): A when the customer is known and has "a verified association
     * with the telephone number", B without that, C for a call of somebody else. RFC 8224 6.1 step
     * 2: an authentication service signs for an identity that its user may claim; so the plain
     * PASSporT is for the first alone.
     */
    private String earned(Originator originator, CanonicalIdentity orig) {
        return switch (originator.standing()) {
            case APPLICATION, TRUSTED -> FULL;
            case USER ->
                    isOf(originator.user(), orig)
                                    || originator.written(
                                            orig, claim -> isName(originator.user(), claim))
                            ? FULL
                            : PARTIAL;
            case UNKNOWN -> GATEWAY;
        };
    }

    /**
     * Is it what a user of that name is called by: his name as a number, or at a domain of ours?
     */
    private boolean isOf(@Nullable String user, CanonicalIdentity orig) {
        if (user == null) {
            return false;
        }
        int at = user.indexOf('@');
        String name = at < 0 ? user : user.substring(0, at);
        List<String> hosts = at < 0 ? domains : List.of(user.substring(at + 1));
        if (orig.number()) {
            // Of a user elsewhere the number is not ours to know.
            return (at < 0 || domains.contains(hosts.getFirst().toLowerCase(Locale.ROOT)))
                    && orig.equals(CanonicalIdentity.of(numberOf(name)));
        }
        return hosts.stream()
                .anyMatch(host -> orig.equals(CanonicalIdentity.of(SipUri.of(name, host, -1))));
    }

    /** Does that claim say no more than his name, which he has proved? */
    private boolean isName(@Nullable String user, CanonicalIdentity claim) {
        int at = user == null ? -1 : user.indexOf('@');
        if (user == null || at < 0) {
            return user != null && claim.isUser(user);
        }
        return domains.contains(user.substring(at + 1).toLowerCase(Locale.ROOT))
                && claim.isUser(user.substring(0, at));
    }

    private static SipUri numberOf(String name) {
        return SipUri.of(name, "localhost", -1).withParam("user", "phone");
    }

    private boolean ours(CanonicalIdentity identity) {
        if (!identity.number()) {
            return domains.contains(identity.host());
        }
        for (String prefix : numbers) {
            if (identity.value().startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private String signature(byte[] input) {
        try {
            // RFC 7518 3.4: R and S one after the other, 32 octets each.
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(key);
            signature.update(input);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of signatures cannot sign", e);
        }
    }
}
