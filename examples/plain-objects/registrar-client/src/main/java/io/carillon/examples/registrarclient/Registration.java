package io.carillon.examples.registrarclient;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;

/**
 * The state of one registration. All REGISTER requests are of one SIP session, which gives them one
 * Call-ID and a growing CSeq. With the session's turn held.
 */
final class Registration {
    private static final String SESSION = "session";
    private static final String SECONDS = "seconds";
    private static final String FAILURES = "failures";
    private static final String LEAVING = "leaving";
    private static final String TRIES = "tries";
    private static final String ROUTES = "service-route";
    private static final int MAX_TRIES = 3;
    private static final int MAX_SECONDS = 86_400;
    private static final int FIRST_RETRY_SECONDS = 30;
    private static final int MAX_RETRY_SECONDS = 1800;

    private final SipApplicationSession state;
    private final SipFactory factory;
    private final Account account;

    /**
     * What comes after an answer.
     *
     * @param registered the contact is registered now
     * @param inSeconds when to send the next REGISTER; 0: not by time
     * @param news for the log; null when all is as it should be
     */
    record Next(boolean registered, int inSeconds, String news) {
        static final Next WAIT = new Next(false, 0, null);

        static Next end(String news) {
            return new Next(false, 0, news);
        }
    }

    Registration(SipApplicationSession state, SipFactory factory, Account account) {
        this.state = state;
        this.factory = factory;
        this.account = account;
    }

    /** Registers, refreshes, or removes the contact. */
    void send() throws ServletException, IOException {
        prepared().send();
    }

    /** The application goes out of service. */
    void leave() throws ServletException, IOException {
        state.setAttribute(LEAVING, true);
        if (session() == null || state.getAttribute(FAILURES) != null) {
            end(); // it is not registered
        } else {
            state.setAttribute(SECONDS, 0);
            send();
        }
    }

    private SipSession session() {
        String id = (String) state.getAttribute(SESSION);
        return id == null ? null : state.getSipSession(id);
    }

    private SipServletRequest prepared() throws ServletException {
        SipSession session = session();
        SipServletRequest register;
        if (session == null) {
            Address identity = factory.createAddress(account.identity());
            register = factory.createRequest(state, "REGISTER", identity, identity);
            state.setAttribute(SESSION, register.getSession().getId());
        } else {
            register = session.createRequest("REGISTER");
        }
        register.setRequestURI(account.registrar());
        register.setAddressHeader("Contact", contact(register.getSession()));
        register.setExpires(seconds());
        register.addHeader("Supported", "path, outbound, gruu");
        if (seconds() > 0) {
            register.setAttribute("io.carillon.keep-alive", true);
        }
        return register;
    }

    private int seconds() {
        Object wanted = state.getAttribute(SECONDS);
        return wanted == null ? account.seconds() : (Integer) wanted;
    }

    private Address contact(SipSession session) {
        List<?> own =
                (List<?>) session.getServletContext().getAttribute(SipServlet.OUTBOUND_INTERFACES);
        SipURI here = (SipURI) ((SipURI) own.get(0)).clone();
        here.setUser(account.identity().getUser());
        Address contact = factory.createAddress(here);
        if (!account.instance().isEmpty()) {
            here.setParameter("ob", "");
            contact = factory.createAddress(here);
            contact.setParameter("reg-id", "1");
            contact.setParameter("+sip.instance", "<" + account.instance() + ">");
        }
        return contact;
    }

    Next answered(SipServletResponse response) throws ServletException, IOException {
        int status = response.getStatus();
        if (status == 401 || status == 407) {
            return challenged(response);
        }
        SipSession session = response.getSession();
        session.removeAttribute(TRIES);
        if (status == 423 && longer(response)) {
            send();
            return Next.WAIT;
        }
        if (state.getAttribute(LEAVING) != null) {
            return left(status);
        }
        if (status == 439) {
            // RFC 5626 4.2.1: the first hop does not know flows; the registration is done without.
            return Next.end("the first hop lacks outbound support; leave the instance out");
        }
        if (status < 300) {
            state.removeAttribute(FAILURES);
            remember(response);
            // Half the time leaves a second chance when the refresh fails.
            return new Next(true, Math.max(1, granted(response) / 2), null);
        }
        int wait = patience(response);
        return new Next(
                false, wait, "failed with " + status + "; the next try is in " + wait + " s");
    }

