package io.carillon.servlet.feature.identity;

import io.carillon.servlet.port.CanonicalIdentity;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.SipDate;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.Uri;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of a request its PASSporT is about (RFC 8224 section 4.1). Immutable.
 *
 * @param from the identity in From; null when it has none
 * @param asserted that in P-Asserted-Identity; null without
 * @param to the identity in To; null when it has none
 * @param dateSeconds Date, in seconds since 1970; -1 without
 * @param mediaKeys fingerprints in the session description, as the mky claim has them
 */
record SignedParts(
        @Nullable CanonicalIdentity from,
        @Nullable CanonicalIdentity asserted,
        @Nullable CanonicalIdentity to,
        long dateSeconds,
        List<Map<String, Object>> mediaKeys) {
    private static final String FINGERPRINT = "a=fingerprint:";

    private static final HeaderName[] CLAIMS = {
        HeaderName.P_ASSERTED_IDENTITY,
        HeaderName.P_PREFERRED_IDENTITY,
        HeaderName.of("Remote-Party-ID")
    };

    static SignedParts of(SipRequest request) {
        return new SignedParts(
                CanonicalIdentity.of(request.from().uri()),
                asserted(request),
                CanonicalIdentity.of(request.to().uri()),
                date(request),
                mediaKeys(request));
    }

    /** The same, of somebody whose P-Asserted-Identity counts for nothing. */
    SignedParts withoutAsserted() {
        return asserted == null ? this : new SignedParts(from, null, to, dateSeconds, mediaKeys);
    }

    /** Whom its sender says, or wishes, that it is from, in whatever header. */
    static List<CanonicalIdentity> claimed(SipRequest request) {
        List<CanonicalIdentity> all = new ArrayList<>(2);
        add(all, request.from().uri());
        for (HeaderName name : CLAIMS) {
            for (String value : request.headers(name)) {
                try {
                    add(all, NameAddress.parse(value).uri());
                } catch (SipParseException e) {
                    break; // what cannot be read claims nothing
                }
            }
        }
        return List.copyOf(all);
    }

    private static void add(List<CanonicalIdentity> all, Uri uri) {
        CanonicalIdentity identity = CanonicalIdentity.of(uri);
        if (identity != null) {
            all.add(identity);
        }
    }

    private static @Nullable CanonicalIdentity asserted(SipRequest request) {
        for (String value : request.headers(HeaderName.P_ASSERTED_IDENTITY)) {
            try {
                CanonicalIdentity identity = CanonicalIdentity.of(NameAddress.parse(value).uri());
                if (identity != null) {
                    return identity;
                }
            } catch (SipParseException e) {
                return null; // what cannot be read asserts nothing
            }
        }
        return null;
    }

    private static long date(SipRequest request) {
        String date = request.header(HeaderName.DATE);
        if (date == null) {
            return -1;
        }
        try {
            return SipDate.parse(date).instant().getEpochSecond();
        } catch (SipParseException e) {
            return -1; // as good as none
        }
    }

    /** RFC 8225 5.2.2. */
    private static List<Map<String, Object>> mediaKeys(SipRequest request) {
        String type = request.header(HeaderName.CONTENT_TYPE);
        if (request.bodyLength() == 0
                || type == null
                || !type.toLowerCase(Locale.ROOT).startsWith("application/sdp")) {
            return List.of();
        }
        List<Map<String, Object>> keys = new ArrayList<>();
        for (String line : new String(request.body(), StandardCharsets.UTF_8).split("\r?\n", -1)) {
            int blank = line.indexOf(' ');
            if (line.startsWith(FINGERPRINT) && blank > 0) {
                Map<String, Object> key = new TreeMap<>();
                key.put(
                        "alg",
                        line.substring(FINGERPRINT.length(), blank).toLowerCase(Locale.ROOT));
                key.put(
                        "dig",
                        line.substring(blank + 1)
                                .strip()
                                .replace(":", "")
                                .toUpperCase(Locale.ROOT));
                if (!keys.contains(key)) {
                    keys.add(key);
                }
            }
        }
        keys.sort(Comparator.comparing(key -> "" + key.get("alg") + key.get("dig")));
        return keys;
    }
}
