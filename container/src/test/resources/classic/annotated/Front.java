package org.example.annotated;

import java.io.IOException;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.*;
import javax.servlet.sip.annotation.SipServlet;

/** No descriptor at all: annotations and injected resources. */
@SipServlet(name = "Front", loadOnStartup = 1)
public class Front extends javax.servlet.sip.SipServlet {
    @Resource private SipFactory factory;
    @Resource private TimerService timers;
    @Resource private SipSessionsUtil sessions;

    @Override
    protected void doOptions(SipServletRequest request) throws ServletException, IOException {
        SipApplicationSession call = request.getApplicationSession();
        SipServletResponse ok = request.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Application", call.getApplicationName() + " " + getServletName());
        ok.setHeader("X-Found", String.valueOf(sessions.getApplicationSessionById(call.getId()) == call));
        ok.setHeader("X-Minutes", String.valueOf((call.getExpirationTime() - call.getCreationTime()) / 60000));
        ok.setHeader("X-Listener", Listener.heard);
        ok.setHeader("X-Timers", String.valueOf(timers != null && factory != null));
        ok.addHeader("Allow", "OPTIONS");
        ok.send();
    }
}
