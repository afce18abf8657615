package io.carillon.examples.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;

/**
 * Call transfer for phones whose other end does not know REFER: a B2BUA that carries out the REFER
 * (RFC 3515) of either party itself. What is no transfer goes from one leg to the other.
 */
public class TransferServlet extends SipServlet implements TimerListener, SipErrorListener {
    private static final long serialVersionUID = 1L;

    @Resource private transient SipFactory factory;
    @Resource private transient TimerService timers;
    private int ringSeconds;
    private transient SipURI callee;

    @Override
    public void init() throws ServletException {
        String seconds = getServletContext().getInitParameter("ring-seconds");
        String uri = getServletContext().getInitParameter("callee");
        if (seconds == null || !seconds.trim().matches("[1-9][0-9]{0,3}")) {
            throw new ServletException("ring-seconds must be 1 to 9999, not '" + seconds + "'");
        }
        ringSeconds = Integer.parseInt(seconds.trim());
        try {
            callee = uri == null ? null : (SipURI) factory.createURI(uri.trim());
        } catch (ServletParseException | ClassCastException e) {
            throw new ServletException("callee must be a SIP URI, not '" + uri + "'", e);
        }
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        Transfer transfer = Transfer.of(request.getSession());
        String method = request.getMethod();
        if (method.equals("ACK")) {
            acknowledge(request);
        } else if (method.equals("CANCEL")) {
            cancel(request);
        } else if (method.equals("PRACK")) {
            request.createResponse(200).send(); // each leg acknowledges its own 1xx
        } else if (request.isInitial()) {
            begin(request);
        } else if (method.equals("REFER")) {
            refer(request, transfer);
        } else if (transfer != null && method.equals("BYE")) {
            transfer.hungUp(request);
        } else if (transfer != null && transfer.connecting()) {
            request.createResponse(491).send();
        } else {
            relay(request);
        }
    }

    // ---- REFER ----

    private void refer(SipServletRequest refer, Transfer transfer)
            throws ServletException, IOException {
        SipSession transferee = linked(refer);
        if (transfer != null || !Asker.onTheCall(transferee) || Asker.behind(refer.getSession())) {
            refer.createResponse(491).send();
            return;
        }
        SipURI target = target(refer);
        if (target == null) {
            refer.createResponse(400, "One Refer-To With A SIP URI To Call").send();
            return;
        }
        String replaces = target.getHeader("Replaces");
        List<String> headers = new ArrayList<>();
        target.getHeaderNames().forEachRemaining(headers::add);
        headers.forEach(target::removeHeader);
        Transfer wanted = new Transfer(refer.getSession(), transferee, timers, event(refer));
        try {
            wanted.prepare(factory, target, replaces, refer.getHeader("Referred-By"));
        } catch (IllegalArgumentException e) {
            refer.createResponse(400, "The Refer-To Cannot Be Written").send();
            return;
        }
        refer.createResponse(202).send();
        wanted.begin(ringSeconds);
    }

    /** RFC 3515 2.4.2: exactly one Refer-To; and only a call can be made here. */
    private static SipURI target(SipServletRequest refer) {
        try {
            Iterator<Address> all = refer.getAddressHeaders("Refer-To");
            if (!all.hasNext()) {
                return null;
            }
            Address only = all.next();
            if (all.hasNext() || !only.getURI().isSipURI()) {
                return null;
            }
            SipURI target = (SipURI) only.getURI().clone();
            String method = target.getMethodParam();
            target.removeParameter("method");
            return method == null || method.equals("INVITE") ? target : null;
        } catch (ServletParseException e) {
            return null;
        }
    }

    /** RFC 3515 2.4.6: from the second REFER of a dialog on its CSeq tells them apart. */
    private static String event(SipServletRequest refer) {
        SipSession leg = refer.getSession();
        boolean first = leg.getAttribute("referred") == null;
        leg.setAttribute("referred", true);
        return first ? "refer" : "refer;id=" + refer.getHeader("CSeq").split(" ")[0];
    }

    @Override
    public void timeout(ServletTimer timer) {
        Transfer transfer = Transfer.of(timer.getApplicationSession());
        try {
            if (transfer != null) {
                transfer.fired(timer);
            }
        } catch (IOException e) {
            log("The transfer of " + timer.getApplicationSession().getId() + " is stuck", e);
        }
    }

    // ---- a call without a transfer: what happens on one leg happens on the other ----

