package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.CanonicalIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A PASSporT (RFC 8225): header and claims as they are signed. Immutable.
 *
 * @param header JOSE header, base64url
 * @param payload claims, base64url
 * @param claims the claims
 */
public record Passport(String header, String payload, Map<String, Object> claims) {
    static final String SHAKEN = "shaken";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** The one that a request stands for; {@code extra}: further claims. */
    static Passport of(
            String info,
            @Nullable String ppt,
            CanonicalIdentity orig,
            CanonicalIdentity dest,
            long issuedAtSeconds,
            List<Map<String, Object>> mediaKeys,
            Map<String, Object> extra) {
        Map<String, Object> claims = new TreeMap<>(extra);
        claims.put("orig", Map.of(orig.kind(), orig.value()));
        claims.put("dest", Map.of(dest.kind(), List.of(dest.value())));
        claims.put("iat", issuedAtSeconds);
        if (!mediaKeys.isEmpty()) {
            claims.put("mky", mediaKeys);
        }
        return new Passport(encoded(header(info, ppt)), encoded(claims), claims);
    }

    private static Map<String, Object> header(String info, @Nullable String ppt) {
        Map<String, Object> header = new TreeMap<>();
        header.put("alg", IdentityHeader.ES256);
        header.put("typ", "passport");
        header.put("x5u", info);
        if (ppt != null) {
            header.put("ppt", ppt);
        }
        return header;
    }

    /**
     * Out of a full form.
     *
     * @throws IllegalArgumentException when it is none, or its header says other things than the
     *     parameters of Identity
     */
    public static Passport read(String header, String payload, IdentityHeader identity) {
        Map<String, Object> jose = decoded(header);
        boolean same =
                "passport".equals(jose.get("typ"))
                        && IdentityHeader.ES256.equals(jose.get("alg"))
                        && identity.info().equals(jose.get("x5u"))
                        && java.util.Objects.equals(identity.ppt(), jose.get("ppt"));
        if (!same) {
            throw new IllegalArgumentException("header and parameters differ");
        }
        return new Passport(header, payload, decoded(payload));
    }

    private static String encoded(Map<String, Object> object) {
        return ENCODER.encodeToString(Json.write(object).getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> decoded(String text) {
        return Json.object(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
    }

    /** What is signed. */
    public byte[] signingInput() {
        return (header + '.' + payload).getBytes(StandardCharsets.US_ASCII);
    }

    /** Seconds since 1970; -1 without. RFC 8224 4.1.1 shows it as a text too. */
    public long issuedAtSeconds() {
        return switch (claims.get("iat")) {
            case Long seconds -> seconds;
            case String text when text.length() < 13 && text.chars().allMatch(Character::isDigit) ->
                    Long.parseLong(text);
            case null, default -> -1;
        };
    }

    /** Is that who it says the request is from? Numbers and URIs never equal. */
    boolean isFrom(@Nullable CanonicalIdentity identity) {
        return identity != null
                && claims.get("orig") instanceof Map<?, ?> orig
                && orig.size() == 1
                && identity.value().equals(orig.get(identity.kind()));
    }

    boolean isTo(@Nullable CanonicalIdentity identity) {
        return identity != null
                && claims.get("dest") instanceof Map<?, ?> dest
                && dest.get(identity.kind()) instanceof List<?> all
                && all.contains(identity.value());
    }

    /** A claim that is a text; null when it is none or not there. */
    public @Nullable String text(String claim) {
        return claims.get(claim) instanceof String text ? text : null;
    }
}
