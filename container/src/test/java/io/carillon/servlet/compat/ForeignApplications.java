package io.carillon.servlet.compat;

/**
 * Small applications in the manner of those that were written for other servers: their descriptors,
 * idioms and habits. Each text begins with its package.
 */
final class ForeignApplications {
    private ForeignApplications() {}

    // ---- a WAR with both descriptors, prefixes, icons, one class as listener twice ----

    static final String CLICK_XML =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <sip-app xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                xmlns="http://www.jcp.org/xml/ns/sipservlet"
                xmlns:javaee="http://java.sun.com/xml/ns/javaee"
                xsi:schemaLocation="http://www.jcp.org/xml/ns/sipservlet http://www.jcp.org/xml/ns/sipservlet/sip-app_1_1.xsd">
              <app-name>org.example.ClickApplication</app-name>
              <display-name>Click</display-name>
              <description>Connects two phones</description>
              <javaee:context-param>
                <javaee:param-name>admin.sip</javaee:param-name>
                <javaee:param-value>sip:desk@10.0.0.1</javaee:param-value>
              </javaee:context-param>
              <javaee:listener>
                <javaee:listener-class>org.example.Click</javaee:listener-class>
              </javaee:listener>
              <javaee:listener>
                <javaee:icon><javaee:small-icon>/s.png</javaee:small-icon></javaee:icon>
                <javaee:listener-class>
                    org.example.Click
                </javaee:listener-class>
              </javaee:listener>
              <servlet-selection>
                <main-servlet>Click</main-servlet>
              </servlet-selection>
              <javaee:servlet>
                <javaee:description>Click servlet</javaee:description>
                <javaee:display-name>Click</javaee:display-name>
                <javaee:icon><javaee:large-icon>/l.png</javaee:large-icon></javaee:icon>
                <javaee:servlet-name>Click</javaee:servlet-name>
                <javaee:servlet-class>org.example.Click</javaee:servlet-class>
                <javaee:init-param>
                  <javaee:param-name>Max_Proxies</javaee:param-name>
                  <javaee:param-value>1</javaee:param-value>
                </javaee:init-param>
                <javaee:load-on-startup>1</javaee:load-on-startup>
              </javaee:servlet>
            </sip-app>
            """;

    /** Third party call control, flow I of RFC 3725, begun by a MESSAGE in place of a page. */
    static final String CLICK =
            """
            package org.example;

