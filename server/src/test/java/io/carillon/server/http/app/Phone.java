package io.carillon.server.http.app;

import java.io.IOException;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.annotation.SipApplicationKey;

/** Answers calls; each is in the application session of its caller. */
@javax.servlet.sip.annotation.SipServlet(name = "phone", loadOnStartup = 1)
public class Phone extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    public void init() throws ServletException {
        ServletContext context = getServletContext();
        ListenerLog.said("phone.init " + context.getAttribute("set by the web listener"));
        context.setAttribute("phone's context", context);
    }

    @SipApplicationKey
    public static String key(SipServletRequest request) {
        return "desk";
    }

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        SerialCheck.run();
        request.createResponse(200).send();
    }

    @Override
    protected void doInfo(SipServletRequest request) throws IOException {
        SerialCheck.run();
        request.createResponse(200).send();
    }

    @Override
    protected void doBye(SipServletRequest request) throws IOException {
        request.createResponse(200).send();
    }

    @Override
    public void destroy() {
        ListenerLog.said("phone.destroy");
    }
}
