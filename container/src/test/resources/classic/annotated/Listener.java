package org.example.annotated;

import javax.servlet.sip.*;
import javax.servlet.sip.annotation.SipListener;

@SipListener
public class Listener implements SipServletListener {
    static volatile String heard = "nothing";

    public void servletInitialized(SipServletContextEvent event) {
        heard = event.getSipServlet().getServletName() + " of "
                + event.getServletContext().getServletContextName();
    }
}
