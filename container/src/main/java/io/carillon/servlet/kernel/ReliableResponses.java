package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.Role;
import java.util.ArrayDeque;
import java.util.List;
import javax.servlet.sip.Rel100Exception;
import org.jspecify.annotations.Nullable;

/**
 * The reliable provisional responses to one INVITE (RFC 3262), and what waits for their PRACKs.
 * Made with the first of them. Owner: the turn of the application session.
 */
public final class ReliableResponses {
    private static final int MAX_QUEUED = 8;

    private final UasTransaction server;
    private @Nullable ServletResponse last;

    /** Wait until the one before has its PRACK. */
    private @Nullable ArrayDeque<ServletResponse> queued;

    /** RFC 3262 3: a 2xx that waits until the reliable provisional responses are acknowledged. */
    private @Nullable SipResponse held;

    ReliableResponses(UasTransaction server) {
        this.server = server;
    }

    /**
     * @throws Rel100Exception when that response to that request cannot be sent reliably
     */
    static void check(ServletResponse response, SipRequest received) throws Rel100Exception {
        int status = response.getStatus();
        if (status <= 100 || status >= 200) {
            throw new Rel100Exception(Rel100Exception.NOT_1XX);
        }
        if (!received.is(Methods.INVITE)) {
            throw new Rel100Exception(Rel100Exception.NOT_INVITE);
        }
        if (!lists(received, HeaderName.SUPPORTED) && !lists(received, HeaderName.REQUIRE)) {
            throw new Rel100Exception(Rel100Exception.NO_REQ_SUPPORT);
        }
    }

    private static boolean lists(SipRequest received, HeaderName name) {
        return lists(received.headers(name));
    }

    /** Is 100rel among these option tags? */
    static boolean lists(List<String> tags) {
        for (int i = 0; i < tags.size(); i++) {
            if (tags.get(i).equalsIgnoreCase("100rel")) {
                return true;
            }
        }
        return false;
    }

    /** The last one that left. */
    public @Nullable ServletResponse last() {
        return last;
    }

    /** Sends it now, or when those before it have their PRACKs. */
    void send(ServletResponse response, Dialog dialog) {
        // RFC 3262 3: "The UAS MUST NOT send a second reliable provisional response until the
        // first is acknowledged." Nor does it, as recommended there, with the later ones.
        if (dialog.awaitsPrack()) {
            queue(response);
        } else {
            transmit(response, dialog);
        }
    }

    private void queue(ServletResponse response) {
        ArrayDeque<ServletResponse> waiting = queued;
        if (waiting == null) {
            waiting = new ArrayDeque<>(2);
            queued = waiting;
        }
        if (waiting.size() == MAX_QUEUED) {
            throw new IllegalStateException(
                    MAX_QUEUED + " reliable provisional responses wait for a PRACK");
        }
        waiting.add(response);
        response.commit();
    }

    private void transmit(ServletResponse response, Dialog dialog) {
        ServletSession session = response.session();
        SipRequest received = server.received();
        long rseq = dialog.nextRSeq(received.cseq().number(), session.host().random());
        response.put(HeaderName.RSEQ, Long.toString(rseq));
        SipResponse printed = (SipResponse) response.freeze();
        last = response;
        dialog.responded(received, printed);
        DialogLife.follow(session);
        response.commit();
        server.transaction().setRole(Role.UAS);
        server.transaction().respondReliably(printed, rseq);
    }

    /** True when the 2xx has to wait for a PRACK. */
    boolean hold(SipResponse success, @Nullable Dialog dialog) {
        if (dialog == null || !dialog.awaitsPrack()) {
            return false;
        }
        held = success;
        return true;
    }

    boolean holds2xx() {
        return held != null;
    }

    /** The request has another final response: nothing of this will leave any more. */
    void drop() {
        held = null;
        queued = null;
    }

    /** A PRACK came: the next one leaves, or the 2xx. */
    void pracked() {
        Dialog dialog = server.request().ownSession().dialog().own();
        if (dialog == null || dialog.awaitsPrack()) {
            return;
        }
        ServletResponse provisional = queued == null ? null : queued.poll();
        SipResponse waiting = held;
        if (provisional != null) {
            transmit(provisional, dialog);
        } else if (waiting != null) {
            held = null;
            server.transaction().respondAsUas(waiting);
        }
    }
}
