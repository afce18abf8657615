package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayDeque;
import java.util.List;
import javax.servlet.sip.Rel100Exception;
import org.jspecify.annotations.Nullable;

/**
 * The reliable provisional responses to one INVITE (RFC 3262), and what waits for their PRACKs.
 * Made with the first of them. Owner: the turn of the application session.
 *
 * @param <R> a response of the application
 */
final class ReliableResponses<R> {
    private static final int MAX_QUEUED = 8;

    private @Nullable R last;

    /** Wait until the one before has its PRACK. */
    private @Nullable ArrayDeque<R> queued;

    /** RFC 3262 3: a 2xx that waits until the reliable provisional responses are acknowledged. */
    private @Nullable SipResponse held;

    /**
     * @throws Rel100Exception when that response to that request cannot be sent reliably
     */
    static void check(int status, SipRequest received) throws Rel100Exception {
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
    @Nullable R last() {
        return last;
    }

    /**
     * It is to be sent.
     *
     * @return true when it may leave now; else it is kept until those before it have their PRACKs
     */
    boolean mayLeave(R response, Dialog dialog) {
        // RFC 3262 3: "The UAS MUST NOT send a second reliable provisional response until the
        // first is acknowledged." Nor does it, as recommended there, with the later ones.
        if (!dialog.awaitsPrack()) {
            return true;
        }
        ArrayDeque<R> waiting = queued;
        if (waiting == null) {
            waiting = new ArrayDeque<>(2);
            queued = waiting;
        }
        if (waiting.size() == MAX_QUEUED) {
            throw new IllegalStateException(
                    MAX_QUEUED + " reliable provisional responses wait for a PRACK");
        }
        waiting.add(response);
        return false;
    }

    /** It leaves. */
    void leaves(R response) {
        last = response;
    }

    /** True when the 2xx has to wait for a PRACK. */
    boolean hold(SipResponse success, @Nullable Dialog dialog) {
        if (dialog == null || !dialog.awaitsPrack()) {
            return false;
        }
        held = success;
        return true;
    }

    /** The next one that leaves now that there was a PRACK; null for none. */
    @Nullable R next() {
        return queued == null ? null : queued.poll();
    }

    /** The 2xx that waits; null for none. */
    @Nullable SipResponse held() {
        return held;
    }
}