    /** An answer came while the application goes out of service. */
    private Next left(int status) throws ServletException, IOException {
        if (seconds() > 0 && status < 300) {
            leave(); // this one had been on its way
            return Next.WAIT;
        }
        end();
        return Next.end(status < 300 ? null : "could not be removed: " + status);
    }

    /**
     * RFC 3261 22.2: the same credentials are not tried again; a nonce that went stale says nothing
     * about them (RFC 7616 3.3).
     */
    private Next challenged(SipServletResponse challenge) throws ServletException, IOException {
        SipSession session = challenge.getSession();
        Object before = session.getAttribute(TRIES);
        int tries = before == null ? 0 : (Integer) before;
        boolean shown = carriesCredentials(challenge.getRequest()) && !stale(challenge);
        if (tries >= MAX_TRIES || (shown && tries > 0)) {
            session.removeAttribute(TRIES);
            state.setAttribute(FAILURES, tries);
            if (state.getAttribute(LEAVING) != null) {
                end();
            }
            return Next.end("the registrar does not take the credentials; not tried again");
        }
        session.setAttribute(TRIES, tries + 1);
        SipServletRequest again = prepared();
        again.addAuthHeader(challenge, account.identity().getUser(), account.password());
        again.send();
        return Next.WAIT;
    }

    private static boolean carriesCredentials(SipServletRequest request) {
        return request.getHeader("Authorization") != null
                || request.getHeader("Proxy-Authorization") != null;
    }

    private static boolean stale(SipServletResponse challenge) {
        for (String name : List.of("WWW-Authenticate", "Proxy-Authenticate")) {
            Iterator<String> values = challenge.getHeaders(name);
            while (values.hasNext()) {
                if (values.next().matches("(?i).*\\bstale\\s*=\\s*\"?true.*")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** RFC 3261 10.2.8: the registrar wants a longer time, and says which. */
    private boolean longer(SipServletResponse response) {
        String least = response.getHeader("Min-Expires");
        if (least == null || !least.trim().matches("[0-9]{1,6}")) {
            return false;
        }
        int wanted = Integer.parseInt(least.trim());
        boolean reasonable = wanted > seconds() && wanted <= MAX_SECONDS;
        if (reasonable) {
            state.setAttribute(SECONDS, wanted);
        }
        return reasonable;
    }

    /** RFC 3608 6.2: "the UA SHOULD [...] use the service route of the last registration". */
    private void remember(SipServletResponse response) throws ServletException {
        ArrayList<Address> routes = new ArrayList<>();
        response.getAddressHeaders("Service-Route").forEachRemaining(routes::add);
        state.setAttribute(ROUTES, routes);
    }

    List<Address> serviceRoute() {
        List<Address> routes = new ArrayList<>();
        if (state.getAttribute(ROUTES) instanceof List<?> known) {
            known.forEach(route -> routes.add((Address) route));
        }
        return List.copyOf(routes);
    }

    /** RFC 3261 10.2.4: the time stands with our contact, else in Expires. */
    private int granted(SipServletResponse response) throws ServletException {
        Address own = contact(response.getSession());
        ListIterator<Address> all = response.getAddressHeaders("Contact");
        while (all.hasNext()) {
            Address one = all.next();
            if (one.getURI().equals(own.getURI()) && one.getExpires() > 0) {
                return one.getExpires();
            }
        }
        int expires = response.getExpires();
        return expires > 0 ? expires : seconds();
    }

    /** Twice as long after each failure, and not before the registrar wants. */
    private int patience(SipServletResponse response) {
        Object before = state.getAttribute(FAILURES);
        int failures = before == null ? 0 : (Integer) before;
        state.setAttribute(FAILURES, failures + 1);
        int seconds = Math.min(FIRST_RETRY_SECONDS << Math.min(failures, 10), MAX_RETRY_SECONDS);
        String later = response.getHeader("Retry-After");
        if (later != null && later.trim().matches("[0-9]{1,5}\\b.*")) {
            seconds = Math.max(seconds, Integer.parseInt(later.trim().split("\\D", 2)[0]));
        }
        return seconds;
    }

    /** Lets go of everything. */
    private void end() {
        SipSession session = session();
        if (session != null && session.isValid()) {
            session.invalidate();
        }
        state.removeAttribute(SESSION);
        if (state.isValid()) {
            state.invalidate();
        }
    }
}
