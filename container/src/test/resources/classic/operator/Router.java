package org.example.operator;

import java.io.IOException;
import javax.servlet.*;
import javax.servlet.sip.*;

/** Forwards the first request and expects to be asked no more: nothing sets a handler. */
public class Router extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        RequestDispatcher person = request.getRequestDispatcher("Person");
        person.forward(request, null);
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR, "not mine any more").send();
    }
}
