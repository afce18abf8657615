package org.example.watchers;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A record-routing proxy between watchers and a presence server. */
public class Watchers extends SipServlet {
    @Override
    protected void doSubscribe(SipServletRequest request) throws ServletException, IOException {
        if (request.isInitial()) {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(request.getRequestURI());
        }
    }

    @Override
    protected void doNotify(SipServletRequest notify) {
        notify.addHeader("X-Seen", "NOTIFY");
    }
}
