package io.carillon.servlet.app;

import static io.carillon.servlet.app.TestArchive.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription.Version;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors as they occur, right and wrong. */
class SipXmlTest {
    private static final String DOCTYPE_1_0 =
            "<!DOCTYPE sip-app PUBLIC \"-//Java Community Process//DTD SIP Application 1.0//EN\" \"http://www.jcp.org/dtd/sip-app_1_0.dtd\">";

    private static SipXml read(String xml) throws DeploymentException {
        return SipXml.read("a.war!/WEB-INF/sip.xml", stream(xml));
    }

    @Test
    void descriptorOf1_0WithItsDoctype() throws DeploymentException {
        SipXml xml =
                read(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        %s
                        <sip-app>
                          <display-name>Old one</display-name>
                          <distributable/>
                          <context-param><param-name>a</param-name><param-value>1</param-value></context-param>
                          <listener><listener-class>x.L</listener-class></listener>
                          <servlet>
                            <servlet-name>s</servlet-name>
                            <servlet-class>x.S</servlet-class>
                            <init-param><param-name>p</param-name><param-value>v</param-value></init-param>
                            <load-on-startup>3</load-on-startup>
                          </servlet>
                          <servlet-mapping>
                            <servlet-name>s</servlet-name>
                            <pattern><equal><var>request.method</var><value>INVITE</value></equal></pattern>
                          </servlet-mapping>
                          <proxy-config><sequential-search-timeout>30</sequential-search-timeout></proxy-config>
                          <session-config><session-timeout>7</session-timeout></session-config>
                        </sip-app>
                        """
                                .formatted(DOCTYPE_1_0));
        assertThat(xml.version).isEqualTo(Version.V1_0);
        assertThat(xml.displayName).isEqualTo("Old one");
        assertThat(xml.distributable).isTrue();
        assertThat(xml.contextParams).containsEntry("a", "1");
        assertThat(xml.listeners).extracting(SipXml.Named::name).containsExactly("x.L");
        ServletDescription servlet = xml.servlets.getFirst().description();
        assertThat(servlet.name()).isEqualTo("s");
        assertThat(servlet.className()).isEqualTo("x.S");
        assertThat(servlet.initParams()).containsEntry("p", "v");
        assertThat(servlet.loadOnStartup()).isEqualTo(3);
        assertThat(xml.mappings).hasSize(1);
        assertThat(xml.proxyTimeoutSeconds).isEqualTo(30);
        assertThat(xml.sessionTimeoutMinutes).isEqualTo(7);
        assertThat(xml.warnings).isEmpty();
    }

    static Stream<Arguments> descriptorsOf1_1() {
        String inside =
                """
                  <%1$ssession-config><%1$ssession-timeout> 5 </%1$ssession-timeout></%1$ssession-config>
                  <%2$sproxy-config><%2$sproxy-timeout>20</%2$sproxy-timeout></%2$sproxy-config>
                  <%1$slistener><%1$slistener-class>
                      x.L
                  </%1$slistener-class></%1$slistener>
                  <%1$sservlet><%1$sservlet-class> x.S
                  </%1$sservlet-class><%1$sservlet-name> s </%1$sservlet-name></%1$sservlet>
                  <%2$sservlet-selection><%2$smain-servlet> s </%2$smain-servlet></%2$sservlet-selection>
                  <%2$sapp-name> my.app </%2$sapp-name>
                """;
        return Stream.of(
                Arguments.of(
                        "two namespaces",
                        "<sip-app xmlns=\"http://www.jcp.org/xml/ns/sipservlet\" xmlns:javaee=\"http://java.sun.com/xml/ns/javaee\">"
                                + inside.formatted("javaee:", "")
                                + "</sip-app>"),
                Arguments.of("no namespace", "<sip-app>" + inside.formatted("", "") + "</sip-app>"),
                Arguments.of(
                        "prefix at the root",
                        "<sip:sip-app xmlns:sip=\"http://www.jcp.org/xml/ns/sipservlet\">"
                                + inside.formatted("sip:", "sip:")
                                + "</sip:sip-app>"),
                Arguments.of(
                        "prefixes that nobody declared",
                        "<sip-app version=\"1.1\">"
                                + inside.formatted("javaee:", "x:")
                                + "</sip-app>"),
                Arguments.of(
                        "wrong namespace",
                        "<sip-app xmlns=\"urn:other\">" + inside.formatted("", "") + "</sip-app>"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("descriptorsOf1_1")
    void anyNamespaceAnyOrderUntrimmed(String what, String text) throws DeploymentException {
        SipXml xml = read(text);
        assertThat(xml.version).isEqualTo(Version.V1_1);
        assertThat(xml.appName.name()).isEqualTo("my.app");
        assertThat(xml.mainServlet.name()).isEqualTo("s");
        assertThat(xml.servlets.getFirst().description().className()).isEqualTo("x.S");
        assertThat(xml.servlets.getFirst().description().name()).isEqualTo("s");
        assertThat(xml.listeners.getFirst().name()).isEqualTo("x.L");
        assertThat(xml.sessionTimeoutMinutes).isEqualTo(5);
        assertThat(xml.proxyTimeoutSeconds).isEqualTo(20);
        assertThat(xml.warnings).isEmpty();
    }

    @Test
    void whatIsUnknownIsPassedOverWithAWarning() throws DeploymentException {
        SipXml xml = read("<sip-app>\n<servlet-maping/>\n<ejb-ref/>\n</sip-app>");
        assertThat(xml.warnings)
                .containsExactly(
                        "a.war!/WEB-INF/sip.xml:2: <servlet-maping> is unknown and passed over",
                        "a.war!/WEB-INF/sip.xml:3: <ejb-ref> is passed over: this version of Carillon does not provide it");
    }

    private static final String SECURE =
            """
            <sip-app>
            <servlet><servlet-name>s</servlet-name><servlet-class>x.S</servlet-class>
            <security-role-ref><role-name>boss</role-name><role-link>admin</role-link></security-role-ref>
            <run-as><role-name>admin</role-name></run-as></servlet>
            <security-constraint>
            <resource-collection><resource-name>r</resource-name><servlet-name>s</servlet-name>
            <sip-method>INVITE</sip-method><sip-method>REGISTER</sip-method></resource-collection>
            <proxy-authentication/>
            <auth-constraint><role-name>admin</role-name></auth-constraint>
            <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
            </security-constraint>
            <login-config><auth-method>METHOD</auth-method><realm-name>example.com</realm-name>
            <identity-assertion><identity-assertion-scheme>P-Asserted-Identity</identity-assertion-scheme>
            <identity-assertion-support>SUPPORTED</identity-assertion-support></identity-assertion>
            </login-config>
            <security-role><role-name>admin</role-name></security-role>
            </sip-app>
            """;

    @Test
    void securityElementsAreReadInAnyOrder() throws DeploymentException {
        SipXml xml = read(SECURE.replace("METHOD", "DIGEST"));
        SecurityDescription security = xml.security.description(Set.of("s"));
        assertThat(xml.warnings).isEmpty();
        assertThat(security)
                .isEqualTo(
                        new SecurityDescription(
                                List.of(
                                        new SecurityConstraint(
                                                List.of(
                                                        new SecurityConstraint.Resources(
                                                                Set.of("s"),
                                                                Set.of("INVITE", "REGISTER"))),
                                                true,
                                                Set.of("admin"),
                                                true)),
                                "example.com",
                                SecurityDescription.IdentityAssertion.SUPPORTED,
                                Set.of("admin"),
                                Map.of("s", "admin"),
                                Map.of("s", Map.of("boss", "admin"))));
        assertThat(security.roleOf("s", "boss")).isEqualTo("admin");
        assertThat(security.roleOf("s", "other")).isEqualTo("other");
    }

    @Test
    void basicIsCarriedOutAsDigestAndClientCertIsRefused() throws DeploymentException {
        SipXml xml = read(SECURE.replace("METHOD", "BASIC"));
        assertThat(xml.warnings).singleElement().asString().contains("BASIC is carried out as");
        assertThatThrownBy(() -> read(SECURE.replace("METHOD", "CLIENT-CERT")))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining(":12: <login-config>: auth-method CLIENT-CERT");
    }

    @Test
    void aConstraintOnAServletThatIsNotThereIsAnError() throws DeploymentException {
        SipXml xml = read(SECURE.replace("METHOD", "DIGEST"));
        assertThatThrownBy(() -> xml.security.description(Set.of("t")))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("no servlet is named 's'");
    }

    @Test
    void bytesThatAreNoUtf8AreToldWithTheirLine() {
        byte[] xml = "<sip-app>\n<app-name>caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> SipXml.read("sip.xml", new ByteArrayInputStream(xml)))
                .hasMessage("sip.xml:2: is no well-formed XML: bytes that are no UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "UTF-16", "utf-8"})
    void theDeclaredEncodingIsRead(String encoding) throws Exception {
        String xml =
                "<?xml version='1.0' encoding='"
                        + encoding
                        + "'?>\n<sip-app><app-name>caf\u00e9</app-name></sip-app>";
        byte[] bytes = xml.getBytes(encoding);
        assertThat(SipXml.read("sip.xml", new ByteArrayInputStream(bytes)).appName.name())
                .isEqualTo("caf\u00e9");
    }

    static Stream<Arguments> wrongDescriptors() {
        return Stream.of(
                Arguments.of("<web-app/>", ":1: <web-app>: the root element must be <sip-app>"),
                Arguments.of("", ": is no well-formed XML: "),
                Arguments.of(
                        "<sip-app>\n<servlet>\n</sip-app>",
                        ":3: is no well-formed XML: The element type \"servlet\" must be terminated"),
                Arguments.of(
                        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<sip-app>&x;</sip-app>",
                        ":2: &x;: a descriptor may not refer to entities"),
                Arguments.of(
                        "<!DOCTYPE a [<!ENTITY x 'y'><!ENTITY z '&x;&x;'>]>\n<sip-app>&z;</sip-app>",
                        ":2: &z;: a descriptor may not refer to entities"),
                Arguments.of(
                        "<sip-app version='2.0'/>",
                        ":1: <sip-app>: version must be 1.0 or 1.1, not '2.0'"),
                Arguments.of(
                        "<sip-app>\n\n<servlet><servlet-class>x.S</servlet-class></servlet></sip-app>",
                        ":3: <servlet>: needs <servlet-name>"),
                Arguments.of(
                        "<sip-app>\n<servlet><servlet-name>s</servlet-name>\n<servlet-class> </servlet-class></servlet></sip-app>",
                        ":3: <servlet-class>: is empty"),
                Arguments.of(
                        "<sip-app><servlet><servlet-name>s</servlet-name><jsp-file>x.jsp</jsp-file></servlet></sip-app>",
                        ":1: <servlet>: a SIP servlet is a class: <jsp-file> cannot be served"),
                Arguments.of(
                        "<sip-app>\n<servlet><servlet-name>s</servlet-name><servlet-class>A</servlet-class></servlet>\n<servlet><servlet-name>s</servlet-name><servlet-class>B</servlet-class></servlet></sip-app>",
                        ":3: <servlet>: servlet 's' stands in line 2 already"),
                Arguments.of(
                        "<sip-app><servlet><servlet-name>s</servlet-name><servlet-class>A</servlet-class>\n<load-on-startup>soon</load-on-startup></servlet></sip-app>",
                        ":2: <load-on-startup>: must be a whole number, not 'soon'"),
                Arguments.of(
                        "<sip-app><session-config>\n<session-timeout>3m</session-timeout></session-config></sip-app>",
                        ":2: <session-timeout>: must be a whole number, not '3m'"),
                Arguments.of(
                        "<sip-app><proxy-config><proxy-timeout>0</proxy-timeout></proxy-config></sip-app>",
                        ":1: <proxy-timeout>: must be a number of seconds above 0, not '0'"),
                Arguments.of(
                        "<sip-app>\n<listener/></sip-app>",
                        ":2: <listener>: needs <listener-class>"),
                Arguments.of(
                        "<sip-app><app-name>a</app-name>\n<app-name>b</app-name></sip-app>",
                        ":2: <app-name>: stands in line 1 already"),
                Arguments.of("<sip-app><app-name/></sip-app>", ":1: <app-name>: is empty"),
                Arguments.of(
                        "<sip-app><context-param><param-value>1</param-value></context-param></sip-app>",
                        ":1: <context-param>: needs <param-name>"),
                Arguments.of(
                        "<sip-app><context-param><param-name>io.carillon.execution</param-name><param-value>fast</param-value></context-param></sip-app>",
                        ":1: <context-param>: io.carillon.execution must be one of adaptive, blocking, non-blocking, not 'fast'"),
                Arguments.of(
                        "<sip-app>\n<context-param><param-name>io.carillon.old-habits</param-name><param-value>forward</param-value></context-param></sip-app>",
                        ":2: <context-param>: io.carillon.old-habits takes all or some of"),
                Arguments.of(
                        "<sip-app>\n<security-constraint/></sip-app>",
                        ":2: <security-constraint>: needs <resource-collection>"),
                Arguments.of(
                        "<sip-app>\n<servlet-mapping><servlet-name>s</servlet-name></servlet-mapping></sip-app>",
                        ":2: <servlet-mapping>: needs <pattern>"),
                Arguments.of(
                        mapping("<pattern/>"),
                        ":1: <pattern>: needs exactly one condition (and, or, not, equal, contains, exists, subdomain-of), has 0"),
                Arguments.of(
                        mapping("<pattern><matches/></pattern>"),
                        ":1: <matches>: is no condition; known are and, or, not, equal, contains, exists, subdomain-of"),
                Arguments.of(
                        mapping("<pattern><and/></pattern>"),
                        ":1: <and>: needs at least one condition"),
                Arguments.of(
                        mapping("<pattern><equal><value>x</value></equal></pattern>"),
                        ":1: <equal>: needs <var>"),
                Arguments.of(
                        mapping("<pattern><equal><var>request.method</var></equal></pattern>"),
                        ":1: <equal>: needs <value>"),
                Arguments.of(
                        mapping("<pattern><exists>\n<var>request.url</var></exists></pattern>"),
                        ":2: <var>: 'request.url' is no variable; known are request.method, "));
    }

    private static String mapping(String pattern) {
        return "<sip-app><servlet-mapping><servlet-name>s</servlet-name>"
                + pattern
                + "</servlet-mapping></sip-app>";
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("wrongDescriptors")
    void aWrongDescriptorNamesFileLineElementAndRule(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(DeploymentException.class)
                .hasMessageStartingWith("a.war!/WEB-INF/sip.xml")
                .hasMessageContaining(message);
    }
}