            import java.io.IOException;
            import java.util.*;
            import javax.annotation.Resource;
            import javax.naming.*;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            public class Click extends SipServlet implements SipServletListener {
                private static final long serialVersionUID = 1L;
                private SipFactory fromNames;
                @Resource SipFactory injected;
                private int told;

                public Click() {}

                @Override public void init(ServletConfig config) throws ServletException {
                    super.init(config);
                    try {
                        Context env = (Context) new InitialContext().lookup("java:comp/env");
                        fromNames = (SipFactory) env.lookup("sip/org.example.ClickApplication/SipFactory");
                    } catch (NamingException e) {
                        throw new ServletException("JNDI", e);
                    }
                    log("started with " + config.getInitParameter("Max_Proxies"));
                }

                @Override public void servletInitialized(SipServletContextEvent event) {
                    told++;
                    event.getServletContext().setAttribute("registered", new HashMap<String, String>());
                }

                @Override protected void doMessage(SipServletRequest trigger) throws ServletException, IOException {
                    SipFactory factory = (SipFactory) getServletContext().getAttribute(SipServlet.SIP_FACTORY);
                    trigger.createResponse(told == 1 && factory == injected && factory == fromNames
                            ? SipServletResponse.SC_ACCEPTED : SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
                    String[] both = ((String) trigger.getContent()).split(" ");
                    SipApplicationSession call = factory.createApplicationSession();
                    Address from = factory.createAddress(getServletContext().getInitParameter("admin.sip"));
                    SipServletRequest invite = factory.createRequest(call, "INVITE", from, factory.createAddress(both[0]));
                    invite.getSession().setAttribute("SecondPartyAddress", factory.createAddress(both[1]));
                    invite.getSession().setHandler("Click");
                    invite.send();
                }

                @Override protected void doSuccessResponse(SipServletResponse ok) throws ServletException, IOException {
                    if (!ok.getMethod().equals("INVITE")) {
                        return;
                    }
                    SipSession session = ok.getSession();
                    Object firstAnswer = session.getAttribute("FirstAnswer");
                    if (firstAnswer == null) {
                        SipServletRequest second = injected.createRequest(
                                session.getApplicationSession(), "INVITE", session.getLocalParty(),
                                (Address) session.getAttribute("SecondPartyAddress"));
                        if (ok.getContentLength() > 0) {
                            second.setContent(ok.getContent(), ok.getContentType());
                        }
                        second.getSession().setAttribute("FirstAnswer", ok);
                        second.getSession().setAttribute("LinkedSession", session);
                        session.setAttribute("LinkedSession", second.getSession());
                        second.send();
                    } else {
                        ok.createAck().send();
                        SipServletRequest first = ((SipServletResponse) firstAnswer).createAck();
                        first.setContent(ok.getRawContent(), ok.getContentType());
                        first.send();
                    }
                }

                @Override protected void doBye(SipServletRequest bye) throws IOException {
                    bye.createResponse(SipServletResponse.SC_OK).send();
                    SipSession linked = (SipSession) bye.getSession().getAttribute("LinkedSession");
                    if (linked != null && linked.isValid()) {
                        linked.createRequest("BYE").send();
                        linked.removeAttribute("LinkedSession");
                    }
                }
            }
            """;

    // ---- 1.0: a DTD, no app-name, mappings, dispatch by name ----

    static final String LOCATION_XML =
            """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <!DOCTYPE sip-app PUBLIC "-//Java Community Process//DTD SIP Application 1.0//EN"
                "http://www.jcp.org/dtd/sip-app_1_0.dtd">
            <sip-app>
              <display-name>Location Service</display-name>
              <distributable/>
              <context-param><param-name>domain</param-name><param-value>example.com</param-value></context-param>
              <servlet>
                <servlet-name>registrar</servlet-name>
                <servlet-class>org.example.Registrar</servlet-class>
                <init-param><param-name>contact</param-name><param-value>sip:10.0.0.3:5060</param-value></init-param>
              </servlet>
              <servlet>
                <servlet-name>location</servlet-name>
                <servlet-class>org.example.Location</servlet-class>
                <load-on-startup/>
              </servlet>
              <servlet-mapping>
                <servlet-name>location</servlet-name>
                <pattern>
                  <or>
                    <equal><var>request.method</var><value>REGISTER</value></equal>
                    <and>
                      <equal><var>request.method</var><value>INVITE</value></equal>
                      <subdomain-of><var>request.uri.host</var><value>0.1</value></subdomain-of>
                      <not><equal ignore-case="true"><var>request.from.uri.user</var><value>NOBODY</value></equal></not>
                    </and>
                  </or>
                </pattern>
              </servlet-mapping>
              <proxy-config><sequential-search-timeout>20</sequential-search-timeout></proxy-config>
              <session-config><session-timeout>10</session-timeout></session-config>
              <security-role><role-name>subscriber</role-name></security-role>
            </sip-app>
            """;

    static final String REGISTRAR =
            """
            package org.example;

            import java.io.IOException;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            public class Registrar extends SipServlet {
                @Override protected void doRegister(SipServletRequest register) throws ServletException, IOException {
                    Address contact = register.getAddressHeader("Contact");
                    getServletContext().setAttribute(register.getTo().getURI().toString(), contact.getURI());
                    SipServletResponse ok = register.createResponse(200);
                    contact.setExpires(register.getExpires() < 0 ? 3600 : register.getExpires());
                    ok.setAddressHeader("Contact", contact);
                    ok.send();
                }
            }
            """;

    static final String LOCATION =
            """
            package org.example;

            import java.io.IOException;
            import java.util.*;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            public class Location extends SipServlet {
                @Override protected void doRequest(SipServletRequest request) throws ServletException, IOException {
                    if ("REGISTER".equals(request.getMethod())) {
                        RequestDispatcher other = getServletContext().getNamedDispatcher("registrar");
                        other.forward(request, null);
                        return;
                    }
                    super.doRequest(request);
                }

                @Override protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
                    if (!invite.isInitial()) {
                        return;
                    }
                    String key = "sip:" + ((SipURI) invite.getRequestURI()).getUser() + "@" + getServletContext().getInitParameter("domain");
                    URI bound = (URI) getServletContext().getAttribute(key);
                    if (bound == null) {
                        invite.createResponse(SipServletResponse.SC_NOT_FOUND).send();
                        return;
                    }
                    Proxy proxy = invite.getProxy();
                    proxy.setRecordRoute(true);
                    proxy.setSupervised(true);
                    proxy.setProxyTimeout(60);
                    List<URI> targets = new ArrayList<URI>();
                    targets.add(bound);
                    proxy.proxyTo(targets);
                }

                @Override protected void doResponse(SipServletResponse response) throws ServletException, IOException {
                    response.setHeader("X-Seen", response.getProxy() != null ? "proxy" : "ua");
                    super.doResponse(response);
                }
            }
            """;

    // ---- annotations only: a package, several servlets, a listener of everything ----

    static final String NOTED_PACKAGE =
            """
            @javax.servlet.sip.annotation.SipApplication(name = "noted", mainServlet = "front", sessionTimeout = 5, proxyTimeout = 30)
            package org.example.noted;
            """;

    static final String NOTED_FRONT =
            """
            package org.example.noted;

