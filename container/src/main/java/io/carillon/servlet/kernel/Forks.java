package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.RequestAttempt;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the dialogs that one request of ours begins: which responses belong to which.
 *
 * <p>An object of it is the sessions that the forks of one request of ours derived from its own
 * (RFC 3261 12.1.2: each remote tag is a dialog; SIP Servlet 1.1, 6.2.3.2), made with the first of
 * them, as few requests fork. Owner: the turn of the application session.
 */
final class Forks {
    private final ArrayList<ServletSession> derived = new ArrayList<>(1);

    /**
     * The session whose dialog the response belongs to: the request's own, or that of a fork, made
     * when this is its first; null when there are too many, or no room for what the response makes
     * us keep. May have put the request's forks into its place.
     */
    static @Nullable ServletSession sessionOf(UacTransaction of, SipResponse response) {
        ServletRequest request = of.request();
        ServletSession original = request.ownSession();
        int status = response.status();
        SessionHost host = original.host();
        if (status < 200 && host.keptAddresses().refuses(response, original.countedAt())) {
            host.counters().refusedAddresses.increment();
            return null; // the final response says what came of it
        }
        if (!request.isInitial()
                || !UasTransaction.makesDialog(request.method())
                || status >= 300) {
            return original;
        }
        SipRequest sent = of.sentRequest();
        String tag = response.toTag();
        if (sent == null || (tag == null && status < 200)) {
            return original;
        }
        if (status < 200 && !request.method().equals(Methods.INVITE)) {
            return original;
        }
        Dialog dialog = original.dialog().own();
        String remoteTag = tag == null ? "" : tag;
        if (dialog == null) {
            if (original.isValid()) {
                DialogLife.begin(
                        original,
                        DialogFlow.reached(Dialog.uac(sent, response), of.attempt()),
                        request.method());
            }
            return original;
        }
        if (dialog.remoteTag().equals(remoteTag)) {
            return original;
        }
        Forks forks = of.forks;
        if (forks == null) {
            forks = new Forks();
            of.forks = forks;
        }
        return forks.sessionOf(of, sent, response, remoteTag);
    }

    private @Nullable ServletSession sessionOf(
            UacTransaction of, SipRequest sent, SipResponse response, String remoteTag) {
        for (int i = 0; i < derived.size(); i++) {
            Dialog dialog = derived.get(i).dialog().own();
            if (dialog != null && dialog.remoteTag().equals(remoteTag)) {
                return derived.get(i);
            }
        }
        ServletSession original = of.request().ownSession();
        if (!original.parent().isValid()) {
            return original;
        }
        RequestAttempt by = of.attempt();
        if (by == null) {
            return null;
        }
        // The original session has one dialog, those derived from it the rest. A 2xx gets one place
        // more than what rings: else the tags of those who only ring could take the place of who
        // answers.
        int others = derived.size() - (response.status() < 200 ? 0 : 1);
        if (others >= by.shard().config().forks() - 1) {
            by.shard().counted(Counter.FORKS_REFUSED, 1);
            return null; // each costs a session, and a peer can make up as many tags as it likes
        }
        if (original.host().refusesFurther(original.parent(), original.countedAt())
                && (response.status() < 200 || answered(original))) {
            original.host().counters().refusedAddresses.increment();
            return null;
        }
        ServletSession fork = DerivedSession.of(original, remoteTag);
        DialogLife.begin(
                fork,
                DialogFlow.reached(Dialog.uac(sent, response), of.attempt()),
                of.request().method());
        derived.add(fork);
        return fork;
    }

    private boolean answered(ServletSession original) {
        boolean any = original.dialog().state() == SipSession.State.CONFIRMED;
        for (int i = 0; i < derived.size() && !any; i++) {
            any = derived.get(i).dialog().state() == SipSession.State.CONFIRMED;
        }
        return any;
    }

    /** Those that were not answered are over. */
    static void endEarly(@Nullable Forks forks) {
        for (int i = 0; forks != null && i < forks.derived.size(); i++) {
            endEarly(forks.derived.get(i));
        }
    }

    /**
     * RFC 3261 13.2.2.4: "The UAC core considers the INVITE transaction completed 64*T1 seconds
     * after the reception of the first 2xx response. At this point all the early dialogs that have
     * not transitioned to established dialogs are terminated."
     */
    static void over(ServletRequest invite, @Nullable Forks forks) {
        ServletSession original = invite.ownSession();
        endEarly(original);
        endEarly(forks);
        for (int i = 0; forks != null && i < forks.derived.size(); i++) {
            dropUnconfirmed(forks.derived.get(i), invite);
        }
        dropUnconfirmed(original, invite);
    }

    /**
     * Timer M: a 2xx that the application has not acknowledged by now waits for nothing any more.
     * RFC 3261 13.3.1.4: who sent it has repeated it for 64*T1 and then ended the call.
     */
    private static void dropUnconfirmed(ServletSession session, ServletRequest invite) {
        for (SipServletMessage open : List.copyOf(session.open())) {
            if (open instanceof ServletResponse response
                    && response.getStatus() >= 200
                    && response.getRequest() == invite) {
                session.closed(response);
            }
        }
    }

    private static void endEarly(ServletSession fork) {
        Dialog dialog = fork.dialog().own();
        if (fork.isValid() && dialog != null && dialog.state() == Dialog.State.EARLY) {
            dialog.terminate();
            DialogLife.follow(fork);
        }
    }
}
