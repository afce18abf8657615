package io.carillon.it.attack;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.sip.ConvergedHttpSession;

/** The HTTP half: a page that gives each visitor without a cookie an application session. */
@WebServlet("/visit")
public class PreyPage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ConvergedHttpSession session = (ConvergedHttpSession) request.getSession();
        response.getWriter().println(session.getApplicationSession().getId());
    }
}
