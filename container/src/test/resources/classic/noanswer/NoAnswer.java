package org.example.noanswer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Arrays;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Call forwarding on no answer as a B2BUA: the first leg is cancelled, a second one is made. */
public class NoAnswer extends SipServlet implements TimerListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipApplicationSession call = request.getApplicationSession();
        SipServletRequest leg = leg(request, "sip:bob@10.0.1.2");
        call.setAttribute("leg", leg.getSession().getId());
        call.setAttribute("caller", request.getSession().getId());
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(call, 5000, false, null);
        leg.send();
    }

    private SipServletRequest leg(SipServletRequest request, String target)
            throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        Map<String, List<String>> headers = new HashMap<String, List<String>>();
        headers.put("To", Arrays.asList(target));
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, false, headers);
        leg.setRequestURI(factory.createURI(target));
        leg.getSession().setAttribute("original", request);
        request.getSession().setAttribute("original", request);
        return leg;
    }

    public void timeout(ServletTimer timer) {
        SipApplicationSession call = timer.getApplicationSession();
        SipSession ringing = call.getSipSession((String) call.getAttribute("leg"));
        SipSession caller = call.getSipSession((String) call.getAttribute("caller"));
        try {
            SipServletRequest request = (SipServletRequest) caller.getAttribute("original");
            request.getB2buaHelper().createCancel(ringing).send();
            SipServletRequest leg = leg(request, "sip:voicemail@10.0.1.3");
            leg.setHeader("Diversion", "<sip:bob@10.0.1.2>;reason=no-answer");
            call.setAttribute("leg", leg.getSession().getId());
            leg.send();
        } catch (Exception e) {
            log("forward", e);
        }
    }

    private boolean current(SipServletResponse response) {
        return response.getSession().getId()
                .equals(response.getApplicationSession().getAttribute("leg"));
    }

    @Override
    protected void doProvisionalResponse(SipServletResponse response) throws IOException {
        SipServletRequest request = (SipServletRequest) response.getSession().getAttribute("original");
        request.createResponse(response.getStatus()).send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        if (!response.getMethod().equals("INVITE")) {
            return;
        }
        for (ServletTimer timer : response.getApplicationSession().getTimers()) {
            timer.cancel();
        }
        response.createAck().send();
        SipServletRequest request = (SipServletRequest) response.getSession().getAttribute("original");
        request.getSession().setAttribute("peer", response.getSession().getId());
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        if (current(response)) {
            SipServletRequest request = (SipServletRequest) response.getSession().getAttribute("original");
            request.createResponse(response.getStatus()).send();
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
        String peer = (String) bye.getSession().getAttribute("peer");
        bye.getApplicationSession().getSipSession(peer).createRequest("BYE").send();
    }
}
