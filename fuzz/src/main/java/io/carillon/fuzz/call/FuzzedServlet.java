package io.carillon.fuzz.call;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.UAMode;

/**
 * Reads all of a message by the API, or does what it is told with it, then is a proxy for users
 * that begin with p, a B2BUA for those with b, and answers all others itself. What the API declares
 * to refuse, it takes as refused.
 */
final class FuzzedServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final String TARGET = "sip:callee@10.0.0.3";

    /** Set where the session is a proxy's: a later request has no Proxy before one is asked for. */
    private static final String PASSED_ON = "passed-on";

    /** What is done with each message first. */
    interface Look {
        void at(SipServletMessage message) throws ServletException, IOException;
    }

    private final transient Look look;

    /** Reads all of each message. */
    FuzzedServlet() {
        this(FuzzedServlet::readAll);
    }

    FuzzedServlet(Look look) {
        this.look = look;
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        look.at(request);
        try {
            if (!request.isInitial()) {
                within(request);
                return;
            }
            char kind =
                    request.getRequestURI() instanceof SipURI uri && uri.getUser() != null
                            ? (uri.getUser() + " ").charAt(0)
                            : ' ';
            switch (kind) {
                case 'p' -> proxy(request, false);
                case 'r' -> proxy(request, true);
                case 'b' -> bridge(request);
                default -> answer(request);
            }
        } catch (IllegalStateException | IllegalArgumentException | ServletException refused) {
            refuse(request);
        }
    }

    private static void refuse(SipServletRequest request) throws IOException {
        try {
            if (!request.isCommitted() && !request.getMethod().equals("ACK")) {
                request.createResponse(500).send();
            }
        } catch (IllegalStateException over) {
            // It has its answer.
        }
    }

    private SipFactory factory() {
        return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    private void proxy(SipServletRequest request, boolean parallel)
            throws ServletException, IOException {
        request.getSession().setAttribute(PASSED_ON, true);
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(true);
        proxy.setSupervised(true);
        if (parallel) {
            proxy.setParallel(true);
            proxy.proxyTo(
                    List.of(factory().createURI(TARGET), factory().createURI("sip:x@10.0.0.4")));
        } else {
            proxy.proxyTo(factory().createURI(TARGET));
        }
    }

    private void bridge(SipServletRequest request) throws ServletException, IOException {
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
        leg.setRequestURI(factory().createURI(TARGET));
        leg.send();
    }

    private static void answer(SipServletRequest request) throws IOException {
        if (request.getMethod().equals("ACK") || request.getMethod().equals("CANCEL")) {
            return;
        }
        if (request.getMethod().equals("INVITE")) {
            request.createResponse(180).send();
        }
        request.createResponse(200).send();
    }

    private static void within(SipServletRequest request) throws IOException, ServletException {
        // Who answers in the place of a party may keep its call alive for good.
        if (request.getSession().getAttribute(PASSED_ON) != null) {
            return; // goes on by itself
        }
        B2buaHelper helper = request.getB2buaHelper();
        SipSession other = helper.getLinkedSession(request.getSession());
        switch (request.getMethod()) {
            case "ACK" -> {
                if (other != null) {
                    confirm(helper, other);
                }
            }
            case "CANCEL" -> {
                if (other != null && other.getState() != SipSession.State.CONFIRMED) {
                    helper.createCancel(other).send();
                }
            }
            default -> {
                if (other == null || other.getState() == SipSession.State.TERMINATED) {
                    answer(request);
                } else {
                    helper.createRequest(other, request, null).send();
                }
            }
        }
    }

    private static void confirm(B2buaHelper helper, SipSession other) throws IOException {
        for (SipServletMessage pending : helper.getPendingMessages(other, UAMode.UAC)) {
            if (pending instanceof SipServletResponse response && response.getStatus() / 100 == 2) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        look.at(response);
        SipServletRequest sent = response.getRequest();
        if (sent == null || response.isBranchResponse() || response.getProxy() != null) {
            return;
        }
        try {
            SipServletRequest original = sent.getB2buaHelper().getLinkedSipServletRequest(sent);
            if (original != null && !original.isCommitted()) {
                original.createResponse(response.getStatus()).send();
            } else if (response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2) {
                response.createAck().send();
                response.getSession().createRequest("BYE").send();
            }
        } catch (IllegalStateException | IllegalArgumentException refused) {
            // It was a proxy's, or came too late.
        }
    }

    private static void readAll(SipServletMessage message) throws IOException {
        for (Iterator<String> names = message.getHeaderNames(); names.hasNext(); ) {
            read(message, names.next());
        }
        message.getAcceptLanguage();
        var _ = message.getAcceptLanguages().hasNext();
        message.getCharacterEncoding();
        message.getContentLength();
        message.getContentType();
        message.getExpires();
        message.getContentLanguage();
        message.getRawContent();
        try {
            message.getContent();
        } catch (IOException refused) {
            // Declared: an unknown character set, or a multipart body that is none.
        }
    }

    /** As what it looks like: a refusal costs more than all else here. */
    private static void read(SipServletMessage message, String name) {
        String value = message.getHeader(name);
        var _ = message.getHeaders(name).hasNext();
        try {
            if (value != null && value.indexOf('<') >= 0) {
                addresses(message, name);
            } else {
                for (var all = message.getParameterableHeaders(name); all.hasNext(); ) {
                    var parameters = all.next();
                    parameters.getParameterNames().forEachRemaining(parameters::getParameter);
                }
            }
        } catch (ServletParseException refused) {
            // Declared: it is no address, or has no parameters.
        }
    }

    private static void addresses(SipServletMessage message, String name)
            throws ServletParseException {
        for (var all = message.getAddressHeaders(name); all.hasNext(); ) {
            var address = all.next();
            var _ = address.getURI().toString();
            address.getExpires();
            address.getQ();
            var _ = address.toString();
        }
    }
}
