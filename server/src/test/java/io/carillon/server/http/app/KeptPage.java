package io.carillon.server.http.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ConvergedHttpSession;
import javax.servlet.sip.SipApplicationSession;

/** A visitor's basket and the application session of his call, over several requests. */
@WebServlet(urlPatterns = "/page/*")
public class KeptPage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** An object of the application. */
    public record Basket(String fruit, int count) implements Serializable {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        PrintWriter out = response.getWriter();
        HttpSession session = request.getSession();
        SipApplicationSession call = ((ConvergedHttpSession) session).getApplicationSession();
        Basket basket =
                session.getAttribute("basket") instanceof Basket before
                        ? new Basket(before.fruit(), before.count() + 1)
                        : new Basket("apple", 1);
        session.setAttribute("basket", basket);
        session.setAttribute("call", call);
        if (call.getAttribute("asked for") == null) {
            call.setAttribute("asked for", request.getRemoteAddr());
        }
        out.print(
                basket.count()
                        + " "
                        + basket.fruit()
                        + " of "
                        + session.getId().replaceAll("\\..*", "")
                        + " in "
                        + call.getId()
                        + " asked for by "
                        + call.getAttribute("asked for")
                        + " "
                        + (call.getSession(session.getId(), SipApplicationSession.Protocol.HTTP)
                                == session));
    }
}
