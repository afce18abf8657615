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
import io.carillon.sip.guard.SourceKey;
import io.carillon.web.CallNotification.State;
import io.carillon.web.IncomingCalls.Known;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

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

    /** Characters of a caller's name: it stands in each list and event. */
    private static final int LONGEST_NAME = 80;

    private final WebProperties properties;
    private final EventStreams streams;
    private final SipSessionsUtil sessions;
    private final SipTurns turns;
    private final IncomingCalls calls;

    Notifications(
            WebProperties properties,
            EventStreams streams,
            SipSessionsUtil sessions,
            SipTurns turns) {
        this.properties = properties;
        this.streams = streams;
        this.sessions = sessions;
        this.turns = turns;
        this.calls = new IncomingCalls(properties.callsInAll());
    }

    @Invite
    @Initial
    Plan invite(SipServletRequest invite, SipURI called, SipApplicationSession session) {
        String user = called.getUser();
        WebProperties.Account account = user == null ? null : properties.accounts().get(user);
        if (account == null) {
            return Plan.respond(SipServletResponse.SC_NOT_FOUND);
        }
        CallNotification notification =
                new CallNotification(session.getId(), shown(invite.getFrom()), State.RINGING);
        Known call = new Known(user, source(invite.getInitialRemoteAddr()), notification);
        if (!calls.begin(call)) {
            return Plan.respond(SipServletResponse.SC_BUSY_HERE);
        }
        Roles.give(invite.getSession(), ROLE);
        session.setAttribute(INVITE, invite);
        show(call);
        return Plan.bridge(account.phone());
    }

    private static String shown(Address from) {
        String name = from.getDisplayName();
        String shown = name == null || name.isBlank() ? from.getURI().toString() : name;
        return shown.substring(0, Math.min(LONGEST_NAME, shown.length()));
    }

    /** For whom a call counts. */
    private static long source(@Nullable String address) {
        try {
            return address == null ? 0 : SourceKey.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException noAddress) {
            return 0; // it came by no network
        }
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

    private void show(Known call) {
        streams.publish(call.user(), call.notification());
    }

    private void change(SipApplicationSession session, State state) {
        Known call = calls.enter(session.getId(), state);
        if (call != null) {
            show(call);
        }
    }

    /** The user's incoming calls that are not over. */
    List<CallNotification> of(String user) {
        return calls.of(user);
    }

    /**
     * Refuses a call that rings: the caller gets 603 Decline (RFC 3261 section 21.6.2). It is done
     * in the call's turn, which is not waited for; who answers first is connected.
     *
     * @throws ApiProblem 404 for another user's, 409 when it does not ring any more
     */
    void refuse(String user, String id) {
        Known known = calls.find(id);
        if (known == null || !known.user().equals(user)) {
            throw ApiProblem.noSuch("call notification", id);
        }
        SipApplicationSession session = sessions.getApplicationSessionById(id);
        if (session == null || known.notification().state() != State.RINGING) {
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