    private void begin(SipServletRequest request) throws IOException {
        SipURI target = request.getMethod().equals("INVITE") ? destination(request) : null;
        if (target == null) {
            boolean invite = request.getMethod().equals("INVITE");
            SipServletResponse no = request.createResponse(invite ? 404 : 405);
            no.setHeader("Allow", "INVITE, ACK, CANCEL, BYE, INFO, UPDATE, PRACK, REFER, NOTIFY");
            no.send();
            return;
        }
        try {
            SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
            leg.setRequestURI(target);
            leg.send();
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    /** The Request-URI, or the configured callee where that is one of our own addresses. */
    private SipURI destination(SipServletRequest request) {
        if (!request.getRequestURI().isSipURI()) {
            return null;
        }
        SipURI asked = (SipURI) request.getRequestURI();
        List<?> own = (List<?>) getServletContext().getAttribute(OUTBOUND_INTERFACES);
        boolean ours = own.stream().anyMatch(mine -> address((SipURI) mine).equals(address(asked)));
        return ours ? callee : asked;
    }

    private static String address(SipURI uri) {
        String host = uri.getHost().equalsIgnoreCase("localhost") ? "127.0.0.1" : uri.getHost();
        return host + ' ' + (uri.getPort() > 0 ? uri.getPort() : uri.isSecure() ? 5061 : 5060);
    }

    private static void relay(SipServletRequest request) throws IOException {
        SipSession other = linked(request);
        if (other == null) {
            request.createResponse(request.getMethod().equals("BYE") ? 200 : 481).send();
        } else {
            request.getB2buaHelper().createRequest(other, request, null).send();
        }
    }

    private static SipSession linked(SipServletRequest request) {
        SipSession other = request.getB2buaHelper().getLinkedSession(request.getSession());
        boolean alive =
                other != null && other.isValid() && other.getState() != SipSession.State.TERMINATED;
        return alive ? other : null;
    }

    /** The ACK of one leg confirms the 2xx that the other leg waits with (RFC 3261 13.2.2.4). */
    private static void acknowledge(SipServletRequest ack) throws IOException {
        SipSession other = linked(ack);
        if (other == null) {
            return;
        }
        for (SipServletMessage m : ack.getB2buaHelper().getPendingMessages(other, UAMode.UAC)) {
            if (m instanceof SipServletResponse && isSuccess((SipServletResponse) m)) {
                SipServletRequest onward = ((SipServletResponse) m).createAck();
                Transfer.copyContent(ack, onward);
                onward.send();
            }
        }
    }

    private static void cancel(SipServletRequest cancel) throws IOException {
        SipSession other = linked(cancel);
        if (other != null && other.getState() != SipSession.State.CONFIRMED) {
            cancel.getB2buaHelper().createCancel(other).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        Transfer transfer = Transfer.of(response.getApplicationSession());
        SipServletRequest answered = response.getRequest();
        B2buaHelper helper = answered.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(answered);
        if (transfer != null && transfer.takes(response)) {
            return;
        }
        if (response.getHeader("RSeq") != null && response.getStatus() < 200) {
            acknowledgeProvisional(response);
        }
        if (original != null && !original.isCommitted()) {
            SipServletResponse back =
                    original.createResponse(response.getStatus(), response.getReasonPhrase());
            Transfer.copyContent(response, back);
            back.send();
        } else if (response.getMethod().equals("NOTIFY")) {
            Transfer.heard(response);
        } else if (isSuccess(response)) {
            // A 2xx whose caller is gone, or was given to another branch: confirmed and ended.
            response.createAck().send();
            if (answered.isInitial()) {
                Transfer.bye(response.getSession());
            }
        }
    }

    private static void acknowledgeProvisional(SipServletResponse response) throws IOException {
        try {
            response.createPrack().send();
        } catch (Rel100Exception e) {
            throw new IOException("No PRACK can be made for " + response.getStatus(), e);
        }
    }

    private static boolean isSuccess(SipServletResponse response) {
        return response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
    }

    // ---- who never acknowledged ----

    @Override
    public void noAckReceived(SipErrorEvent event) {
        SipServletRequest invite = event.getRequest();
        try {
            SipSession other = linked(invite);
            Transfer.bye(invite.getSession());
            Transfer.bye(other);
        } catch (IOException e) {
            log("The call " + invite.getCallId() + " cannot be ended", e);
        }
    }

    @Override
    public void noPrackReceived(SipErrorEvent event) {
        // Provisional responses go out unreliably.
    }
}
