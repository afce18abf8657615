package org.example.holdgate;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A proxy that lets nobody put a call on hold: it answers such a re-INVITE itself. */
public class HoldGate extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        if (request.isInitial()) {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(true);
            proxy.proxyTo(request.getRequestURI());
        } else if (text(request).indexOf("a=sendonly") >= 0) {
            request.createResponse(SipServletResponse.SC_NOT_ACCEPTABLE_HERE, "No hold").send();
        }
    }

    private static String text(SipServletRequest request) throws IOException {
        Object content = request.getContent();
        return content instanceof byte[] ? new String((byte[]) content) : String.valueOf(content);
    }
}
