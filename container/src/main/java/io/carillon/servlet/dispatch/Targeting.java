package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CorrespondingSessions;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.SessionTokens;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Parameterized;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import javax.servlet.sip.ar.SipTargetedRequestInfo;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * What of the present an initial request is meant for (SIP Servlet 1.1, 15.11): the application
 * session whose {@code encodeURI} made the URI it was sent to, or the one of the dialog that its
 * Join (RFC 3911) or Replaces (RFC 3891) names. It counts only when the router chooses the
 * application of that session. Immutable; made on the shard.
 */
final class Targeting {
    /** Meant for nothing that is there. */
    static final Targeting NONE = new Targeting(null, null, null, 0);

    private final @Nullable SipTargetedRequestType type;
    private final @Nullable ApplicationSession session;
    private final @Nullable ServletSession other;
    private final int refusal;

    private Targeting(
            @Nullable SipTargetedRequestType type,
            @Nullable ApplicationSession session,
            @Nullable ServletSession other,
            int refusal) {
        this.type = type;
        this.session = session;
        this.other = other;
        this.refusal = refusal;
    }

    /** The status to refuse the request with; 0 when it may go on. */
    int refusal() {
        return refusal;
    }

    /** What the router is told; null for a request that is meant for nothing. */
    @Nullable SipTargetedRequestInfo info() {
        ApplicationSession found = session;
        return found == null ? null : new SipTargetedRequestInfo(type, found.application().name());
    }

    /** The application session it is for, when the router chose the application of that name. */
    @Nullable ApplicationSession in(String application) {
        ApplicationSession found = session;
        return found != null && found.isValid() && found.application().name().equals(application)
                ? found
                : null;
    }

    /** Notes in the new session which one its Join or Replaces names; with the turn held. */
    void note(ServletSession made) {
        ServletSession named = other;
        SipTargetedRequestType how = type;
        if (named != null && how != null && named.parent() == made.parent()) {
            CorrespondingSessions.tie(made, how, named);
        }
    }

    static Targeting of(SessionHost host, SipRequest request, RoutePreprocessing routing) {
        if (!request.is(Methods.INVITE)) {
            // RFC 3891 3: "if a Replaces header field is present in a request other than INVITE,
            // the UAS MUST reject the request with a 400"; RFC 3911 4 likewise.
            if (request.has(HeaderName.REPLACES) || request.has(HeaderName.JOIN)) {
                return refused(400);
            }
        } else {
            boolean replaces = request.has(HeaderName.REPLACES);
            boolean join = request.has(HeaderName.JOIN);
            if (replaces || join) {
                return byDialog(host, request, replaces, join);
            }
        }
        NameAddress popped = routing.popped();
        ApplicationSession encoded = encoded(host, request.requestUri());
        if (encoded == null && popped != null) {
            encoded = encoded(host, popped.uri());
        }
        return encoded == null
                ? NONE
                : new Targeting(SipTargetedRequestType.ENCODED_URI, encoded, null, 0);
    }

    /** The id of the application session that made the URI; null for none. */
    static @Nullable String encodedId(SessionHost host, Uri uri) {
        String token = uri instanceof SipUri sip ? sip.param(SessionTokens.PARAMETER) : null;
        return token == null ? null : host.tokens().id(token);
    }

    private static @Nullable ApplicationSession encoded(SessionHost host, Uri uri) {
        String id = encodedId(host, uri);
        ApplicationSession found = id == null ? null : host.tables().find(id);
        return found != null && found.isValid() ? found : null;
    }

