package io.carillon.servlet.kernel;

import io.carillon.sip.message.Methods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import javax.servlet.sip.SipServletMessage;
import org.jspecify.annotations.Nullable;

/**
 * What is under way in one session. Owner: whoever holds the turn. Most of the time nothing is, and
 * then there is no list.
 */
public final class OpenMessages {
    private static final int MANY = 16;

    private static final int MOST_UNPRACKED = 16;

    /**
     * Requests that wait for our response, requests of ours that wait for their final one, 2xx that
     * wait for the ACK, reliable provisional responses that wait for the PRACK. Null, the only one
     * itself, an ArrayList of several, or a LinkedHashSet of many: a peer may send any number
     * within a dialog to an application that takes its time.
     */
    private @Nullable Object pending;

    /**
     * Those of them that are INVITEs of the peer: each ACK and PRACK asks for one. Null, the only
     * one itself, or an ArrayList of several.
     */
    private @Nullable Object invites;

    /**
     * INVITEs with a 2xx whose transactions may still bring another (until Timer M). Null, the only
     * one itself, or an ArrayList of several.
     */
    private @Nullable Object lingering;

    /** The answered and acknowledged initial request, while another 2xx to it may be sent. */
    private @Nullable UasTransaction answered;

    private @Nullable UacTransaction heldBye;

    /** A BYE waits for the turn. Set on a shard, taken back in the turn. */
    private volatile boolean byeWaits;

    /** CSeq number of the ACK that waits for the turn or was taken last; -1 for none. */
    private volatile int ack = -1;

    /** Something of an answered INVITE that the session's end has to let go. */
    public interface Lingering {
        void release();
    }

    OpenMessages() {}

    // ---- what waits for the turn; any thread ----

    public boolean byeWaits() {
        return byeWaits;
    }

    public void byeWaits(boolean waits) {
        byeWaits = waits;
    }

    /** Does that ACK wait, or was it taken? Then another one for the same INVITE is a repeat. */
    public boolean knowsAck(int cseq) {
        return ack == cseq;
    }

    public void knowAck(int cseq) {
        ack = cseq;
    }

    /** It was for no INVITE that waits for an ACK, or has to be passed on each time. */
    public void forgetAck(int cseq) {
        if (ack == cseq) {
            ack = -1;
        }
    }

    // ---- what is open ----

    boolean isEmpty() {
        return pending == null;
    }

    /** Oldest first; never changed by the caller. */
    @SuppressWarnings("unchecked")
    List<SipServletMessage> messages() {
        return switch (pending) {
            case null -> List.of();
            case ArrayList<?> several -> (ArrayList<SipServletMessage>) several;
            case LinkedHashSet<?> many -> List.copyOf((LinkedHashSet<SipServletMessage>) many);
            case Object one -> List.of((SipServletMessage) one);
        };
    }

    /**
     * INVITEs of the peer that wait for our response or for the ACK; never changed by the caller.
     */
    @SuppressWarnings("unchecked")
    public List<ServletRequest> invites() {
        return switch (invites) {
            case null -> List.of();
            case ArrayList<?> several -> (ArrayList<ServletRequest>) several;
            case Object one -> List.of((ServletRequest) one);
        };
    }

    @SuppressWarnings("unchecked")
    void add(SipServletMessage message) {
        switch (pending) {
            case LinkedHashSet<?> many -> ((LinkedHashSet<Object>) many).add(message);
            case ArrayList<?> several when several.size() >= MANY -> {
                LinkedHashSet<Object> many = new LinkedHashSet<>(several);
                many.add(message);
                pending = many;
            }
            case null, default -> pending = with(pending, message);
        }
        if (isInvite(message)) {
            invites = with(invites, message);
        }
    }

    private static boolean isInvite(SipServletMessage message) {
        return message instanceof ServletRequest request
                && request.incoming()
                && request.getMethod().equals(Methods.INVITE);
    }

    @SuppressWarnings("unchecked")
    private static Object with(@Nullable Object held, Object one) {
        if (held == null) {
            return one;
        }
        ArrayList<Object> several;
        if (held instanceof ArrayList<?> list) {
            several = (ArrayList<Object>) list;
        } else {
            several = new ArrayList<>(2);
            several.add(held);
        }
        several.add(one);
        return several;
    }

    /** What is left; {@code held} itself when that one was not there. */
    private static @Nullable Object without(@Nullable Object held, Object one) {
        if (!(held instanceof ArrayList<?> several)) {
            return held == one ? null : held;
        }
        several.remove(one);
        return several.isEmpty() ? null : several;
    }

