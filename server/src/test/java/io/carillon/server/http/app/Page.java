package io.carillon.server.http.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.annotation.Resource;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ConvergedHttpSession;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import javax.sql.DataSource;

/** Does what the path says, and says what came of it. */
@WebServlet(urlPatterns = "/page/*", loadOnStartup = 1, asyncSupported = true)
public class Page extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource private transient SipFactory factory;
    @Resource private transient TimerService timers;
    private transient SipSessionsUtil sessions;

    @Resource
    void setSessions(SipSessionsUtil value) {
        sessions = value;
    }

    @SuppressWarnings("BanJNDI") // it is the subject
    private void names(PrintWriter out) throws ServletException {
        try {
            InitialContext context = new InitialContext();
            out.println(context.lookup("java:comp/env/sip/converged/SipFactory") == factory);
            out.println(context.lookup("java:comp/env/pages"));
            out.println(context.lookup("java:comp/env/jdbc/calls") instanceof DataSource);
        } catch (NamingException e) {
            throw new ServletException(e);
        }
    }

    @Override
    public void init() {
        ListenerLog.said("page.init");
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setContentType("text/plain;charset=utf-8");
        PrintWriter out = response.getWriter();
        ServletContext context = getServletContext();
        switch (request.getPathInfo()) {
            case "/services" -> services(out, context);
            case "/names" -> names(out);
            case "/heard" -> out.print(String.join(",", ListenerLog.HEARD));
            case "/instances" -> out.print(ListenerLog.INSTANCES.get());
            case "/attribute" -> {
                context.setAttribute("page.attribute", "x");
                out.print(String.join(",", ListenerLog.HEARD));
            }
            case "/converged" -> converged(request.getSession(), out);
            case "/session" -> session(request.getSession(), out);
            case "/bound" -> bound(request.getSession(false), out);
            case "/encode" -> out.print(encoded(request.getParameter("base")));
            case "/invalidate-application" -> {
                HttpSession session = request.getSession();
                ((ConvergedHttpSession) session).getApplicationSession().invalidate();
                out.print(valid(session));
            }
            case "/invalidate-http" -> {
                HttpSession session = request.getSession();
                SipApplicationSession parent =
                        ((ConvergedHttpSession) session).getApplicationSession();
                boolean readyBefore = parent.isReadyToInvalidate();
                session.invalidate();
                out.print(readyBefore + " " + parent.isValid());
            }
            case "/serial" -> serial(out);
            case "/turn" -> turn(context, out);
            case "/stream" -> stream(request, out);
            case "/fail" -> throw new ServletException("secret detail");
            case "/length" -> out.print(request.getInputStream().readAllBytes().length);
            default -> response.sendError(404, "no such page");
        }
    }

    private void services(PrintWriter out, ServletContext context) {
        out.println(factory == context.getAttribute("javax.servlet.sip.SipFactory"));
        out.println(timers == context.getAttribute("javax.servlet.sip.TimerService"));
        out.println(sessions == context.getAttribute("javax.servlet.sip.SipSessionsUtil"));
        out.println(context == context.getAttribute("phone's context"));
        out.println(context.getAttribute("javax.servlet.sip.100rel"));
        for (String list : List.of("outboundInterfaces", "supported", "supportedRfcs")) {
            @SuppressWarnings("unchecked")
            List<Object> value = (List<Object>) context.getAttribute("javax.servlet.sip." + list);
            try {
                value.add(new Object());
                out.println("modified");
            } catch (UnsupportedOperationException e) {
                out.println(list);
            }
        }
        out.println(context.getInitParameter("greeting"));
        out.println(context.getInitParameter("of web.xml"));
        out.println(context.getNamedDispatcher("phone") != null);
    }

    private void converged(HttpSession session, PrintWriter out) {
        ConvergedHttpSession converged = (ConvergedHttpSession) session;
        out.println(converged.encodeURL("http://example.com/converged/page?a=b#c"));
        out.println(converged.encodeURL("/page/session", "https"));
        out.println(session.getId());
    }

    private void session(HttpSession session, PrintWriter out) {
        SipApplicationSession parent = ((ConvergedHttpSession) session).getApplicationSession();
        out.println(parent.getId());
        out.println(parent == ((ConvergedHttpSession) session).getApplicationSession());
        List<Object> http = new ArrayList<>();
        Iterator<?> found = parent.getSessions("HTTP");
        while (found.hasNext()) {
            http.add(found.next());
        }
        out.println(http.equals(Collections.singletonList(session)));
        out.println(
                parent.getSession(session.getId(), SipApplicationSession.Protocol.HTTP) == session);
        out.println(parent.getSessions("SIP").hasNext());
        out.println(parent.getSessions().next() == session);
    }

    private void bound(HttpSession session, PrintWriter out) {
        out.print(
                session == null
                        ? "no session"
                        : ((ConvergedHttpSession) session).getApplicationSession().getId());
    }

    private String encoded(String base) throws IOException {
        SipApplicationSession desk = sessions.getApplicationSessionByKey("desk", true);
        return desk.encodeURL(URI.create(base).toURL()).toString();
    }

    private static boolean valid(HttpSession session) {
        try {
            session.getCreationTime();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Changes the caller's application session from a thread of HTTP. */
    private void serial(PrintWriter out) {
        SipApplicationSession desk = sessions.getApplicationSessionByKey("desk", true);
        for (int i = 0; i < 20; i++) {
            desk.setAttribute("written", "by HTTP " + i);
        }
        out.print(SerialCheck.RUNS.get() + " " + SerialCheck.BROKEN.get());
    }

    /** An event stream that stays open until the client leaves; its session is the caller's. */
    private void stream(HttpServletRequest request, PrintWriter out) {
        SipApplicationSession desk = sessions.getApplicationSessionByKey("desk", true);
        desk.setAttribute("watched", true);
        request.startAsync().setTimeout(0);
        out.print("data: open\n\n");
        out.flush();
    }

    @SuppressWarnings("unchecked")
    private void turn(ServletContext context, PrintWriter out) {
        Function<SipApplicationSession, Executor> turns =
                (Function<SipApplicationSession, Executor>)
                        context.getAttribute("io.carillon.turn");
        SipApplicationSession own = factory.createApplicationSession();
        own.setAttribute("count", 0);
        CountDownLatch done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            turns.apply(own)
                    .execute(() -> {
                        own.setAttribute("count", (Integer) own.getAttribute("count") + 1);
                        done.countDown();
                    });
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.print(own.getAttribute("count"));
        own.invalidate();
    }
}
