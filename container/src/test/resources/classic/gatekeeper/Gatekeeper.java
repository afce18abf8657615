package org.example.gatekeeper;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Lets a call through when somebody else says so by INFO in a call of her own. */
public class Gatekeeper extends SipServlet {
    private final Map<String, SipServletRequest> waiting =
            new ConcurrentHashMap<String, SipServletRequest>();

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        String user = ((SipURI) request.getRequestURI()).getUser();
        if (user.equals("guard")) {
            request.createResponse(SipServletResponse.SC_OK).send();
            return;
        }
        request.createResponse(SipServletResponse.SC_CALL_QUEUED, "Wait").send();
        waiting.put(user, request);
    }

    @Override
    protected void doInfo(SipServletRequest info) throws ServletException, IOException {
        String[] order = ((String) info.getContent()).trim().split(" ");
        SipServletRequest call = waiting.remove(order[1]);
        info.createResponse(call == null ? 404 : 200).send();
        if (call == null) {
            return;
        }
        if (order[0].equals("deny")) {
            SipServletResponse no = call.createResponse(SipServletResponse.SC_FORBIDDEN, "Not today");
            no.setHeader("Reason", "guard;text=\"denied\"");
            no.send();
        } else {
            Proxy proxy = call.getProxy();
            proxy.setRecordRoute(false);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            proxy.proxyTo(factory.createSipURI(order[1], "10.0.1.3:5061"));
        }
    }

    @Override
    protected void doCancel(SipServletRequest cancel) {
        waiting.values().remove(cancel.getSession().getAttribute("request"));
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
