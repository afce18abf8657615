package io.carillon.examples.registrarclient;

import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Message;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.OnTimer;
import io.carillon.pojo.Options;
import io.carillon.pojo.Register;
import java.io.IOException;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.TimerService;

/**
 * A line at a registrar (RFC 3261 section 10.2): registered, refreshed in time, tried again after
 * failures, removed in the end. What it knows of its registration are attributes of its application
 * session.
 */
@io.carillon.pojo.SipHandler
@NonBlocking
public class Line {
    static final String REGISTER = "register";
    static final String LEAVE = "leave";

    private volatile Account account;

    /** RFC 3608 6.2: by these go the requests of this line. */
    private volatile List<Address> serviceRoute = List.of();

    private Account account(ServletContext context, SipFactory factory) throws ServletException {
        Account known = account;
        if (known == null) {
            known = Account.of(context, factory);
            account = known; // two at once find the same
        }
        return known;
    }

    private Registration registration(
            SipApplicationSession session, ServletContext context, SipFactory factory)
            throws ServletException {
        return new Registration(session, factory, account(context, factory));
    }

    @OnTimer(REGISTER)
    public void itIsTime(
            ServletTimer timer,
            SipApplicationSession session,
            ServletContext context,
            SipFactory factory)
            throws ServletException, IOException {
        registration(session, context, factory).send();
    }

    @OnTimer(LEAVE)
    public void leave(
            ServletTimer timer,
            SipApplicationSession session,
            ServletContext context,
            SipFactory factory)
            throws ServletException, IOException {
        registration(session, context, factory).leave();
    }

    @Register
    @FinalResponse
    public void answered(
            SipServletResponse response,
            ServletContext context,
            SipFactory factory,
            TimerService timers)
            throws ServletException, IOException {
        SipApplicationSession session = response.getApplicationSession();
        Registration registration = registration(session, context, factory);
        Registration.Next next = registration.answered(response);
        if (next.registered()) {
            serviceRoute = registration.serviceRoute();
        }
        if (next.news() != null) {
            context.log("Registration of " + account + ": " + next.news());
        }
        if (next.inSeconds() > 0) {
            timers.createTimer(session, next.inSeconds() * 1000L, false, REGISTER);
        }
    }

    /** What somebody on this machine sends through the line goes out in its name. */
    @Message
    @Initial
    public int message(SipServletRequest request, ServletContext context, SipFactory factory)
            throws ServletException, IOException {
        if (!request.getInitialRemoteAddr().equals(request.getLocalAddr())) {
            return SipServletResponse.SC_FORBIDDEN;
        }
        SipServletRequest out =
                factory.createRequest(
                        request.getApplicationSession(),
                        "MESSAGE",
                        factory.createAddress(account(context, factory).identity()),
                        factory.createAddress(request.getRequestURI()));
        if (request.getContentType() != null) {
            out.setContent(request.getContent(), request.getContentType());
        }
        List<Address> routes = serviceRoute;
        for (int i = routes.size() - 1; i >= 0; i--) {
            out.pushRoute(routes.get(i));
        }
        out.send();
        return SipServletResponse.SC_ACCEPTED;
    }

    /** Registrars ask whether a contact is there. */
    @Options
    @Initial
    public int options() {
        return SipServletResponse.SC_OK;
    }
}