            import java.io.IOException;
            import javax.annotation.*;
            import javax.servlet.sip.*;
            import javax.servlet.sip.annotation.*;

            @javax.servlet.sip.annotation.SipServlet(name = "front", loadOnStartup = 1)
            public class Front extends javax.servlet.sip.SipServlet {
                @Resource protected SipFactory factory;
                @Resource protected TimerService timers;
                @Resource protected SipSessionsUtil sessions;
                private boolean ready;

                @PostConstruct public void ready() {
                    ready = factory != null && timers != null && sessions != null;
                }

                @SipApplicationKey public static String key(SipServletRequest request) {
                    return request.getCallId();
                }

                @Override protected void doInvite(SipServletRequest invite) throws IOException {
                    SipApplicationSession call = invite.getApplicationSession();
                    call.setAttribute("seen", new Everything.Bound());
                    invite.getSession().setAttribute("seen", "once");
                    invite.getSession().setAttribute("seen", "twice");
                    ServletTimer timer = timers.createTimer(call, 2000, false, invite.getSession().getId());
                    boolean found = sessions.getApplicationSessionByKey(invite.getCallId(), false) == call
                            && call.getTimer(timer.getId()) == timer;
                    invite.createResponse(ready && found ? 200 : 500).send();
                }

                @Override protected void doBye(SipServletRequest bye) throws IOException {
                    bye.createResponse(200).send();
                }
            }
            """;

    static final String NOTED_OTHER =
            """
            package org.example.noted;

            @javax.servlet.sip.annotation.SipServlet
            public class Other extends javax.servlet.sip.SipServlet {}
            """;

    static final String NOTED_LISTENER =
            """
            package org.example.noted;

