package io.carillon.sip.privacy;

import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/**
 * Who belongs to our trust domain (RFC 3325 section 3), and what its border does: from outside no
 * asserted identity comes in, to the outside none leaves whose owner does not want it. Names are
 * compared as the parser read them, so that no spelling of a header passes. Immutable; any thread.
 */
public final class TrustDomain implements TrustBoundary {
    private final AddressRanges trusted;
    private final boolean keepsForeign;

    /**
     * @param trusted addresses of the domain's peers
     * @param keepsForeign whether assertions of peers outside stay in their messages; the
     *     applications then have to tell whose they are
     */
    public TrustDomain(AddressRanges trusted, boolean keepsForeign) {
        this.trusted = trusted;
        this.keepsForeign = keepsForeign;
    }

    @Override
    public boolean trusts(Hop hop) {
        InetAddress address = hop.remote().getAddress();
        return address != null && trusted.contains(address);
    }

    /**
     * RFC 3325 5: "If the proxy receives a message (request or response) from a node that it does
     * not trust and the message contains a P-Asserted-Identity header field, the proxy MUST replace
     * that header field with a single P-Asserted-Identity header field or remove this header
     * field."
     */
    @Override
    public SipMessage received(SipMessage message, Hop from) {
        if (keepsForeign) {
            return message;
        }
        boolean asserts = DomainHeaders.comesIn(message);
        String claimed = message instanceof SipRequest ? message.header(HeaderName.FROM) : null;
        String caller = claimed == null ? null : DomainHeaders.unverified(claimed);
        if ((!asserts && Objects.equals(caller, claimed)) || trusts(from)) {
            return message;
        }
        MessageDraft draft = MessageDraft.copyOf(message);
        if (asserts) {
            DomainHeaders.removeComing(draft);
        }
        if (caller != null && !caller.equals(claimed)) {
            draft.set(HeaderName.FROM, caller);
        }
        return draft.freeze();
    }

    @Override
    public SipMessage leaving(SipMessage message, Hop to) {
        boolean preferred = message.has(HeaderName.P_PREFERRED_IDENTITY);
        if (!preferred && (trusts(to) || !tells(message))) {
            return message;
        }
        MessageDraft draft = MessageDraft.copyOf(message);
        // RFC 3325 5: what the user prefers is a hint for the first proxy; "the proxy MUST remove
        // the user-provided P-Preferred-Identity header from any message it forwards".
        draft.remove(HeaderName.P_PREFERRED_IDENTITY);
        if (trusts(to)) {
            return draft.freeze();
        }
        PrivacyValues privacy = PrivacyValues.of(message.headers(HeaderName.PRIVACY));
        // RFC 3325 7: with the value none "the proxy ... MUST NOT remove the P-Asserted-Identity
        // header fields"; with id "the proxy MUST remove" them. Without either it is ours to say.
        boolean hides = !privacy.none();
        boolean hidden = message.has(HeaderName.P_ASSERTED_IDENTITY);
        DomainHeaders.removeLeaving(draft, hides);
        if (hides && (hidden || privacy.has(PrivacyValues.ID))) {
            HiddenHeaders.hideSigned(draft, message.from().uri());
        }
        hideDiversions(draft, privacy);
        return draft.freeze();
    }

    private static boolean tells(SipMessage message) {
        return message.has(HeaderName.HISTORY_INFO)
                || message.has(HeaderName.DIVERSION)
                || (message.has(HeaderName.IDENTITY) && message.has(HeaderName.PRIVACY))
                || DomainHeaders.leaves(message);
    }

    private static void hideDiversions(MessageDraft draft, PrivacyValues privacy) {
        if (!HiddenHeaders.tellsDiversions(draft)) {
            return;
        }
        boolean history = privacy.has(PrivacyValues.HISTORY);
        HiddenHeaders.hideDiversions(draft, history || privacy.has(PrivacyValues.HEADER));
        if (history) {
            // RFC 7044 10.1.2: then "the Privacy Service MUST remove the priv-value of history".
            String left = privacy.without(List.of(PrivacyValues.HISTORY)).text();
            draft.remove(HeaderName.PRIVACY);
            if (!left.isEmpty()) {
                draft.set(HeaderName.PRIVACY, left);
            }
        }
    }
}
