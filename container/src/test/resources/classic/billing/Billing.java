package org.example.billing;

import java.io.IOException;
import java.util.ListIterator;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A proxy that reads and writes parameters of headers the API knows nothing of. */
public class Billing extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        Parameterable vector = request.getParameterableHeader("P-Charging-Vector");
        vector.setParameter("orig-ioi", "home.example");
        vector.removeParameter("term-ioi");
        ListIterator<Parameterable> accepts =
                (ListIterator<Parameterable>) request.getParameterableHeaders("Accept-Contact");
        int count = 0;
        while (accepts.hasNext()) {
            Parameterable accept = accepts.next();
            if ("*".equals(accept.getValue())) {
                accept.setParameter("n", String.valueOf(++count));
            }
        }
        Parameterable account = factory.createParameterable("\"12;34\";unit=euro");
        account.setParameter("rate", "0.05");
        account.setParameter("final", "");
        request.addParameterableHeader("X-Account", account, true);
        Parameterable expires = request.getParameterableHeader("Session-Expires");
        request.setHeader("X-Was", expires.getValue() + "/" + expires.getParameter("refresher"));
        expires.setValue("1800");
        expires.setParameter("refresher", "uac");
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(false);
        proxy.proxyTo(request.getRequestURI());
    }

    @Override
    protected void doRegister(SipServletRequest register) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        register.addParameterableHeader("Contact",
                factory.createParameterable("<sip:mirror@10.0.1.8>;expires=30"), false);
        register.getProxy().proxyTo(factory.createURI("sip:10.0.1.2:5060"));
    }
}
