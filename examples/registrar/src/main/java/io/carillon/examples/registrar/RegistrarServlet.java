package io.carillon.examples.registrar;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.URI;
import javax.sql.DataSource;

/**
 * A registrar (RFC 3261 section 10.3) whose bindings lie in the server's database. The container
 * has asked for the user's digest before this is called: sip.xml says so.
 */
public class RegistrarServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final int DEFAULT_SECONDS = 3600;
    private static final int MIN_SECONDS = 60;

    @Resource private transient DataSource database;
    @Resource private transient SipFactory factory;
    private transient Bindings bindings;

    @Override
    public void init() throws ServletException {
        try {
            bindings = new Bindings(database);
        } catch (SQLException e) {
            throw new ServletException("bindings: " + e.getMessage(), e);
        }
    }

    @Override
    protected void doRegister(SipServletRequest request) throws ServletException, IOException {
        try {
            String aor = Binding.addressOfRecord(request.getTo().getURI());
            if (aor == null) {
                throw new Refused(SipServletResponse.SC_NOT_FOUND);
            }
            // RFC 3261 10.3 step 4: may this user change the bindings of that address of record?
            if (!aor.startsWith("sip:" + request.getRemoteUser() + "@")) {
                throw new Refused(SipServletResponse.SC_FORBIDDEN);
            }
            long now = System.currentTimeMillis();
            accept(request, register(request, aor, now), now);
        } catch (Refused e) {
            SipServletResponse response = request.createResponse(e.status);
            if (e.status == SipServletResponse.SC_INTERVAL_TOO_BRIEF) {
                response.setHeader("Min-Expires", Integer.toString(MIN_SECONDS));
            }
            response.send();
        } catch (SQLException e) {
            log("bindings of " + request.getTo() + ": " + e.getMessage());
            request.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
        }
    }

    private List<Binding> register(SipServletRequest request, String aor, long now)
            throws ServletException, SQLException {
        List<Address> contacts = new ArrayList<>();
        request.getAddressHeaders("Contact").forEachRemaining(contacts::add);
        if (contacts.isEmpty()) {
            return bindings.of(aor, now); // a question
        }
        if (contacts.stream().anyMatch(Address::isWildcard)) {
            // RFC 3261 10.3 step 6: alone, and with Expires 0, or it is a 400.
            if (contacts.size() > 1 || request.getExpires() != 0) {
                throw new Refused(SipServletResponse.SC_BAD_REQUEST);
            }
            return bindings.change(aor, now, before -> withoutAny(request, before));
        }
        return bindings.change(aor, now, before -> with(request, contacts, before, now));
    }

    private static List<Binding> withoutAny(SipServletRequest request, List<Binding> before)
            throws Refused {
        for (Binding old : before) {
            checkOrder(request, old);
        }
        return List.of();
    }

    private List<Binding> with(
            SipServletRequest request, List<Address> contacts, List<Binding> before, long now)
            throws ServletException {
        List<Binding> after = new ArrayList<>(before);
        for (Address contact : contacts) {
            int seconds = seconds(request, contact);
            for (Binding old : before) {
                if (factory.createURI(old.contact).equals(contact.getURI())) {
                    checkOrder(request, old);
                    after.remove(old);
                }
            }
            Binding put = binding(request, contact.getURI(), contact.getQ(), now, seconds);
            after.removeIf(one -> one.contact.equals(put.contact)); // named twice: the last counts
            if (seconds > 0) {
                after.add(put);
            }
        }
        return after;
    }

    private static Binding binding(
            SipServletRequest request, URI contact, float q, long now, int seconds) {
        List<String> path = new ArrayList<>();
        request.getHeaders("Path").forEachRemaining(path::add);
        return new Binding(
                contact.toString(),
                q < 0 ? 1 : q,
                now + seconds * 1000L,
                request.getCallId(),
                cseq(request),
                path);
    }

    /** RFC 3261 10.3 step 7: with the same Call-ID, only a higher CSeq may change a binding. */
    private static void checkOrder(SipServletRequest request, Binding old) throws Refused {
        if (old.callId.equals(request.getCallId()) && cseq(request) <= old.cseq) {
            throw new Refused(SipServletResponse.SC_SERVER_INTERNAL_ERROR);
        }
    }

    private static long cseq(SipServletRequest request) {
        return Long.parseLong(request.getHeader("CSeq").trim().split("\\s+")[0]);
    }

    private static int seconds(SipServletRequest request, Address contact) throws Refused {
        int asked = contact.getExpires() >= 0 ? contact.getExpires() : request.getExpires();
        if (asked < 0) {
            return DEFAULT_SECONDS;
        }
        if (asked > 0 && asked < MIN_SECONDS) {
            throw new Refused(SipServletResponse.SC_INTERVAL_TOO_BRIEF);
        }
        return Math.min(asked, DEFAULT_SECONDS);
    }

    /** RFC 3261 10.3 step 8: the answer lists all current bindings. */
    private void accept(SipServletRequest request, List<Binding> now, long millis)
            throws ServletException, IOException {
        SipServletResponse response = request.createResponse(SipServletResponse.SC_OK);
        for (Binding one : now) {
            Address contact = factory.createAddress(factory.createURI(one.contact));
            contact.setQ(one.q);
            contact.setExpires((int) ((one.expiresAtMillis - millis + 999) / 1000));
            response.addAddressHeader("Contact", contact, false);
        }
        response.send();
    }
}
