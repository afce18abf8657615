package io.carillon.sip.privacy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;

/**
 * Which headers tell who or where a caller is, and by which wish for privacy each of them is
 * hidden: the one table of it, for the privacy service and for the border of the trust domain.
 */
public final class HiddenHeaders {
    /**
     * RFC 3323 5.3, user: "the privacy service MUST remove any non-essential informational headers
     * that have been added by the user agent, including the Subject, Call-Info, Organization,
     * User-Agent, Reply-To and In-Reply-To"; 4.1 has Server and Warning too. Referred-By (RFC 3892)
     * is the user agent's word as well. Identity is about the From that was.
     */
    private static final HeaderName[] USER = {
        HeaderName.CALL_INFO,
        HeaderName.REPLY_TO,
        HeaderName.IN_REPLY_TO,
        HeaderName.SUBJECT,
        HeaderName.ORGANIZATION,
        HeaderName.USER_AGENT,
        HeaderName.SERVER,
        HeaderName.WARNING,
        HeaderName.REFERRED_BY,
        HeaderName.P_PREFERRED_IDENTITY,
        HeaderName.P_ACCESS_NETWORK_INFO,
        HeaderName.IDENTITY,
        HeaderName.IDENTITY_INFO
    };

    /** RFC 3325 7, id: who the network says that it is; the others say the same. */
    private static final HeaderName[] ID = {
        HeaderName.P_ASSERTED_IDENTITY,
        HeaderName.of("Remote-Party-ID"),
        HeaderName.of("P-Served-User"),
        HeaderName.P_PREFERRED_IDENTITY,
        HeaderName.P_ACCESS_NETWORK_INFO
    };

    private static final HeaderName[] DIVERTED = {HeaderName.HISTORY_INFO, HeaderName.DIVERSION};

    private HiddenHeaders() {}

    /** With {@code user}: what the caller's own user agent tells. */
    public static void hideUser(MessageDraft draft) {
        remove(draft, USER);
    }

    /**
     * With {@code id}: what the network tells of the caller.
     *
     * @param from as it leaves
     */
    public static void hideIdentity(MessageDraft draft, Uri from) {
        remove(draft, ID);
        hideSigned(draft, from);
    }

    /**
     * Takes out signed identities of another than From names.
     *
     * <p>RFC 8224 11: "The "id" priv-value token has no implications for the Identity header field,
     * and privacy services MUST NOT remove the Identity header field when a priv-value of "id"
     * appears". So who is in From anyway stays signed for. But a PASSporT may "reflect the contents
     * of the P-Asserted-Identity", and must not then tell it "when the P-Asserted-Identity header
     * is removed". The section's compact form could not be verified by anybody, save by those who
     * try all numbers: such a one is taken out.
     */
    static void hideSigned(MessageDraft draft, Uri from) {
        List<String> signed = draft.all(HeaderName.IDENTITY);
        List<String> shown = new ArrayList<>(signed);
        shown.removeIf(identity -> SignedCallers.tellMoreThan(from, identity));
        replace(draft, HeaderName.IDENTITY, signed, shown);
    }

    /** Does it say by whom the call went before? */
    public static boolean tellsDiversions(MessageDraft draft) {
        return draft.has(HeaderName.HISTORY_INFO)
                || draft.has(HeaderName.DIVERSION)
                || draft.has(HeaderName.IDENTITY);
    }

    /**
     * By whom the call went before: with {@code history} or {@code header} (RFC 7044 10.1.2) all of
     * them, else those who said so themselves. Their indexes and parameters stay, so that nobody
     * takes them for gaps. Whoever diverted is another than the caller: {@code user} and {@code id}
     * do not ask for it. A PASSporT "div" (RFC 8946) says the same, signed: with all of them, or as
     * soon as one is hidden, it is taken out.
     */
    public static void hideDiversions(MessageDraft draft, boolean all) {
        boolean hidden = all;
        for (HeaderName name : DIVERTED) {
            if (draft.has(name)) {
                List<String> entries = draft.all(name);
                List<String> seen = DivertedEntries.hide(name, entries, all);
                hidden |= !seen.equals(entries);
                replace(draft, name, entries, seen);
            }
        }
        if (hidden && draft.has(HeaderName.IDENTITY)) {
            List<String> signed = draft.all(HeaderName.IDENTITY);
            List<String> shown = new ArrayList<>(signed);
            shown.removeIf(SignedCallers::tellsDiversion);
            replace(draft, HeaderName.IDENTITY, signed, shown);
        }
    }

    private static void replace(
            MessageDraft draft, HeaderName name, List<String> before, List<String> after) {
        if (!after.equals(before)) {
            draft.remove(name);
            after.forEach(value -> draft.addLast(name, value));
        }
    }

    private static void remove(MessageDraft draft, HeaderName[] names) {
        for (HeaderName name : names) {
            if (draft.has(name)) {
                draft.remove(name);
            }
        }
    }
}
