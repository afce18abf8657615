package io.carillon.sip.privacy;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayList;
import java.util.List;

/** Entries of History-Info (RFC 7044) that somebody does not want to be seen. Pure functions. */
final class HistoryEntries {
    private static final SipUri ANONYMOUS = SipUri.of("anonymous", "anonymous.invalid", -1);

    private HistoryEntries() {}

    /**
     * The entries as they may be seen outside.
     *
     * @param all whether all of them are hidden, or those alone whose URI says so
     */
    static List<String> hide(List<String> entries, boolean all) {
        List<String> shown = new ArrayList<>(entries.size());
        for (String entry : entries) {
            NameAddress parsed;
            try {
                parsed = NameAddress.parse(entry);
            } catch (SipParseException e) {
                continue; // what cannot be read cannot be hidden in part
            }
            boolean hidden = all || (parsed.uri() instanceof SipUri uri && asksFor(uri));
            shown.add(hidden ? parsed.withDisplayName(null).withUri(ANONYMOUS).toString() : entry);
        }
        return shown;
    }

    /** RFC 7044 10.1: Privacy among the headers of the hi-targeted-to-uri. */
    private static boolean asksFor(SipUri uri) {
        String asked = uri.hasHeaders() ? uri.uriHeader("Privacy") : null;
        return asked != null && PrivacyValues.of(List.of(asked)).has(PrivacyValues.HISTORY);
    }
}