            import java.util.*;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            @javax.servlet.sip.annotation.SipListener
            public class Everything implements SipApplicationSessionListener, SipApplicationSessionAttributeListener,
                    SipApplicationSessionActivationListener, SipSessionListener, SipSessionAttributeListener,
                    SipSessionActivationListener, SipErrorListener, TimerListener, SipServletListener,
                    ServletContextListener, ServletContextAttributeListener {
                public static class Bound implements SipApplicationSessionBindingListener, java.io.Serializable {
                    @Override public void valueBound(SipApplicationSessionBindingEvent e) { note("bound"); }
                    @Override public void valueUnbound(SipApplicationSessionBindingEvent e) { note("unbound"); }
                }

                @SuppressWarnings("unchecked") static void note(String what) {
                    ((List<String>) System.getProperties().get("carillon.test.noted")).add(what);
                }

                @Override public void contextInitialized(ServletContextEvent e) { note("context"); }
                @Override public void contextDestroyed(ServletContextEvent e) { note("context gone"); }
                @Override public void attributeAdded(ServletContextAttributeEvent e) {}
                @Override public void attributeRemoved(ServletContextAttributeEvent e) {}
                @Override public void attributeReplaced(ServletContextAttributeEvent e) {}
                @Override public void servletInitialized(SipServletContextEvent e) { note("servlet " + e.getSipServlet().getServletName()); }
                @Override public void sessionCreated(SipApplicationSessionEvent e) { note("call"); }
                @Override public void sessionDestroyed(SipApplicationSessionEvent e) { note("call gone"); }
                @Override public void sessionExpired(SipApplicationSessionEvent e) { note("call expired"); }
                @Override public void sessionReadyToInvalidate(SipApplicationSessionEvent e) { note("call ready"); }
                @Override public void attributeAdded(SipApplicationSessionBindingEvent e) { note("call attribute"); }
                @Override public void attributeRemoved(SipApplicationSessionBindingEvent e) {}
                @Override public void attributeReplaced(SipApplicationSessionBindingEvent e) {}
                @Override public void sessionDidActivate(SipApplicationSessionEvent e) {}
                @Override public void sessionWillPassivate(SipApplicationSessionEvent e) {}
                @Override public void sessionCreated(SipSessionEvent e) { note("dialog"); }
                @Override public void sessionDestroyed(SipSessionEvent e) { note("dialog gone"); }
                @Override public void sessionReadyToInvalidate(SipSessionEvent e) { note("dialog ready"); }
                @Override public void attributeAdded(SipSessionBindingEvent e) { note("dialog attribute"); }
                @Override public void attributeRemoved(SipSessionBindingEvent e) {}
                @Override public void attributeReplaced(SipSessionBindingEvent e) { note("dialog attribute replaced"); }
                @Override public void sessionDidActivate(SipSessionEvent e) {}
                @Override public void sessionWillPassivate(SipSessionEvent e) {}
                @Override public void noAckReceived(SipErrorEvent e) {}
                @Override public void noPrackReceived(SipErrorEvent e) {}
                @Override public void timeout(ServletTimer t) throws IllegalStateException {
                    SipSession session = t.getApplicationSession().getSipSession((String) t.getInfo());
                    note("timer " + session.getState());
                }
            }
            """;

    // ---- Java EE elements in sip.xml, everything in a library, a servlet of a framework ----

    static final String ENTERPRISE_XML =
            """
            <?xml version="1.0"?>
            <sip:sip-app version="1.1" xmlns:sip="http://www.jcp.org/xml/ns/sipservlet" xmlns="http://java.sun.com/xml/ns/javaee">
              <resource-ref>
                <description>calls</description>
                <res-ref-name>jdbc/CallsDS</res-ref-name>
                <res-type>javax.sql.DataSource</res-type>
                <res-auth>Container</res-auth>
                <res-sharing-scope>Shareable</res-sharing-scope>
              </resource-ref>
              <ejb-local-ref><ejb-ref-name>ejb/Rates</ejb-ref-name></ejb-local-ref>
              <resource-env-ref>
                <resource-env-ref-name>sip/Timers</resource-env-ref-name>
                <resource-env-ref-type>javax.servlet.sip.TimerService</resource-env-ref-type>
              </resource-env-ref>
              <env-entry>
                <env-entry-name>maxCalls</env-entry-name>
                <env-entry-type>java.lang.Integer</env-entry-type>
                <env-entry-value>12</env-entry-value>
              </env-entry>
              <servlet id="Servlet_1">
                <servlet-name>controller</servlet-name>
                <servlet-class>org.example.Controller</servlet-class>
                <run-as><role-name>operator</role-name></run-as>
                <security-role-ref><role-name>boss</role-name><role-link>operator</role-link></security-role-ref>
              </servlet>
              <security-role id="Role_1"><role-name>operator</role-name></security-role>
              <sip:app-name>enterprise</sip:app-name>
              <sip:servlet-selection>
                <sip:servlet-mapping>
                  <servlet-name>controller</servlet-name>
                  <sip:pattern><sip:equal><sip:var>request.method</sip:var><sip:value>OPTIONS</sip:value></sip:equal></sip:pattern>
                </sip:servlet-mapping>
              </sip:servlet-selection>
            </sip:sip-app>
            """;

    static final String FRAMEWORK =
            """
            package org.example;

            public abstract class Framework extends javax.servlet.sip.SipServlet {
                protected final java.util.Properties settings = new java.util.Properties();

