package org.example.operator;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

public class Person extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SipServletResponse ok = bye.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Ended-By", getServletName());
        ok.send();
    }
}
