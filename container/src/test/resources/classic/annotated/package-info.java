@javax.servlet.sip.annotation.SipApplication(
        name = "Annotated", mainServlet = "Front", sessionTimeout = 5, proxyTimeout = 20)
package org.example.annotated;