                @Override public void init() throws javax.servlet.ServletException {
                    try (java.io.InputStream in = getServletContext().getResourceAsStream("/WEB-INF/conf/app.properties")) {
                        settings.load(in);
                        settings.load(Thread.currentThread().getContextClassLoader().getResourceAsStream("lib.properties"));
                    } catch (java.io.IOException e) {
                        throw new javax.servlet.ServletException(e);
                    }
                }
            }
            """;

    static final String CONTROLLER =
            """
            package org.example;

            import java.io.IOException;
            import java.util.*;
            import javax.naming.*;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            public class Controller extends Framework {
                @Override public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
                    if (request != null && request instanceof SipServletRequest) {
                        SipServletRequest options = (SipServletRequest) request;
                        SipServletResponse answer = options.createResponse(200, "Fine");
                        for (String line : lines(options)) {
                            answer.addHeader("X-Found", line);
                        }
                        answer.send();
                        return;
                    }
                    super.service(request, response);
                }

                @SuppressWarnings({"unchecked", "deprecation"})
                private List<String> lines(SipServletRequest options) throws ServletException {
                    ServletContext context = getServletContext();
                    List<String> lines = new ArrayList<String>();
                    for (SipURI uri : (List<SipURI>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES)) {
                        lines.add("interface " + uri.getHost());
                    }
                    lines.add("supported " + ((List<String>) context.getAttribute(SipServlet.SUPPORTED)).contains("100rel"));
                    lines.add("rfcs " + ((List<String>) context.getAttribute(SipServlet.SUPPORTED_RFCs)).contains("3261"));
                    Object prack = context.getAttribute(SipServlet.PRACK_SUPPORTED);
                    lines.add("prack " + prack);
                    lines.add("timers " + (context.getAttribute(SipServlet.TIMER_SERVICE) != null));
                    lines.add("util " + (context.getAttribute("javax.servlet.sip.SipSessionsUtil") instanceof SipSessionsUtil));
                    lines.add("settings " + settings.getProperty("a") + settings.getProperty("b"));
                    lines.add("user " + options.getRemoteUser() + " " + options.getUserPrincipal() + " " + options.isUserInRole("boss"));
                    lines.add("names " + getServletName() + " " + context.getServletContextName() + " " + context.getRealPath("/").isEmpty());
                    try {
                        Context env = (Context) new InitialContext().lookup("java:comp/env");
                        lines.add("env " + env.lookup("maxCalls") + " " + (env.lookup("sip/Timers") instanceof TimerService)
                                + " " + (env.lookup("jdbc/CallsDS") instanceof javax.sql.DataSource));
                    } catch (NamingException e) {
                        lines.add(e.toString());
                    }
                    return lines;
                }
            }
            """;

    // ---- an empty sip.xml beside annotations; names that are defaults ----

    static final String EMPTY_XML =
            """
            <?xml version="1.0"?>
            <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" xmlns:javaee="http://java.sun.com/xml/ns/javaee"></sip-app>
            """;

    static final String PRODUCER =
            """
            package org.example;

            import java.io.IOException;
            import javax.servlet.*;
            import javax.servlet.sip.*;
            import javax.servlet.sip.annotation.SipListener;

            @javax.servlet.sip.annotation.SipServlet(loadOnStartup = 1, applicationName = "org.example.Producer")
            @SipListener
            public class Producer extends SipServlet implements SipErrorListener, Servlet {
                private SipFactory factory;

                @Override public void init(ServletConfig config) throws ServletException {
                    super.init(config);
                    factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                }

                @Override public void doMessage(SipServletRequest message) throws ServletException, IOException {
                    SipServletRequest copy = factory.createRequest(message, false);
                    copy.setRequestURI(factory.createURI("sip:10.0.0.3:5060"));
                    copy.setContent(((String) message.getContent()).toUpperCase(), "text/plain");
                    copy.getSession().setHandler("Producer");
                    message.getSession().setAttribute("original", message);
                    copy.getSession().setAttribute("answer", message.getSession());
                    copy.send();
                }

                @Override public void doResponse(SipServletResponse response) throws ServletException, IOException {
                    SipSession back = (SipSession) response.getSession().getAttribute("answer");
                    SipServletRequest original = (SipServletRequest) back.getAttribute("original");
                    original.createResponse(response.getStatus(), response.getReasonPhrase()).send();
                }

                @Override public void noAckReceived(SipErrorEvent e) {}
                @Override public void noPrackReceived(SipErrorEvent e) {}
            }
            """;
}
