package io.carillon.servlet.compat;

/** More of {@link ForeignApplications}: back-to-back user agents and proxies of other servers. */
final class ForeignB2bApplications {
    private ForeignB2bApplications() {}

    // ---- metadata-complete, a listener in another class, a B2BUA by the helper ----

    static final String FORWARD_XML =
            """
            <?xml version='1.0' encoding='UTF-8'?>
            <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" xmlns:j2ee="http://java.sun.com/xml/ns/javaee"
                metadata-complete="true" version="1.1">
              <app-name>call-forwarding</app-name>
              <distributable/>
              <j2ee:session-config><j2ee:session-timeout>-1</j2ee:session-timeout></j2ee:session-config>
              <j2ee:servlet>
                <j2ee:servlet-name>forward</j2ee:servlet-name>
                <j2ee:servlet-class>org.example.fwd.Forward</j2ee:servlet-class>
                <j2ee:init-param>
                  <j2ee:param-name>sip:sales@10.0.0.1</j2ee:param-name>
                  <j2ee:param-value>sip:10.0.0.3:5060</j2ee:param-value>
                </j2ee:init-param>
              </j2ee:servlet>
              <j2ee:listener><j2ee:listener-class>org.example.fwd.Errors</j2ee:listener-class></j2ee:listener>
            </sip-app>
            """;

    static final String FORWARD =
            """
            package org.example.fwd;

            import java.io.IOException;
            import java.util.*;
            import javax.servlet.*;
            import javax.servlet.sip.*;

            public class Forward extends SipServlet {
                private final Map<String, String[]> forwarding = new HashMap<String, String[]>();
                private SipFactory factory;

                @Override public void init(ServletConfig config) throws ServletException {
                    super.init(config);
                    for (Enumeration<String> names = config.getInitParameterNames(); names.hasMoreElements();) {
                        String name = names.nextElement();
                        forwarding.put(name, new String[] {config.getInitParameter(name)});
                    }
                    factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                }

                @Override protected void doInvite(SipServletRequest request) throws ServletException, IOException {
                    if (!request.isInitial()) {
                        request.createResponse(488).send();
                        return;
                    }
                    String[] target = forwarding.get(request.getRequestURI().toString());
                    if (target == null) {
                        request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
                        return;
                    }
                    try {
                        request.getSession().setAttribute("thread", Thread.currentThread());
                        request.createResponse(500, "not serializable").send();
                        return;
                    } catch (IllegalArgumentException expected) {
                        log("distributable: " + expected.getMessage());
                    }
                    request.getSession().setAttribute("INVITE", "RECEIVED");
                    B2buaHelper helper = request.getB2buaHelper();
                    Map<String, List<String>> headers = new HashMap<String, List<String>>();
                    headers.put("To", Collections.singletonList(target[0]));
                    SipServletRequest forked = helper.createRequest(request, true, headers);
                    SipURI uri = (SipURI) factory.createURI(target[0]);
                    forked.setRequestURI(uri);
                    forked.getSession().setAttribute("originalRequest", request);
                    forked.send();
                }

                @Override protected void doProvisionalResponse(SipServletResponse response) throws IOException {
                    SipServletRequest original = (SipServletRequest) response.getSession().getAttribute("originalRequest");
                    original.createResponse(response.getStatus()).send();
                }

                @Override protected void doSuccessResponse(SipServletResponse response) throws IOException {
                    B2buaHelper helper = response.getRequest().getB2buaHelper();
                    SipSession peer = helper.getLinkedSession(response.getSession());
                    if ("BYE".equals(response.getMethod())) {
                        return;
                    }
                    response.createAck().send();
                    SipServletRequest original = (SipServletRequest) response.getSession().getAttribute("originalRequest");
                    SipServletResponse answer = original.createResponse(response.getStatus(), response.getReasonPhrase());
                    answer.getSession().setAttribute("peer", peer == original.getSession() ? "linked" : "lost");
                    answer.send();
                }

                @Override protected void doErrorResponse(SipServletResponse response) throws IOException {
                    SipServletRequest original = (SipServletRequest) response.getSession().getAttribute("originalRequest");
                    if (original != null && !original.isCommitted()) {
                        original.createResponse(response.getStatus()).send();
                    }
                }

                @Override protected void doCancel(SipServletRequest cancel) throws IOException {
                    B2buaHelper helper = cancel.getB2buaHelper();
                    SipSession peer = helper.getLinkedSession(cancel.getSession());
                    helper.createCancel(peer).send();
                }

                @Override protected void doBye(SipServletRequest bye) throws IOException {
                    bye.createResponse(200).send();
                    SipSession peer = bye.getB2buaHelper().getLinkedSession(bye.getSession());
                    bye.getB2buaHelper().createRequest(peer, bye, null).send();
                }
            }
            """;

    static final String ERRORS =
            """
            package org.example.fwd;

            import javax.servlet.sip.*;

            public class Errors implements SipErrorListener {
                public void noAckReceived(SipErrorEvent e) { throw new IllegalStateException("no ACK"); }
                public void noPrackReceived(SipErrorEvent e) {}
            }
            """;

    /** Would stand beside the descriptor's servlet, were the descriptor not complete. */
    static final String PASSED_OVER =
            """
            package org.example.fwd;

            @javax.servlet.sip.annotation.SipServlet(name = "stray", applicationName = "another")
            public class Stray extends javax.servlet.sip.SipServlet {}
            """;
}
