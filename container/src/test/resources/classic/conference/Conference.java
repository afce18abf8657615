package org.example.conference;

import java.io.IOException;
import java.util.Iterator;
import javax.servlet.ServletException;
import javax.servlet.sip.*;
import javax.servlet.sip.annotation.SipApplicationKey;

/** All calls to one room are in one application session; the key is the called user. */
public class Conference extends SipServlet {
    @SipApplicationKey
    public static String room(SipServletRequest request) {
        return ((SipURI) request.getRequestURI()).getUser();
    }

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipApplicationSession room = request.getApplicationSession();
        Integer callers = (Integer) room.getAttribute("callers");
        callers = Integer.valueOf(callers == null ? 1 : callers.intValue() + 1);
        room.setAttribute("callers", callers);
        SipServletResponse ok = request.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Callers", callers.toString());
        ok.send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SipApplicationSession room = bye.getApplicationSession();
        bye.createResponse(SipServletResponse.SC_OK).send();
        Iterator<SipSession> all = (Iterator<SipSession>) room.getSessions("SIP");
        while (all.hasNext()) {
            SipSession other = all.next();
            if (!other.equals(bye.getSession()) && other.getState() == SipSession.State.CONFIRMED) {
                SipServletRequest info = other.createRequest("INFO");
                info.setContent("left: " + bye.getFrom().getURI(), "text/plain");
                info.send();
            }
        }
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws IOException {
        if (response.getMethod().equals("INFO")) {
            response.getSession().createRequest("BYE").send();
        }
    }
}
