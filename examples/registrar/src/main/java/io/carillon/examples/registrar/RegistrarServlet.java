package io.carillon.examples.registrar;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import javax.sql.DataSource;

/**
 * A registrar (RFC 3261 section 10.3) with Path (RFC 3327), Service-Route (RFC 3608), flows (RFC
 * 5626) and GRUUs (RFC 5627), whose bindings lie in the server's database. The container has asked
 * for the user's digest before this is called: sip.xml says so.
 */
public class RegistrarServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Resource private transient DataSource database;
    @Resource private transient SipFactory factory;
    private transient Bindings bindings;
    private transient Gruus gruus;
    private transient List<String> serviceRoute;
    private transient String flowTimer;
    private transient ContactLimit limit;
    private transient OwnHosts own;
    private transient Expired expired;

    @Override
    public void init() throws ServletException {
        try {
            bindings = new Bindings(database);
            gruus = new Gruus(database);
            expired = new Expired(database);
        } catch (SQLException e) {
            throw new ServletException("bindings: " + e.getMessage(), e);
        }
        getServletContext().setAttribute(RegisteredNow.ATTRIBUTE, new RegisteredNow(database));
        limit = ContactLimit.of(getServletContext());
        own = OwnHosts.of(getServletContext());
        serviceRoute = serviceRoute(parameter("service-route"));
        flowTimer = parameter("flow-timer");
        if (!flowTimer.matches("[1-9][0-9]{0,8}|")) {
            throw new ServletException("flow-timer must be seconds, not '" + flowTimer + "'");
        }
    }

    private String parameter(String name) {
        String value = getServletContext().getInitParameter(name);
        return value == null ? "" : value.trim();
    }

    private List<String> serviceRoute(String text) throws ServletException {
        List<String> routes = new ArrayList<>();
        for (String uri : text.split("[,\\s]+")) {
            if (!uri.isEmpty()) {
                // Read as it will be written: a bracket more or less makes another URI of it.
                URI parsed =
                        uri.startsWith("<")
                                ? factory.createAddress(uri).getURI()
                                : factory.createURI(uri);
                if (!parsed.isSipURI()) {
                    throw new ServletException("service-route must be SIP URIs, not '" + uri + "'");
                }
                SipURI route = (SipURI) parsed;
                route.setLrParam(true);
                routes.add("<" + route + ">");
            }
        }
        return routes;
    }

    @Override
    protected void doRegister(SipServletRequest request) throws ServletException, IOException {
        try {
            // RFC 3261 10.3 step 5: "If the address-of-record is not valid for the domain in the
            // Request-URI, the registrar MUST send a 404 (Not Found) response".
            String aor = Binding.addressOfRecord(request.getTo().getURI());
            if (aor == null || !own.has(request.getTo().getURI())) {
                throw new Refused(SipServletResponse.SC_NOT_FOUND);
            }
            // RFC 3261 10.3 step 4: may this user change the bindings of that address of record?
            // His name is the whole user part: it may hold an escaped at sign (19.1.2), and account
            // bob is not account bob@corp. RFC 5627 5.1: a GRUU is no address of record.
            SipURI to = (SipURI) request.getTo().getURI();
            if (!to.getUser().equals(request.getRemoteUser()) || to.getParameter("gr") != null) {
                throw new Refused(SipServletResponse.SC_FORBIDDEN);
            }
            accept(request, aor, to);
        } catch (Refused e) {
            SipServletResponse response =
                    e.reason == null
                            ? request.createResponse(e.status)
                            : request.createResponse(e.status, e.reason);
            if (e.header != null) {
                response.setHeader(e.header, e.value);
            }
            response.send();
        } catch (SQLTransientException e) {
            // No connection to the database became free: the server counts and logs how often.
            Refused.forNow(request).send();
        } catch (SQLException e) {
            log("bindings of " + request.getTo() + ": " + e.getMessage());
            request.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
        }
    }

    private void accept(SipServletRequest request, String aor, SipURI to)
            throws ServletException, SQLException, IOException {
        long now = System.currentTimeMillis();
        sweep(now);
        Registration asked = Registration.of(request);
        Set<String> before = new LinkedHashSet<>();
        List<Binding> bound = register(asked, request, aor, now, before);
        SipServletResponse response = request.createResponse(SipServletResponse.SC_OK);
        // RFC 3261 10.3 step 8: the answer lists all current bindings.
        for (Binding one : bound) {
            String value = contact(one, now);
            if (asked.supports("gruu") && !one.instance.isEmpty()) {
                value += gruus(to, one, request.getCallId(), before);
            }
            response.addHeader("Contact", value);
        }
        extend(response, asked);
        response.send();
    }

    /** What nobody registers again goes away too; a fault of that is not this user's. */
    private void sweep(long now) {
        try {
            expired.sweep(now);
        } catch (SQLException e) {
            log("expired bindings: " + e.getMessage());
        }
    }

    /** RFC 5627 5.3: both GRUUs of the instance stand with its contact. */
    private String gruus(SipURI to, Binding one, String callId, Set<String> before)
            throws SQLException {
        // A contact that this REGISTER did not touch keeps the Call-ID that it came with.
        String by = one.callId.equals(callId) ? callId : one.callId;
        boolean first = !before.contains(one.instance);
        return ";pub-gruu="
                + Registration.quoted(Gruus.publicGruu(to, one.instance))
                + ";temp-gruu="
                + Registration.quoted(gruus.temporaryGruu(to, one.instance, by, first));
    }

    private static String contact(Binding one, long now) {
        long seconds = (one.expiresAtMillis - now + 999) / 1000;
        String text = "<" + one.contact + ">;q=" + one.q + ";expires=" + seconds + one.params;
        if (!one.instance.isEmpty()) {
            text += ";+sip.instance=" + Registration.quoted("<" + one.instance + ">");
        }
        return one.regId == 0 ? text : text + ";reg-id=" + one.regId;
    }

    private void extend(SipServletResponse response, Registration asked) {
        if (asked.outbound()) {
            // RFC 5626 6: "the registrar MUST include the outbound option-tag in a Require header
            // field value in its response".
            response.addHeader("Require", "outbound");
            if (!flowTimer.isEmpty()) {
                response.setHeader("Flow-Timer", flowTimer);
            }
        }
        response.addHeader("Supported", "path, outbound, gruu");
        if (asked.supports("path")) {
            // RFC 3327 5.3: "The registrar copies the Path header field values into a Path header
            // field in the successful (200 class) REGISTER response."
            for (String value : asked.path) {
                response.addHeader("Path", value);
            }
        }
        for (String route : serviceRoute) {
            response.addHeader("Service-Route", route);
        }
    }

    /**
     * @param instances gets those that were registered before
     */
    private List<Binding> register(
            Registration asked,
            SipServletRequest request,
            String aor,
            long now,
            Set<String> instances)
            throws ServletException, SQLException {
        if (asked.contacts.isEmpty()) {
            List<Binding> bound = bindings.of(aor, now); // a question
            bound.forEach(one -> instances.add(one.instance));
            return bound;
        }
        boolean all = asked.contacts.stream().anyMatch(Address::isWildcard);
        // RFC 3261 10.3 step 6: alone, and with Expires 0, or it is a 400.
        if (all && (asked.contacts.size() > 1 || request.getExpires() != 0)) {
            throw new Refused(SipServletResponse.SC_BAD_REQUEST);
        }
        return bindings.change(
                aor,
                now,
                before -> {
                    instances.clear();
                    before.forEach(one -> instances.add(one.instance));
                    return all ? withoutAny(asked, before) : with(asked, before, now);
                });
    }

    private static List<Binding> withoutAny(Registration asked, List<Binding> before)
            throws Refused {
        for (Binding old : before) {
            asked.checkOrder(old);
        }
        return List.of();
    }

    private List<Binding> with(Registration asked, List<Binding> before, long now)
            throws ServletException {
        List<Binding> after = new ArrayList<>(before);
        // Newer than every other, in the same millisecond too: the newest flow is tried first.
        long updated = now;
        for (Binding old : before) {
            updated = Math.max(updated, old.updatedAtMillis + 1);
        }
        for (Address contact : asked.contacts) {
            int seconds = asked.seconds(contact);
            Binding put = asked.binding(contact, now + seconds * 1000L, updated);
            for (Binding old : before) {
                if (same(old, put, contact)) {
                    asked.checkOrder(old);
                    after.remove(old);
                }
            }
            after.removeIf(one -> one.key().equals(put.key())); // named twice: the last counts
            if (seconds > 0) {
                after.add(put);
            }
        }
        limit.check(before.size(), after.size());
        return after;
    }

    /** RFC 5626 6: a flow is told by instance and reg-id, every other binding by its Contact. */
    private boolean same(Binding old, Binding put, Address contact) throws ServletException {
        if (old.regId != 0 || put.regId != 0) {
            return old.key().equals(put.key());
        }
        return factory.createURI(old.contact).equals(contact.getURI());
    }
}
