package io.carillon.examples.uacregistercall;

import java.io.IOException;
import java.util.ListIterator;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;

/**
 * One contact at one registrar (RFC 3261 section 10.2): registered, refreshed in time, tried again
 * after failures, removed. Its state are attributes of its application session; all REGISTER
 * requests are of one SIP session, which gives them one Call-ID and a growing CSeq.
 */
final class Registration {
    private static final String REGISTRAR = "registrar";
    private static final String SESSION = "session";
    private static final String SECONDS = "seconds";
    private static final String FAILURES = "failures";
    private static final String ENDS = "ends";
    private static final int MAX_SECONDS = 86_400;
    private static final int FIRST_RETRY_SECONDS = 30;
    private static final int MAX_RETRY_SECONDS = 1800;

    private final SipApplicationSession state;
    private final SipFactory factory;
    private final TimerService timers;
    private final Credentials credentials;
    private final Address contact;

    Registration(
            SipApplicationSession state,
            SipFactory factory,
            TimerService timers,
            Credentials credentials,
            Address contact) {
        this.state = state;
        this.factory = factory;
        this.timers = timers;
        this.credentials = credentials;
        this.contact = contact;
    }

    /**
     * Is there one at another registrar, or a REGISTER on its way? RFC 3261 10.2: a client "MUST
     * NOT send a new registration ... until they have received a final response" to the one before.
     */
    boolean busy(SipURI registrar) {
        Object now = state.getAttribute(REGISTRAR);
        return now != null && (!now.equals(registrar) || state.getTimers().isEmpty());
    }

    /**
     * Registers, or for 0 seconds removes the registration.
     *
     * @param identity the address of record
     */
    void begin(SipURI registrar, Address identity, int seconds)
            throws IOException, ServletException {
        state.setAttribute(REGISTRAR, registrar);
        state.setAttribute(SECONDS, seconds);
        if (session() == null) {
            SipServletRequest first = factory.createRequest(state, "REGISTER", identity, identity);
            first.setRequestURI(registrar);
            first.getSession().setAttribute(SESSION, true);
            prepared(first).send();
        } else {
            again();
        }
    }

    private SipSession session() {
        java.util.Iterator<?> sessions = state.getSessions("SIP");
        while (sessions.hasNext()) {
            SipSession session = (SipSession) sessions.next();
            if (session.getAttribute(SESSION) != null) {
                return session;
            }
        }
        return null;
    }

    private SipServletRequest prepared(SipServletRequest register) throws ServletException {
        state.getTimers().forEach(ServletTimer::cancel);
        register.setAddressHeader("Contact", contact);
        register.setExpires((Integer) state.getAttribute(SECONDS));
        return register;
    }

    private void again() throws IOException, ServletException {
        prepared(session().createRequest("REGISTER")).send();
    }

    /** Returns what there is to say in the log; null for nothing. */
    String answered(SipServletResponse response) throws IOException, ServletException {
        int status = response.getStatus();
        boolean removes = response.getRequest().getExpires() == 0;
        if (status < 200) {
            return null;
        } else if (status == 401 || status == 407) {
            SipServletRequest again = prepared(session().createRequest("REGISTER"));
            if (credentials.answer(again, response)) {
                again.send();
                return null;
            }
            end();
            LineServlet.tell(response);
            return "the registrar does not take the credentials; not tried again";
        } else if (status == 423 && longer(response)) {
            again();
            return null;
        }
        Credentials.accepted(response.getSession());
        if (status < 300) {
            credentials.registered(response);
        }
        LineServlet.tell(response);
        if (removes) {
            end();
            return status < 300 ? null : "could not be removed: " + status;
        } else if (state.getAttribute(ENDS) != null) {
            remove();
            return null;
        } else if (status < 300) {
            state.removeAttribute(FAILURES);
            // Half the time leaves a second chance when the refresh fails.
            after(Math.max(1, granted(response) / 2));
            return null;
        }
        int seconds = patience(response);
        after(seconds);
        return "failed with " + status + "; the next try is in " + seconds + " s";
    }

    /** RFC 3261 10.2.8: the registrar wants a longer time, and says which. */
    private boolean longer(SipServletResponse response) {
        String least = response.getHeader("Min-Expires");
        int seconds = (Integer) state.getAttribute(SECONDS);
        if (least == null || !least.trim().matches("[0-9]{1,6}")) {
            return false;
        }
        int wanted = Integer.parseInt(least.trim());
        state.setAttribute(SECONDS, wanted);
        return wanted > seconds && wanted <= MAX_SECONDS;
    }

    /** RFC 3261 10.2.4: the time stands with our contact, else in Expires. */
    private int granted(SipServletResponse response) throws ServletException {
        ListIterator<Address> all = response.getAddressHeaders("Contact");
        while (all.hasNext()) {
            Address one = all.next();
            if (one.getURI().equals(contact.getURI()) && one.getExpires() >= 0) {
                return one.getExpires();
            }
        }
        int expires = response.getExpires();
        return expires >= 0 ? expires : (Integer) state.getAttribute(SECONDS);
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

    private void after(int seconds) {
        timers.createTimer(state, seconds * 1000L, false, "register");
    }

    /** Time to refresh, or to try again. */
    void fired() throws IOException, ServletException {
        if (state.getAttribute(ENDS) != null) {
            remove();
        } else {
            again();
        }
    }

    /** The application goes out of service: the contact is removed as soon as that is possible. */
    void leave() {
        state.setAttribute(ENDS, true);
        if (!state.getTimers().isEmpty()) {
            state.getTimers().forEach(ServletTimer::cancel);
            timers.createTimer(state, 1, false, "register");
        } // else a REGISTER is on its way: what comes back sees to it
    }

    private void remove() throws IOException, ServletException {
        if (state.getAttribute(FAILURES) != null) {
            end(); // it is not registered
        } else {
            state.setAttribute(SECONDS, 0);
            again();
        }
    }

    /** Lets go of everything; the application session ends by itself. */
    private void end() {
        state.getTimers().forEach(ServletTimer::cancel);
        state.removeAttribute(REGISTRAR);
        state.removeAttribute(FAILURES);
        SipSession session = session();
        if (session != null) {
            session.invalidate();
        }
    }
}
