package org.example.frontdesk;

import java.io.IOException;
import javax.servlet.*;
import javax.servlet.sip.*;

/** Looks at the called user and hands the call to the servlet of that name. */
public class Front extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        String user = ((SipURI) request.getRequestURI()).getUser();
        RequestDispatcher desk = getServletContext().getNamedDispatcher(user);
        if (desk == null) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND, "No desk " + user).send();
            return;
        }
        request.setAttribute("desk", user);
        desk.forward(request, null);
    }
}
