package io.carillon.sip.dialog;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a {@link Dialog} begins (RFC 3261 12.1). Stateless. */
final class DialogCreation {
    /** A sequence number that is not known yet. */
    private static final long NONE = -1;

    private DialogCreation() {}

    static Dialog uas(SipRequest request, SipResponse response) {
        NameAddress local = response.to();
        NameAddress remote = request.from();
        NameAddress contact = request.contact();
        // RFC 3261 12.1.1: "The route set MUST be set to the list of URIs in the Record-Route
        // header field from the request, taken in order and preserving all URI parameters."
        Dialog dialog =
                new Dialog(
                        new DialogKey(
                                request.callId(), orEmpty(local.tag()), orEmpty(remote.tag())),
                        local,
                        remote,
                        List.copyOf(request.recordRoutes()),
                        contact == null || contact.wildcard() ? remote.uri() : contact.uri(),
                        false,
                        request.requestUri() instanceof SipUri uri && uri.secure(),
                        response.status() >= 200 ? Dialog.State.CONFIRMED : Dialog.State.EARLY);
        dialog.numbers(0, request.cseqNumber());
        dialog.exchanges().accepted(request);
        return dialog;
    }

    static Dialog uac(SipRequest sent, SipResponse response) {
        NameAddress local = sent.from();
        // RFC 3261 12.1.2: "A UAC MUST be prepared to receive a response without a tag in the To
        // field, in which case the tag is considered to have a value of null."
        NameAddress remote = response.to();
        NameAddress contact = response.contact();
        Dialog dialog =
                new Dialog(
                        new DialogKey(sent.callId(), orEmpty(local.tag()), orEmpty(remote.tag())),
                        local,
                        remote,
                        RouteSet.reversed(response.recordRoutes()),
                        contact == null || contact.wildcard() ? sent.requestUri() : contact.uri(),
                        true,
                        sent.requestUri() instanceof SipUri uri && uri.secure(),
                        Dialog.State.EARLY);
        // RFC 3261 12.1.2: "The remote sequence number MUST be empty".
        dialog.numbers(sent.cseqNumber(), NONE);
        dialog.sent(sent);
        return dialog;
    }

    static Dialog subscriber(SipRequest sent, SipRequest notify) {
        NameAddress contact = notify.contact();
        Dialog dialog =
                new Dialog(
                        new DialogKey(
                                sent.callId(), orEmpty(sent.fromTag()), orEmpty(notify.fromTag())),
                        sent.from(),
                        notify.from(),
                        List.copyOf(notify.recordRoutes()),
                        contact == null || contact.wildcard() ? sent.requestUri() : contact.uri(),
                        true,
                        sent.requestUri() instanceof SipUri uri && uri.secure(),
                        Dialog.State.CONFIRMED);
        dialog.numbers(sent.cseqNumber(), NONE);
        return dialog;
    }

    private static String orEmpty(@Nullable String tag) {
        return tag == null ? "" : tag;
    }
}