    /** True when it was there. */
    boolean remove(SipServletMessage message) {
        boolean was =
                switch (pending) {
                    case null -> false;
                    case ArrayList<?> several -> several.remove(message);
                    case LinkedHashSet<?> many -> many.remove(message);
                    case Object one -> one == message;
                };
        if (!was) {
            return false;
        }
        if (!(pending instanceof Collection<?> left) || left.isEmpty()) {
            pending = null;
        }
        if (isInvite(message)) {
            invites = without(invites, message);
        }
        return true;
    }

    /**
     * A reliable provisional response for which the application has to make the PRACK. RFC 3262 3
     * recommends that there is one at a time; of a peer that sends more the latest are kept.
     */
    public void awaitsPrack(ServletResponse provisional) {
        ServletResponse oldest = unPracked(0);
        if (oldest != null && unPracked(MOST_UNPRACKED - 1) != null) {
            remove(oldest);
        }
        add(provisional);
    }

    /** The INVITE has its final response: nobody waits for a PRACK any more. */
    public void dropUnPracked() {
        ServletResponse first = unPracked(0);
        while (first != null) {
            remove(first);
            first = unPracked(0);
        }
    }

    /** The reliable provisional response of that index, oldest first; null when there is none. */
    private @Nullable ServletResponse unPracked(int index) {
        List<SipServletMessage> all = messages();
        int left = index;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof ServletResponse response
                    && response.getStatus() < 200
                    && left-- == 0) {
                return response;
            }
        }
        return null;
    }

    /**
     * The dialog is over: nobody waits any more for an ACK or a PRACK that the application never
     * made. A 2xx gets its ACK here, the last one of its dialog.
     */
    void dropUnconfirmed() {
        Object held = pending;
        if (held instanceof ServletResponse only) {
            pending = null;
            LegEnding.confirm(only);
        } else if (held instanceof Collection<?> several) {
            for (Object one : List.copyOf(several)) {
                if (one instanceof ServletResponse response && remove(response)) {
                    LegEnding.confirm(response);
                }
            }
        }
    }

    /** The initial request that made the session, as long as it may be answered. */
    public @Nullable UasTransaction original() {
        UasTransaction before = answered;
        if (before != null) {
            return before;
        }
        Object held = pending;
        if (!(held instanceof Collection<?> several)) {
            return initial(held);
        }
        for (Object one : several) {
            UasTransaction found = initial(one);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable UasTransaction initial(@Nullable Object message) {
        return message instanceof ServletRequest request && request.isInitial()
                ? request.uas()
                : null;
    }

    /**
     * The initial request was answered with a 2xx that has its ACK; a fork behind a B2BUA may bring
     * another 2xx for 64*T1.
     */
    public void answered(UasTransaction initial) {
        answered = initial;
    }

    /** No fork of the requests behind it will bring another 2xx. */
    public void forgetAnswered() {
        answered = null;
    }

    /** Does a request, received or sent, wait for its final response? */
    public boolean hasRequest() {
        for (SipServletMessage message : messages()) {
            if (message instanceof ServletRequest) {
                return true;
            }
        }
        return false;
    }

    /** Does a 2xx of ours to an INVITE wait for its ACK? */
    public boolean awaitsAck() {
        for (ServletRequest invite : invites()) {
            UasTransaction server = invite.uas();
            if (server != null && server.unconfirmed()) {
                return true;
            }
        }
        return false;
    }

    /** A BYE that has to wait for the ACK. */
    public void hold(UacTransaction bye) {
        heldBye = bye;
    }

    /** The ACK has come, or will never come, or the call is over by other means. */
    public void sendHeldBye(ServletSession session) {
        UacTransaction bye = heldBye;
        if (bye != null) {
            heldBye = null;
            bye.transmit(session);
        }
    }

    void lingers(Lingering invite) {
        lingering = with(lingering, invite);
    }

    /** Its transaction has ended by itself. */
    public void lingered(Lingering invite) {
        lingering = without(lingering, invite);
    }

    /** Who waits for NOTIFYs to the last SUBSCRIBE; null when nobody does any more. */
    public @Nullable Subscriber subscriber() {
        return lingering(Subscriber.class);
    }

    /** The last of that kind that lingers; null for none. */
    public <T extends Lingering> @Nullable T lingering(Class<T> kind) {
        Object held = lingering;
        if (held instanceof ArrayList<?> several) {
            for (int i = several.size() - 1; i >= 0; i--) {
                if (kind.isInstance(several.get(i))) {
                    return kind.cast(several.get(i));
                }
            }
        }
        return kind.isInstance(held) ? kind.cast(held) : null;
    }

    /** The session is over: nothing is open any more, and what lingers is let go. */
    void release() {
        pending = null;
        invites = null;
        answered = null;
        Object last = lingering;
        lingering = null;
        if (last instanceof ArrayList<?> several) {
            several.forEach(invite -> ((Lingering) invite).release());
        } else if (last != null) {
            ((Lingering) last).release();
        }
    }
}
