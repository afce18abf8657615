package io.carillon.servlet.feature.identity;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.privacy.HiddenHeaders;
import io.carillon.sip.privacy.PrivacyValues;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A privacy service (RFC 3323 section 5) for callers whose calls a B2BUA of ours carries on: the
 * other leg has Via, Contact, Call-ID and routes of its own in any case; this takes out what the
 * caller wrote of himself. Immutable; any thread.
 *
 * @param border whether a trust domain's border hides asserted identities; else that is done here
 */
public record PrivacyService(boolean border) {
    /** RFC 3323 4.1.1.3. */
    private static final NameAddress ANONYMOUS =
            NameAddress.of("Anonymous", SipUri.of("anonymous", "anonymous.invalid", -1));

    /** What this service can do, or leaves to the border of the trust domain. */
    private static final Set<String> UNDERSTOOD =
            Set.of(
                    PrivacyValues.NONE,
                    PrivacyValues.HEADER,
                    PrivacyValues.USER,
                    PrivacyValues.ID,
                    PrivacyValues.HISTORY,
                    PrivacyValues.CRITICAL);

    private static final List<String> DONE = List.of(PrivacyValues.HEADER, PrivacyValues.USER);
    private static final List<String> DONE_WITHOUT_BORDER =
            List.of(
                    PrivacyValues.HEADER,
                    PrivacyValues.USER,
                    PrivacyValues.ID,
                    PrivacyValues.HISTORY);

    /**
     * RFC 3323 5: "If the privacy service ... is unable to perform all of the privacy functions
     * requested ... and the Privacy header contains 'critical', it MUST fail the request" with 500.
     *
     * @return its reason phrase; null where the request may go on
     */
    public static @Nullable String refusal(SipRequest request) {
        if (!request.has(HeaderName.PRIVACY)) {
            return null;
        }
        PrivacyValues wanted = PrivacyValues.of(request.headers(HeaderName.PRIVACY));
        if (!wanted.has(PrivacyValues.CRITICAL)) {
            return null;
        }
        for (String value : wanted.values()) {
            if (!UNDERSTOOD.contains(value)) {
                return "Privacy Not Supported: " + printable(value);
            }
        }
        return null;
    }

    /** A stranger's word in a reason phrase: its token characters. */
    private static String printable(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(value.length(), 20); i++) {
            char c = value.charAt(i);
            text.append(c > ' ' && c < 127 ? c : '?');
        }
        return text.toString();
    }

    /** What From is to be on the other leg. */
    public NameAddress from(ServletRequest received, NameAddress from) {
        return wantsUser(received) ? ANONYMOUS : from;
    }

    /**
     * Takes out of the copy what its caller does not want to be known. Later requests of a caller
     * who was made anonymous are held to it too, without a Privacy of their own.
     */
    public void serve(ServletRequest received, ServletRequest copy) {
        if (!received.has(HeaderName.PRIVACY)) {
            if (!copy.isInitial() && madeAnonymous(received, copy)) {
                HiddenHeaders.hideUser(copy.edit());
            }
            return;
        }
        PrivacyValues wanted = PrivacyValues.of(received.texts(HeaderName.PRIVACY));
        if (wanted.none()) {
            return;
        }
        MessageDraft draft = copy.edit();
        if (wanted.has(PrivacyValues.USER) || madeAnonymous(received, copy)) {
            HiddenHeaders.hideUser(draft);
        }
        boolean diverted =
                (wanted.has(PrivacyValues.HEADER) || wanted.has(PrivacyValues.HISTORY))
                        && HiddenHeaders.tellsDiversions(draft);
        if (!border) {
            if (wanted.has(PrivacyValues.ID)) {
                HiddenHeaders.hideIdentity(draft, copy.fromValue().uri());
            }
            if (diverted) {
                HiddenHeaders.hideDiversions(draft, true);
            }
        }
        String left =
                (border && diverted ? wanted.with(PrivacyValues.HISTORY) : wanted)
                        .without(border ? DONE : DONE_WITHOUT_BORDER)
                        .text();
        if (left.isEmpty()) {
            copy.drop(HeaderName.PRIVACY);
        } else {
            copy.put(HeaderName.PRIVACY, left);
        }
    }

    /** The leg that the copy is for has the From of this service, and the caller's has not. */
    private static boolean madeAnonymous(ServletRequest received, ServletRequest copy) {
        return ANONYMOUS.uri().equals(copy.fromValue().uri())
                && !ANONYMOUS.uri().equals(received.fromValue().uri());
    }

    private static boolean wantsUser(ServletRequest received) {
        return received.has(HeaderName.PRIVACY)
                && PrivacyValues.of(received.texts(HeaderName.PRIVACY)).has(PrivacyValues.USER);
    }
}
