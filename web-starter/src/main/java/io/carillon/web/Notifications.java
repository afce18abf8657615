package io.carillon.web;

import io.carillon.boot.SipTurns;
import io.carillon.pojo.AnyMethod;
import io.carillon.pojo.Bye;
import io.carillon.pojo.Cancel;
import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.Plan;
import io.carillon.pojo.Role;
import io.carillon.pojo.Roles;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.Status;
import io.carillon.web.CallNotification.State;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;

/**
 * Calls to users of the API ({@code sip:USER@here}): bridged to the user's phone, and shown on his
 * pages, which can refuse them while they ring. What is known of a call is changed in its turn, and
 * read by any thread.
 */
@SipHandler
@NonBlocking
public class Notifications {
    private static final String ROLE = "io.carillon.web.notified";

    /** Of an application session: the INVITE that came. */
    private static final String INVITE = "io.carillon.web.incoming";

    private record Known(String user, CallNotification notification) {}

    private final WebProperties properties;
    private final EventStreams streams;
    private final SipSessionsUtil sessions;
    private final SipTurns turns;
    private final Map<String, Known> byId = new ConcurrentHashMap<>();

    Notifications(
            WebProperties properties,
            EventStreams streams,
            SipSessionsUtil sessions,
            SipTurns turns) {
        this.properties = properties;
        this.streams = streams;
        this.sessions = sessions;
        this.turns = turns;
    }

    @Invite
    @Initial
    Plan invite(SipServletRequest invite, SipURI called, SipApplicationSession session) {
        String user = called.getUser();
        WebProperties.Account account = user == null ? null : properties.accounts().get(user);
        if (account == null) {
            return Plan.respond(SipServletResponse.SC_NOT_FOUND);
        }
        Roles.give(invite.getSession(), ROLE);
        session.setAttribute(INVITE, invite);
        show(session, user, shown(invite.getFrom()), State.RINGING);
        return Plan.bridge(account.phone());
    }

    private static String shown(Address from) {
        String name = from.getDisplayName();
        return name == null || name.isBlank() ? from.getURI().toString() : name;
    }

    @Invite
    @FinalResponse
    @Role(ROLE)
    Plan answered(SipServletResponse response, SipApplicationSession session) {
        change(session, response.getStatus() < 300 ? State.ANSWERED : State.ENDED);
        return Plan.relay();
    }

    @Bye
    @Role(ROLE)
    Plan ended(SipServletRequest bye, SipApplicationSession session) {
        change(session, State.ENDED);
        return Plan.relay();
    }

    @Cancel
    @Role(ROLE)
    void cancelled(SipServletRequest cancel, SipApplicationSession session) throws IOException {
        change(session, State.ENDED);
        cancelOther(cancel);
    }

    /** A CANCEL has no plan: the other leg is ended here. */
    private static void cancelOther(SipServletRequest cancel) throws IOException {
        SipSession other = cancel.getB2buaHelper().getLinkedSession(cancel.getSession());
        if (other != null && other.isValid() && other.getState() != SipSession.State.CONFIRMED) {
            cancel.getB2buaHelper().createCancel(other).send();
        }
    }

    @AnyMethod
    @Status("100-699")
    @Role(ROLE)
    Plan others(SipServletResponse response) {
        return Plan.relay();
    }

    @SessionDestroyed
    void forget(SipApplicationSession session) {
        change(session, State.ENDED);
    }

    private void show(SipApplicationSession session, String user, String from, State state) {
        CallNotification notification = new CallNotification(session.getId(), from, state);
        byId.put(session.getId(), new Known(user, notification));
        streams.publish(user, "call-notification", notification);
    }

    private void change(SipApplicationSession session, State state) {
        Known known =
                state == State.ENDED ? byId.remove(session.getId()) : byId.get(session.getId());
        if (known != null) {
            if (state == State.ENDED) {
                CallNotification last =
                        new CallNotification(session.getId(), known.notification.from(), state);
                streams.publish(known.user, "call-notification", last);
            } else {
                show(session, known.user, known.notification.from(), state);
            }
        }
    }

    /** The user's incoming calls that are not over. */
    List<CallNotification> of(String user) {
        return byId.values().stream()
                .filter(known -> known.user.equals(user))
                .map(Known::notification)
                .toList();
    }

    /**
     * Refuses a call that rings: the caller gets 603 Decline (RFC 3261 section 21.6.2). It is done
     * in the call's turn, which is not waited for; who answers first is connected.
     *
     * @throws ApiProblem 404 for another user's, 409 when it does not ring any more
     */
    void refuse(String user, String id) {
        Known known = byId.get(id);
        if (known == null || !known.user.equals(user)) {
            throw ApiProblem.noSuch("call notification", id);
        }
        SipApplicationSession session = sessions.getApplicationSessionById(id);
        if (session == null || known.notification.state() != State.RINGING) {
            throw ApiProblem.hasEnded(id);
        }
        turns.execute(session, () -> decline(session));
    }

    private void decline(SipApplicationSession session) throws IOException {
        SipServletRequest invite = (SipServletRequest) session.getAttribute(INVITE);
        if (invite == null || invite.isCommitted()) {
            return; // answered or cancelled since it was asked
        }
        SipSession other = invite.getB2buaHelper().getLinkedSession(invite.getSession());
        invite.createResponse(SipServletResponse.SC_DECLINE).send();
        if (other != null && other.isValid()) {
            invite.getB2buaHelper().createCancel(other).send();
        }
        change(session, State.ENDED);
    }
}
