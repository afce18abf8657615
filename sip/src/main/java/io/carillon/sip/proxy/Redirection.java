package io.carillon.sip.proxy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RFC 3261 16.7 step 4: a proxy that tries the contacts of a redirect itself. Stateless. */
final class Redirection {
    /** Targets of one request, those of the application included, up to which redirects add. */
    static final int MAX_TARGETS = 64;

    /** Redirects that lead to redirects. */
    static final int MAX_DEPTH = 16;

    private Redirection() {}

    /**
     * Adds branches for what the response offers. Returns what remains of it as a candidate for the
     * best response; null when nothing does.
     */
    static @Nullable SipResponse recurse(ProxyBranch branch, SipResponse response) {
        int status = response.status();
        SipRequest request = branch.context().request();
        if (status >= 300 && status < 400) {
            return redirect(branch, response, request);
        }
        // "If a proxy receives a 416 (Unsupported URI Scheme) response to a request whose
        // Request-URI scheme was not SIP, but the scheme in the original received request was SIP
        // or SIPS ..., the proxy SHOULD add a new URI to the target set. This URI SHOULD be a SIP
        // URI version of the non-SIP URI that was just tried."
        if (status == 416
                && branch.target() instanceof TelUri tel
                && request.requestUri() instanceof SipUri original) {
            SipUri sip =
                    SipUri.of(tel.number(), original.host(), original.port())
                            .withSecure(original.secure())
                            .withParam("user", "phone");
            if (branch.context().add(branch, sip, null, branch.policy()) != null) {
                branch.context().follows(response);
                return null;
            }
        }
        return response;
    }

    private static @Nullable SipResponse redirect(
            ProxyBranch branch, SipResponse response, SipRequest request) {
        List<NameAddress> contacts = new ArrayList<>(response.contacts());
        contacts.sort((a, b) -> Integer.compare(thousandths(b), thousandths(a)));
        List<NameAddress> rest = new ArrayList<>();
        boolean secure = request.requestUri() instanceof SipUri uri && uri.secure();
        int added = 0;
        int refused = 0;
        for (NameAddress contact : contacts) {
            // "a proxy SHOULD NOT recurse to a non-SIPS URI if the Request-URI of the original
            // request was a SIPS URI." RFC 5630 5.3: nor from sip to sips, "the proxy MUST NOT
            // recurse on the response" in either case.
            boolean usable =
                    !contact.wildcard()
                            && contact.uri() instanceof SipUri uri
                            && secure == uri.secure();
            if (!usable) {
                rest.add(contact);
            } else if (!mayRecurse(branch)) {
                refused++;
                rest.add(contact);
            } else if (branch.context().add(branch, contact.uri(), null, branch.policy()) != null) {
                added++;
            }
        }
        if (refused > 0) {
            branch.context().shard().counted(Counter.REDIRECTS_REFUSED, refused);
        }
        if (added > 0) {
            branch.context().follows(response);
        }
        if (rest.size() == contacts.size()) {
            return response;
        }
        // "If the proxy recurses on all of the contacts in a 3xx response, the proxy SHOULD NOT add
        // the resulting contactless response to the response context." A redirect to nothing but
        // what was tried already stays, without contacts.
        if (rest.isEmpty() && added > 0) {
            return null;
        }
        // "If the proxy chooses to recurse on any contacts in a 3xx response by adding them to the
        // target set, it MUST remove them from the response before adding the response to the
        // response context."
        MessageDraft draft = MessageDraft.copyOf(response);
        draft.remove(HeaderName.CONTACT);
        for (NameAddress contact : rest) {
            draft.addLast(HeaderName.CONTACT, contact.toString());
        }
        return draft.freezeResponse();
    }

    /**
     * May a redirect on this branch add another target? Each costs a copy of the request, and who
     * answers chooses how many: RFC 3261 16.7 step 4 leaves to the proxy on which it recurses.
     */
    private static boolean mayRecurse(ProxyBranch from) {
        if (from.context().branches().size() >= MAX_TARGETS) {
            return false;
        }
        int depth = 1;
        for (ProxyBranch above = from.parent(); above != null; above = above.parent()) {
            depth++;
        }
        return depth <= MAX_DEPTH;
    }

    /** The q parameter of a contact in thousandths; 1000 without a readable one. */
    private static int thousandths(NameAddress contact) {
        String q = contact.param("q");
        if (q == null || q.isEmpty() || q.charAt(0) == '1') {
            return 1000;
        }
        int value = 0;
        int scale = 100;
        for (int i = 2; i < q.length() && scale > 0; i++, scale /= 10) {
            char c = q.charAt(i);
            value += c >= '0' && c <= '9' ? (c - '0') * scale : 0;
        }
        return value;
    }
}
