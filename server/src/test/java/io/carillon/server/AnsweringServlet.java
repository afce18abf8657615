package io.carillon.server;

import java.io.IOException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;

/** Answers every call. Packed into an application by {@link ServerTest}. */
@javax.servlet.sip.annotation.SipServlet(name = "answering", loadOnStartup = 1)
public class AnsweringServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        String parameter = getServletContext().getInitParameter("greeting");
        SipServletResponse answer = request.createResponse(200);
        answer.setHeader("X-Greeting", String.valueOf(parameter));
        answer.send();
    }

    @Override
    protected void doBye(SipServletRequest request) throws IOException {
        request.createResponse(200).send();
    }
}
