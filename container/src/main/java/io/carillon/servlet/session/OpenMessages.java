package io.carillon.servlet.session;

import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.message.UasTransaction;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/**
 * What is under way in one session. Owner: whoever holds the turn. Most of the time nothing is, and
 * then there is no list.
 */
final class OpenMessages {
    /**
     * Requests that wait for our response, requests of ours that wait for their final one, 2xx that
     * wait for the ACK.
     */
    private @Nullable ArrayList<SipServletMessage> pending;

    /** INVITEs with a 2xx whose transactions may still bring another (until Timer M). */
    private @Nullable ArrayList<ServletSession.Lingering> lingering;

    /** The answered and acknowledged initial request, while another 2xx to it may be sent. */
    private @Nullable UasTransaction answered;

    boolean isEmpty() {
        return pending == null;
    }

    /** Oldest first; never changed by the caller. */
    List<SipServletMessage> messages() {
        ArrayList<SipServletMessage> list = pending;
        return list == null ? List.of() : list;
    }

    void add(SipServletMessage message) {
        ArrayList<SipServletMessage> list = pending;
        if (list == null) {
            list = new ArrayList<>(2);
            pending = list;
        }
        list.add(message);
    }

    /** True when it was there. */
    boolean remove(SipServletMessage message) {
        ArrayList<SipServletMessage> list = pending;
        if (list == null || !list.remove(message)) {
            return false;
        }
        if (list.isEmpty()) {
            pending = null;
        }
        return true;
    }

    /** A 2xx whose ACK the application never made: with the dialog over nobody waits for it. */
    void dropUnconfirmed() {
        ArrayList<SipServletMessage> list = pending;
        if (list != null) {
            list.removeIf(ServletResponse.class::isInstance);
            if (list.isEmpty()) {
                pending = null;
            }
        }
    }

    /** The initial request that made the session, as long as it may be answered. */
    @Nullable UasTransaction original() {
        UasTransaction before = answered;
        if (before != null) {
            return before;
        }
        ArrayList<SipServletMessage> list = pending;
        for (int i = 0; list != null && i < list.size(); i++) {
            if (list.get(i) instanceof ServletRequest request
                    && request.isInitial()
                    && request.uas() != null) {
                return request.uas();
            }
        }
        return null;
    }

    void answered(@Nullable UasTransaction original) {
        answered = original;
    }

    void lingers(ServletSession.Lingering invite) {
        ArrayList<ServletSession.Lingering> list = lingering;
        if (list == null) {
            list = new ArrayList<>(1);
            lingering = list;
        }
        list.add(invite);
    }

    void lingered(ServletSession.Lingering invite) {
        ArrayList<ServletSession.Lingering> list = lingering;
        if (list != null && list.remove(invite) && list.isEmpty()) {
            lingering = null;
        }
    }

    /** The session is over: nothing is open any more, and what lingers is let go. */
    void release() {
        pending = null;
        answered = null;
        ArrayList<ServletSession.Lingering> last = lingering;
        lingering = null;
        if (last != null) {
            last.forEach(ServletSession.Lingering::release);
        }
    }
}
