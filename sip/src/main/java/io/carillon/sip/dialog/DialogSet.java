package io.carillon.sip.dialog;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dialogs of one forked request of ours, by remote tag (RFC 3261 12.1.2, 13.2.2.4). Owner: the
 * session's turn; not thread safe.
 */
public final class DialogSet {
    private final SipRequest sent;
    private final List<Dialog> dialogs = new ArrayList<>(1);

    /**
     * @param sent the request as it left, with its From tag
     */
    public DialogSet(SipRequest sent) {
        this.sent = sent;
    }

    public SipRequest request() {
        return sent;
    }

    public List<Dialog> dialogs() {
        return dialogs;
    }

    public @Nullable Dialog find(@Nullable String remoteTag) {
        String tag = remoteTag == null ? "" : remoteTag;
        for (int i = 0; i < dialogs.size(); i++) {
            if (dialogs.get(i).remoteTag().equals(tag)) {
                return dialogs.get(i);
            }
        }
        return null;
    }

    /**
     * The dialog of this response: the one with its tag, or a new one for 101-299 (a fork). Null
     * for 100, for a provisional response without a tag, and for a failure that belongs to none.
     * The caller passes the response on to {@link Dialog#received(SipResponse)}.
     */
    public @Nullable Dialog of(SipResponse response) {
        Dialog known = find(response.toTag());
        if (known != null) {
            return known;
        }
        int status = response.status();
        // RFC 3261 12.1: dialogs come from 2xx and 101-199 responses with a To tag; RFC 2543 peers
        // send 2xx without one.
        boolean creates =
                status > 100 && status < 300 && (response.toTag() != null || status >= 200);
        if (!creates) {
            return null;
        }
        Dialog dialog = Dialog.uac(sent, response);
        dialogs.add(dialog);
        return dialog;
    }

    /**
     * RFC 3261 12.3: "if a request outside of a dialog generates a non-2xx final response, any
     * early dialogs created through provisional responses to that request are terminated."
     */
    public void failed() {
        for (int i = 0; i < dialogs.size(); i++) {
            if (dialogs.get(i).state() == Dialog.State.EARLY) {
                dialogs.get(i).terminate();
            }
        }
    }
}
