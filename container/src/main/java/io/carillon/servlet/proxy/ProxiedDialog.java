package io.carillon.servlet.proxy;

import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a record-routing proxy remembers of a dialog that goes through it: enough to find it by
 * either end's requests, and to send on those of an end that keeps no route set.
 *
 * <p>Owner: the turn of the application session.
 */
public final class ProxiedDialog {
    private final ServletSession session;
    private final String callId;
    private final String callerTag;
    private final boolean supervised;
    private @Nullable String calleeTag;
    private @Nullable Uri callerTarget;
    private @Nullable Uri calleeTarget;

    /** Between us and the callee, nearest first; between us and the caller likewise. */
    private List<NameAddress> routesToCallee = List.of();

    private List<NameAddress> routesToCaller = List.of();
    private boolean confirmed;

    ProxiedDialog(ServletSession session, SipRequest invite, boolean supervised) {
        this.session = session;
        this.callId = invite.callId();
        String tag = invite.fromTag();
        this.callerTag = tag == null ? "" : tag;
        this.supervised = supervised;
        NameAddress contact = invite.contact();
        this.callerTarget = contact == null || contact.wildcard() ? null : contact.uri();
        this.routesToCaller = List.copyOf(invite.recordRoutes());
    }

    public boolean supervised() {
        return supervised;
    }

    /** A response that creates the dialog passed: its tag, target and the routes beyond us. */
    void answered(SipResponse response, int ownRoutes) {
        String tag = response.toTag();
        if (tag == null || (confirmed && !tag.equals(calleeTag))) {
            return;
        }
        boolean success = response.status() >= 200;
        if (success || !tag.equals(calleeTag)) {
            if (!tag.equals(calleeTag)) {
                forget();
                calleeTag = tag;
                session.container().sessions().addProxied(key(tag), session);
            }
            NameAddress contact = response.contact();
            calleeTarget = contact == null || contact.wildcard() ? calleeTarget : contact.uri();
            List<NameAddress> recorded = response.recordRoutes();
            // Top to bottom: from the callee's side to the caller's. What stands above our own values lies towards the callee.
            int above = recorded.size() - routesToCaller.size() - ownRoutes;
            routesToCallee = above <= 0 ? List.of() : List.copyOf(recorded.subList(0, above).reversed());
        }
        confirmed |= success;
    }

    /** A target refresh passed: whoever sent it is reached at its new Contact. */
    void refreshed(boolean byCaller, @Nullable NameAddress contact) {
        if (contact != null && !contact.wildcard()) {
            if (byCaller) {
                callerTarget = contact.uri();
            } else {
                calleeTarget = contact.uri();
            }
        }
    }

    boolean fromCaller(SipRequest request) {
        return callerTag.equals(request.fromTag());
    }

    /** Where the other end of this request's sender is. */
    @Nullable Uri target(boolean fromCaller) {
        return fromCaller ? calleeTarget : callerTarget;
    }

    List<NameAddress> routes(boolean fromCaller) {
        return fromCaller ? routesToCallee : routesToCaller;
    }

    private DialogKey key(String tag) {
        return new DialogKey(callId, tag, callerTag);
    }

    /** The tables forget it. */
    public void forget() {
        String tag = calleeTag;
        if (tag != null) {
            session.container().sessions().removeProxied(key(tag), session);
        }
    }

    public void write(StateWriter out) {
        out.putString(callId).putString(callerTag).putBoolean(supervised).putString(calleeTag);
        out.putString(callerTarget == null ? null : callerTarget.toString());
        out.putString(calleeTarget == null ? null : calleeTarget.toString());
        out.putBoolean(confirmed);
    }

    static void read(StateReader in) {
        in.getBoolean();
    }
}
