package io.carillon.sip.privacy;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.UriHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Entries of History-Info (RFC 7044) and Diversion (RFC 5806), which somebody may not want to be
 * seen. Pure functions.
 */
final class DivertedEntries {
    private static final SipUri ANONYMOUS = SipUri.of("anonymous", "anonymous.invalid", -1);
    private static final String PRIVACY = "Privacy";

    private DivertedEntries() {}

    /**
     * The entries as they may be seen.
     *
     * @param header History-Info or Diversion
     * @param all whether all of them are hidden, or those alone that say so themselves
     */
    static List<String> hide(HeaderName header, List<String> entries, boolean all) {
        boolean history = header.equals(HeaderName.HISTORY_INFO);
        List<String> shown = new ArrayList<>(entries.size());
        for (String entry : entries) {
            NameAddress parsed;
            try {
                parsed = NameAddress.parse(entry);
            } catch (SipParseException e) {
                continue; // what cannot be read cannot be hidden in part
            }
            NameAddress seen = all ? anonymous(parsed) : history ? past(parsed) : diverted(parsed);
            shown.add(seen == null ? entry : seen.toString());
        }
        return shown;
    }

    private static NameAddress anonymous(NameAddress entry) {
        return entry.withDisplayName(null).withUri(ANONYMOUS);
    }

    /**
     * RFC 7044 10.1.2: the Privacy among the headers of the hi-targeted-to-uri is followed where it
     * is history. "In any case, the Privacy Service MUST remove the Privacy header field from the
     * "headers" component".
     *
     * @return null: as it is
     */
    private static @Nullable NameAddress past(NameAddress entry) {
        if (!(entry.uri() instanceof SipUri uri) || !uri.hasHeaders()) {
            return null;
        }
        String asked = uri.uriHeader(PRIVACY);
        if (asked == null) {
            return null;
        }
        if (PrivacyValues.of(List.of(asked)).has(PrivacyValues.HISTORY)) {
            return anonymous(entry);
        }
        SipUri without = uri.withoutHeaders();
        for (UriHeader header : uri.headers()) {
            if (!header.name().equalsIgnoreCase(PRIVACY)) {
                without = without.withHeader(header.name(), header.value());
            }
        }
        return entry.withUri(without);
    }

    /**
     * RFC 5806 4: the diverting user's own wish: full, name, uri or off. A word that is not known
     * is taken for full.
     *
     * @return null: as it is
     */
    private static @Nullable NameAddress diverted(NameAddress entry) {
        String asked = entry.param("privacy");
        return switch (asked == null ? "off" : asked.toLowerCase(Locale.ROOT)) {
            case "off" -> null;
            case "name" -> entry.withDisplayName(null);
            case "uri" -> entry.withUri(ANONYMOUS);
            default -> anonymous(entry);
        };
    }
}