    /**
     * RFC 3891 3: "If more than one Replaces header field is present in an INVITE, ... the UAS MUST
     * reject the request with a 400 Bad Request response." "If both a Replaces header field and
     * another header field with contradictory semantics are present in a request, the request MUST
     * be rejected with a 400". RFC 3911 4 says the same of Join.
     */
    private static Targeting byDialog(
            SessionHost host, SipRequest request, boolean replaces, boolean join) {
        HeaderName name = replaces ? HeaderName.REPLACES : HeaderName.JOIN;
        int at = request.find(name, 0);
        if ((replaces && join) || request.find(name, at + 1) >= 0) {
            return refused(400);
        }
        Parameterized value;
        try {
            value = Parameterized.parse(request.valueAt(at));
        } catch (SipParseException e) {
            return refused(400);
        }
        String toTag = value.param("to-tag");
        String fromTag = value.param("from-tag");
        if (toTag == null || fromTag == null) {
            return refused(400);
        }
        ServletSession named = find(host, value.value(), toTag, fromTag);
        if (named == null && replaces && ours(host, toTag)) {
            return refused(481); // the dialog was here: RFC 3891 3, "if no match is found"
        }
        if (named == null) {
            return NONE; // SIP Servlet 1.1, 15.11.4: routed as a request without a target
        }
        int refusal = refusal(named, replaces, value.params().has("early-only"));
        return refusal != 0
                ? refused(refusal)
                : new Targeting(
                        replaces ? SipTargetedRequestType.REPLACES : SipTargetedRequestType.JOIN,
                        named.parent(),
                        named,
                        0);
    }

    /** The dialog that its Replaces or Join names; null where it names none. */
    static @Nullable DialogKey named(SipRequest request) {
        int at = request.find(HeaderName.REPLACES, 0);
        at = at < 0 ? request.find(HeaderName.JOIN, 0) : at;
        try {
            Parameterized value = at < 0 ? null : Parameterized.parse(request.valueAt(at));
            String toTag = value == null ? null : value.param("to-tag");
            String fromTag = value == null ? null : value.param("from-tag");
            return value == null || toTag == null || fromTag == null
                    ? null
                    : new DialogKey(value.value(), toTag, fromTag);
        } catch (SipParseException e) {
            return null; // it is refused with 400
        }
    }

    /**
     * Was that tag given here, so that its dialog would be here? A tag of our cluster tells where
     * the dialog is, and that may be another node.
     */
    private static boolean ours(SessionHost host, String tag) {
        OwnTokens own = host.shards().some().config().tokens();
        return own.isOne(tag) && own.mayBegin(own.partitionIn(tag));
    }

    private static Targeting refused(int status) {
        return new Targeting(null, null, null, status);
    }

    /**
     * RFC 3891 3: "the value of the to-tag parameter matches the local tag, and the value of the
     * from-tag parameter matches the remote tag"; "a tag of zero ... matches both tags of zero and
     * null".
     */
    private static @Nullable ServletSession find(
            SessionHost host, String callId, String toTag, String fromTag) {
        ServletSession found = dialog(host, callId, toTag, fromTag);
        if (found == null && (toTag.equals("0") || fromTag.equals("0"))) {
            found =
                    dialog(
                            host,
                            callId,
                            toTag.equals("0") ? "" : toTag,
                            fromTag.equals("0") ? "" : fromTag);
        }
        return found;
    }

    private static @Nullable ServletSession dialog(
            SessionHost host, String callId, String toTag, String fromTag) {
        DialogKey key = new DialogKey(callId, toTag, fromTag);
        ServletSession found = host.tables().dialog(key);
        if (found == null) {
            found = host.tables().proxied(key);
        }
        return found != null && found.isValid() ? found : null;
    }

    /** What the two RFCs refuse of a dialog that ends here; one through a proxy is not ours. */
    private static int refusal(ServletSession named, boolean replaces, boolean earlyOnly) {
        Dialog dialog = named.dialog().own();
        if (dialog == null) {
            return 0;
        }
        if (!named.dialog().byInvite()) {
            // RFC 3891 3: "a dialog which was not created with an INVITE": 481.
            return 481;
        }
        return switch (dialog.state()) {
            // "the Replaces header field matches a dialog which has already terminated": 603.
            case TERMINATED -> 603;
            // "matches an early dialog that was not initiated by this UA": 481.
            // RFC 3911 4: "unlike the Replaces header, the Join header has no limitation on its use
            // with early dialogs".
            case EARLY -> dialog.callIdOwner() || !replaces ? 0 : 481;
            // "matches a confirmed dialog [and] ... early-only": 486.
            case CONFIRMED -> replaces && earlyOnly ? 486 : 0;
        };
    }
}
