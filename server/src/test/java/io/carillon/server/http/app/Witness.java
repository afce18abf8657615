package io.carillon.server.http.app;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ConvergedHttpSession;

/** Says on which node it runs, and what it sees of its visitor. */
public class Witness extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        PrintWriter out = response.getWriter();
        switch (String.valueOf(request.getPathInfo())) {
            case "/who" -> who(request, out);
            case "/visitor" ->
                    out.print(
                            request.getRemoteAddr()
                                    + " "
                                    + request.isSecure()
                                    + " "
                                    + request.getScheme()
                                    + " "
                                    + request.getHeader("Host")
                                    + " "
                                    + request.getHeader("Carillon-Passed")
                                    + " "
                                    + request.getHeader("X-Seen"));
            case "/url" ->
                    out.print(
                            ((ConvergedHttpSession) request.getSession())
                                    .encodeURL(request.getContextPath() + "/w/who"));
            case "/length" -> out.print(request.getInputStream().readAllBytes().length);
            case "/stream" -> {
                request.startAsync().setTimeout(0);
                out.print("data: " + node() + "\n\n");
                out.flush();
            }
            default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }

    private void who(HttpServletRequest request, PrintWriter out) {
        HttpSession session = request.getSession();
        int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
        session.setAttribute("count", count);
        out.print("node " + node() + ", request " + count + ", " + request.getMethod());
    }

    private String node() {
        return getServletContext().getInitParameter("node");
    }
}
