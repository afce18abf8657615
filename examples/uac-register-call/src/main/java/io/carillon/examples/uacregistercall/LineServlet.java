package io.carillon.examples.uacregistercall;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import javax.annotation.Resource;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.annotation.SipApplicationKey;

/**
 * A telephone line without a telephone: registers with digest, and places calls. What it does it is
 * told by REFER (RFC 3515): to a URI with {@code method=REGISTER} it registers, any other it calls.
 */
public class LineServlet extends SipServlet
        implements TimerListener, SipServletListener, ServletContextAttributeListener {
    private static final long serialVersionUID = 1L;
    private static final int RING_MILLIS = 60_000;
    private static final int REGISTRATION_SECONDS = 3600;

    /** Another one for each version that is deployed: none takes over what another began. */
    private static final String VERSION = UUID.randomUUID().toString();

    @Resource private transient SipFactory factory;
    @Resource private transient TimerService timers;
    @Resource private transient SipSessionsUtil sessions;
    private transient Credentials credentials;
    private transient Address identity;
    private transient Address contact;
    private transient SipURI registrar;
    private List<String> controllers;
    private transient volatile List<Address> serviceRoute = List.of();
    private int talkMillis;

    /**
     * The registration has an application session of its own, where each REFER about it finds it.
     */
    @SipApplicationKey
    public static String session(SipServletRequest request) {
        try {
            SipURI target = request.getMethod().equals("REFER") ? target(request) : null;
            return target != null && "REGISTER".equals(target.getMethodParam()) ? VERSION : null;
        } catch (ServletParseException e) {
            return null; // doRefer says so
        }
    }

    /** RFC 3515 2.4.2: the only Refer-To; null without, or when it is no SIP URI. */
    private static SipURI target(SipServletRequest refer) throws ServletParseException {
        Iterator<Address> all = refer.getAddressHeaders("Refer-To");
        Address first = all.hasNext() ? all.next() : null;
        return first != null && !all.hasNext() && first.getURI().isSipURI()
                ? (SipURI) first.getURI().clone()
                : null;
    }

    // ---- life ----

    @Override
    public void init() throws ServletException {
        String user = parameter("user", null);
        credentials =
                new Credentials(factory, user, parameter("password", null), parameter("realm", ""));
        controllers = List.of(parameter("control-from", null).split("[, ]+"));
        List<?> own = (List<?>) getServletContext().getAttribute(OUTBOUND_INTERFACES);
        SipURI here = (SipURI) ((SipURI) own.get(0)).clone();
        here.setUser(user);
        here.setParameter("line", VERSION);
        contact = factory.createAddress(here);
        try {
            talkMillis = Integer.parseInt(parameter("talk-millis", null));
            identity = factory.createAddress(parameter("identity", null));
            String uri = parameter("registrar", "");
            registrar = uri == null ? null : (SipURI) factory.createURI(uri);
        } catch (NumberFormatException | ServletParseException | ClassCastException e) {
            throw new ServletException("talk-millis, identity or registrar: " + e.getMessage(), e);
        }
    }

    private String parameter(String name, String whenMissing) throws ServletException {
        String value = getServletContext().getInitParameter(name);
        if (value == null || value.isBlank()) {
            if (whenMissing == null) {
                throw new ServletException(name + " must be set");
            }
            return null;
        }
        return value.trim();
    }

    /** The first moment at which an application may send. */
    @Override
    public void servletInitialized(SipServletContextEvent event) {
        if (registrar != null) {
            try {
                registration(factory.createApplicationSessionByKey(VERSION))
                        .begin(registrar, identity, REGISTRATION_SECONDS);
            } catch (IOException | ServletException e) {
                log("The registration at " + registrar + " cannot begin", e);
            }
        }
    }

    /**
     * Carillon says so when this version goes out of service: contextDestroyed comes when its last
     * session is gone, and the registration would be there for ever.
     */
    @Override
    public void attributeAdded(ServletContextAttributeEvent event) {
        if (event.getName().equals("io.carillon.retiring")) {
            SipApplicationSession session = sessions.getApplicationSessionByKey(VERSION, false);
            if (session != null && session.isValid()) {
                registration(session).leave();
            }
        }
    }

    @Override
    public void attributeRemoved(ServletContextAttributeEvent event) {
        // Others' attributes.
    }

    @Override
    public void attributeReplaced(ServletContextAttributeEvent event) {
        // Others' attributes.
    }

    private Registration registration(SipApplicationSession session) {
        return new Registration(session, factory, timers, credentials, contact);
    }

    private OutgoingCall call(SipApplicationSession session) {
        return new OutgoingCall(session, timers, credentials);
    }

    // ---- requests ----

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        switch (request.getMethod()) {
            case "REFER":
                refer(request);
                break;
            case "BYE":
                call(request.getApplicationSession()).hungUp(request);
                break;
            case "ACK":
            case "CANCEL":
                break;
            case "INVITE":
                request.createResponse(480).send(); // this line only calls out
                break;
            default:
                SipServletResponse other =
                        request.createResponse(request.getMethod().equals("OPTIONS") ? 200 : 405);
                other.setHeader("Allow", "REFER, OPTIONS, INVITE, ACK, CANCEL, BYE");
                other.send();
        }
    }

    /**
     * Whoever may send this lets us call whom he likes: it has to come from an address we trust.
     */
    private void refer(SipServletRequest refer) throws ServletException, IOException {
        SipURI target = null;
        try {
            target = target(refer);
        } catch (ServletParseException e) {
            log("REFER from " + refer.getInitialRemoteAddr() + ": " + e.getMessage());
        }
        if (!refer.isInitial() || !controllers.contains(refer.getInitialRemoteAddr())) {
            refer.createResponse(403).send();
            return;
        }
        String method = target == null ? "none" : target.getMethodParam();
        SipApplicationSession session = refer.getApplicationSession();
        if (target == null) {
            refer.createResponse(400, "One Refer-To With A SIP URI").send();
        } else if ("REGISTER".equals(method)) {
            String expires = target.getHeader("Expires");
            withoutHeaders(target);
            target.removeParameter("method");
            target.setUser(null);
            if (registration(session).busy(target)) {
                refer.createResponse(491).send();
                return;
            }
            refer.createResponse(202).send();
            remember(refer);
            registration(session)
                    .begin(target, identity, "0".equals(expires) ? 0 : REGISTRATION_SECONDS);
        } else if (method == null || method.equals("INVITE")) {
            withoutHeaders(target);
            target.removeParameter("method");
            refer.createResponse(202).send();
            remember(refer);
            call(session).begin(factory, identity, target, RING_MILLIS, serviceRoute);
        } else {
            refer.createResponse(400, "Only REGISTER And INVITE").send();
        }
    }

    /** RFC 3261 19.1.1: a Request-URI and a To have none. */
    private static void withoutHeaders(SipURI target) {
        List<String> names = new ArrayList<>();
        target.getHeaderNames().forEachRemaining(names::add);
        names.forEach(target::removeHeader);
    }

    private static void remember(SipServletRequest refer) throws IOException {
        refer.getApplicationSession().setAttribute("asker", refer.getSession());
        Asker.tell(refer.getSession(), "refer", "SIP/2.0 100 Trying", false);
    }

    /** Tells whoever asked for what this is the answer to. */
    static void tell(SipServletResponse about) throws IOException {
        SipSession asker = (SipSession) about.getApplicationSession().getAttribute("asker");
        Asker.tell(asker, "refer", Asker.statusLine(about), about.getStatus() >= 200);
        if (about.getStatus() >= 200) {
            about.getApplicationSession().removeAttribute("asker");
        }
    }

    // ---- what comes back ----

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        SipApplicationSession session = response.getApplicationSession();
        switch (response.getMethod()) {
            case "REGISTER":
                if (response.getStatus() < 300 && response.getStatus() >= 200) {
                    serviceRoute = serviceRoute(response);
                }
                String news = registration(session).answered(response);
                if (news != null) {
                    log("Registration of " + identity + ": " + news);
                }
                break;
            case "INVITE":
                call(session).answered(response, talkMillis);
                break;
            case "BYE":
                call(session).byeAnswered(response);
                break;
            default:
                Asker.heard(response);
        }
    }

    /** RFC 3608 6.2: those of the last answer count, none of an earlier one. */
    private static List<Address> serviceRoute(SipServletResponse response)
            throws ServletParseException {
        List<Address> routes = new ArrayList<>();
        response.getAddressHeaders("Service-Route").forEachRemaining(routes::add);
        return List.copyOf(routes);
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipApplicationSession session = timer.getApplicationSession();
        try {
            if (timer.getInfo().equals("register")) {
                registration(session).fired();
            } else {
                call(session).fired(timer);
            }
        } catch (IOException | ServletException e) {
            log(timer.getInfo() + " cannot be sent", e);
        }
    }
}
