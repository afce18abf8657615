package io.carillon.servlet.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.TestArchive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of an archive before it is deployed. */
class ArchiveCheckTest {
    private static final String PHONE =
            """
            package x;

            import javax.servlet.sip.*;

            @javax.servlet.sip.annotation.SipServlet(name = "phone", applicationName = "phone")
            public class Phone extends SipServlet {
                static { if (true) throw new IllegalStateException("no code of it may run"); }

                protected void doInvite(SipServletRequest r) throws java.io.IOException {
                    r.createResponse(200).send();
                }

                protected void doMessage(SipServletRequest r) throws java.io.IOException {
                    r.createResponse(200).send();
                }
            }
            """;

    @TempDir Path folder;

    private CheckReport check(TestArchive archive) throws Exception {
        Path work = folder.resolve("work");
        CheckReport report = ArchiveCheck.of(archive.write("a.war"), work);
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).as("what the check left behind").isEmpty();
        }
        return report;
    }

    private static List<String> texts(CheckReport report) {
        return report.findings().stream().map(f -> f.level() + " " + f.text()).toList();
    }

    /** A servlet with one statement, against classes that are not in the archive. */
    private TestArchive using(String statement, String... others) throws Exception {
        String[] sources = new String[others.length + 1];
        sources[0] =
                "package x; public class U extends javax.servlet.sip.SipServlet { protected void doInvite(javax.servlet.sip.SipServletRequest r) { try { "
                        + statement
                        + " } catch (Exception e) {} } }";
        System.arraycopy(others, 0, sources, 1, others.length);
        return new TestArchive(folder).classes(sources).sipXml(oneServlet(""));
    }

    private static String oneServlet(String more) {
        return "<sip-app><app-name>u</app-name>"
                + more
                + "<servlet><servlet-name>u</servlet-name><servlet-class>x.U</servlet-class></servlet></sip-app>";
    }

    @Test
    void aCleanArchiveHasNoFindingsAndSaysWhatItIs() throws Exception {
        CheckReport report = check(new TestArchive(folder).classes(PHONE));
        assertThat(report.findings()).isEmpty();
        assertThat(report.failed()).isFalse();
        assertThat(report.application()).isEqualTo("phone");
        assertThat(report.servlets()).containsExactly("phone");
        assertThat(report.execution()).isEqualTo("adaptive");
        assertThat(report.javaVersion()).isEqualTo(25);
    }

    @Test
    void jspsAreNamedForNobodyCompilesThem() throws Exception {
        CheckReport report =
                check(
                        new TestArchive(folder)
                                .classes(PHONE)
                                .file("pages/b.JSP", "<% %>")
                                .file("pages/a.jspx", "<x/>")
                                .file("pages/c.html", "<p>"));
        assertThat(report.failed()).isFalse();
        assertThat(texts(report))
                .containsExactly(
                        "WARNING a.war!/pages/a.jspx: JSP, one of 2: is not compiled here: a request for it is answered 501 (docs/guides/converged-http.md)");
    }

    @Test
    void filesOfOtherServersAreNamedWithWhereTheirContentsGo() throws Exception {
        CheckReport report =
                check(
                        new TestArchive(folder)
                                .classes(PHONE)
                                .file("WEB-INF/jboss-web.xml", "<jboss-web/>")
                                .file("WEB-INF/weblogic.xml", "<weblogic-web-app/>")
                                .file("WEB-INF/ibm-web-bnd.xml", "<web-bnd/>"));
        assertThat(report.failed()).isFalse();
        assertThat(texts(report))
                .hasSize(3)
                .allMatch(line -> line.contains("is not read here: "))
                .anyMatch(line ->
                        line.startsWith("WARNING a.war!/WEB-INF/jboss-web.xml")
                                && line.endsWith("docs/guides/migrating-from-mobicents.md"))
                .anyMatch(line -> line.endsWith("docs/guides/migrating-from-weblogic.md"))
                .anyMatch(line -> line.endsWith("docs/guides/migrating-from-liberty.md"));
    }

    @Test
    void whatItNeedsOfItsServerIsSaid() throws Exception {
        String more =
                "<distributable/><session-config><session-timeout>5</session-timeout></session-config>"
                        + "<security-constraint><resource-collection><resource-name>all</resource-name>"
                        + "<servlet-name>u</servlet-name></resource-collection>"
                        + "<auth-constraint><role-name>caller</role-name></auth-constraint></security-constraint>"
                        + "<security-role><role-name>caller</role-name></security-role>";
        assertThat(check(using("").sipXml(oneServlet(more))).needs())
                .containsExactly(
                        "users: carillon users add NAME --role caller (docs/guides/security.md)",
                        "attributes that are Serializable: it is distributable, so its calls may go on in another node of a cluster (docs/guides/clustering.md)");
        assertThat(check(using("").sipXml(oneServlet(""))).needs())
                .containsExactly(
                        "a word on session-timeout: without it in sip.xml a call ends after 3 minutes without a message (sessions.expired-calls)");
    }

    @Test
    void anEarIsRefusedWithWhatToDo() throws Exception {
        Path ear = Files.writeString(folder.resolve("a.ear"), "");
        assertThatThrownBy(() -> ArchiveCheck.of(ear, folder.resolve("work")))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("an EAR is not taken: deploy the .war or .sar inside it");
    }

    @Test
    void routerEntriesAreThoseOfTheRequestsThatItHandles() throws Exception {
        assertThat(check(new TestArchive(folder).classes(PHONE)).routerEntries())
                .containsExactly(
                        "INVITE: (\"phone\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\")",
                        "MESSAGE: (\"phone\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\")");
        assertThat(
                        check(
                                        new TestArchive(folder)
                                                .classes(PHONE.replace("doInvite", "doRequest")))
                                .routerEntries())
                .containsExactly(
                        "ALL: (\"phone\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\")");
    }

    @Test
    void aDescriptorsFaultIsAnErrorWithItsLine() throws Exception {
        CheckReport report =
                check(
                        new TestArchive(folder)
                                .sipXml(
                                        "<sip-app>\n<servlet><servlet-name>s</servlet-name></servlet></sip-app>"));
        assertThat(report.failed()).isTrue();
        assertThat(texts(report))
                .containsExactly(
                        "ERROR a.war!/WEB-INF/sip.xml:2: <servlet>: needs <servlet-class>");
    }

    @Test
    void aMissingServletClassIsAnError() throws Exception {
        CheckReport report =
                check(new TestArchive(folder).file("WEB-INF/x", "").sipXml(oneServlet("")));
        assertThat(texts(report))
                .containsExactly(
                        "ERROR a.war: servlet u: class x.U is not in WEB-INF/classes or WEB-INF/lib");
    }

    @Test
    void aServletWithoutMappingIsNamed() throws Exception {
        String xml =
                oneServlet("<main-servlet>u</main-servlet>")
                        .replace(
                                "</sip-app>",
                                "<servlet><servlet-name>v</servlet-name><servlet-class>x.U</servlet-class></servlet></sip-app>");
        assertThat(texts(check(using("").sipXml(xml))))
                .containsExactly(
                        "WARNING a.war: servlet v: gets no initial request: it has no <servlet-mapping> and is not the <main-servlet>");
    }

    @Test
    void aVendorsMemberIsNamedUnlessTheArchiveBringsIt() throws Exception {
        String vendor =
                "package com.bea.wlss; public class Diameter { public static void go(int i) {} }";
        TestArchive with = using("com.bea.wlss.Diameter.go(1);", vendor);
        assertThat(check(with).findings()).isEmpty();
        assertThat(texts(check(with.without("WEB-INF/classes/com/bea/wlss/Diameter.class"))))
                .containsExactlyInAnyOrder(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: com.bea.wlss.Diameter: is of WebLogic (OCCAS), which is not in the archive; see docs/guides/migrating-from-weblogic.md",
                        "ERROR a.war!/WEB-INF/classes/x/U.class: com.bea.wlss.Diameter: Diameter.go(int): is of WebLogic (OCCAS), which is not in the archive; see docs/guides/migrating-from-weblogic.md");
    }

    private static final String EXTENSION =
            "package org.mobicents.javax.servlet.sip; public interface SipSessionExt { void setBypassProxy(boolean b); }";

    @Test
    void aTypeThatTheBridgeGivesIsNamedWithTheCommandThatInstallsIt() throws Exception {
        TestArchive archive =
                using(
                        "((org.mobicents.javax.servlet.sip.SipSessionExt) r.getSession()).setBypassProxy(true);",
                        EXTENSION);
        String own = "WEB-INF/classes/org/mobicents/javax/servlet/sip/SipSessionExt.class";
        assertThat(texts(check(archive)))
                .as("its own copy is no help")
                .singleElement()
                .asString()
                .startsWith("WARNING")
                .contains(
                        "casts to them fail, unless the bridge is there: ./carillon bridge install");
        assertThat(texts(check(archive.without(own))))
                .contains(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: org.mobicents.javax.servlet.sip.SipSessionExt: is of Mobicents, which is not in the archive; the bridge has it: ./carillon bridge install (docs/guides/migrating-from-mobicents.md)");
    }

    @Test
    void aTypeOfAnImplementationIsNamedWithTheGuide() throws Exception {
        String implementation =
                "package org.mobicents.servlet.sip.message; public class SipFactoryImpl { public static int x; }";
        TestArchive archive =
                using("org.mobicents.servlet.sip.message.SipFactoryImpl.x = 1;", implementation)
                        .without(
                                "WEB-INF/classes/org/mobicents/servlet/sip/message/SipFactoryImpl.class");
        assertThat(texts(check(archive)))
                .contains(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: org.mobicents.servlet.sip.message.SipFactoryImpl: is of Mobicents, which is not in the archive; see docs/guides/migrating-from-mobicents.md");
        String liberty = "package com.ibm.websphere.sip; public class AsynchronousWork {}";
        TestArchive ibm =
                using("new com.ibm.websphere.sip.AsynchronousWork();", liberty)
                        .without("WEB-INF/classes/com/ibm/websphere/sip/AsynchronousWork.class");
        assertThat(texts(check(ibm)).getFirst())
                .endsWith("; see docs/guides/migrating-from-liberty.md");
    }

    @Test
    void jakartaServletIsAnErrorInClassesAndAWarningInLibraries() throws Exception {
        String jakarta = "package jakarta.servlet; public class Filter {}";
        TestArchive archive =
                using("new jakarta.servlet.Filter();", jakarta)
                        .without("WEB-INF/classes/jakarta/servlet/Filter.class");
        assertThat(texts(check(archive)))
                .containsExactly(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: jakarta.servlet.Filter: is of Jakarta EE 9 or later; SIP Servlet 1.1 applications are compiled against javax.servlet");
        CheckReport inLibrary =
                check(
                        new TestArchive(folder)
                                .classes(PHONE)
                                .file("WEB-INF/lib/l.jar", libraryUsing(jakarta)));
        assertThat(inLibrary.failed()).isFalse();
        assertThat(texts(inLibrary))
                .singleElement()
                .asString()
                .startsWith("WARNING a.war!/WEB-INF/lib/l.jar!/y/L.class: jakarta.servlet.Filter");
    }

    private byte[] libraryUsing(String jakarta) throws Exception {
        Path war =
                new TestArchive(folder)
                        .library(
                                "l.jar",
                                "package y; public class L { Object o = new jakarta.servlet.Filter(); }",
                                jakarta)
                        .explode("with-library");
        Path jar = war.resolve("WEB-INF/lib/l.jar");
        try (var zip = java.nio.file.FileSystems.newFileSystem(jar)) {
            Files.delete(zip.getPath("jakarta/servlet/Filter.class"));
        }
        return Files.readAllBytes(jar);
    }

    @Test
    void aMemberThatTheApiDoesNotHaveIsAnError() throws Exception {
        // SIP Servlet 2.0 has it, and 1.1 does not.
        byte[] later =
                replace(
                        Files.readAllBytes(
                                using("r.getInitialPoppedRoute();")
                                        .explode("later")
                                        .resolve("WEB-INF/classes/x/U.class")),
                        "getInitialPoppedRoute",
                        "getInitialPoppedRoutf");
        assertThat(texts(check(using("").file("WEB-INF/classes/x/U.class", later))))
                .containsExactly(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: SipServletRequest.getInitialPoppedRoutf(): is no member of the API (SIP Servlet 1.1, Servlet 4.0)");
    }

    private static byte[] replace(byte[] bytes, String old, String with) {
        var latin = java.nio.charset.StandardCharsets.ISO_8859_1;
        return new String(bytes, latin).replace(old, with).getBytes(latin);
    }

    @Test
    void whatTheJdkNoLongerHasIsAnError() throws Exception {
        byte[] old =
                replace(
                        Files.readAllBytes(
                                using("Runtime.getRuntime().runFinalization();")
                                        .explode("old")
                                        .resolve("WEB-INF/classes/x/U.class")),
                        "runFinalization",
                        "runFinalizatiox");
        assertThat(texts(check(using("").file("WEB-INF/classes/x/U.class", old))))
                .containsExactly(
                        "ERROR a.war!/WEB-INF/classes/x/U.class: Runtime.runFinalizatiox(): is not in Java 25");
        String bind = "package javax.xml.bind; public class JAXB {}";
        assertThat(
                        texts(
                                check(
                                        using("new javax.xml.bind.JAXB();", bind)
                                                .without(
                                                        "WEB-INF/classes/javax/xml/bind/JAXB.class"))))
                .singleElement()
                .asString()
                .contains("javax.xml.bind.JAXB: is of Java EE or of an older JDK")
                .endsWith("add its library to WEB-INF/lib");
    }

    @Test
    void aClassForANewerJavaIsAnError() throws Exception {
        byte[] newer =
                Files.readAllBytes(using("").explode("newer").resolve("WEB-INF/classes/x/U.class"));
        newer[7] = 44 + 26;
        CheckReport report = check(using("").file("WEB-INF/classes/x/U.class", newer));
        assertThat(report.failed()).isTrue();
        assertThat(texts(report)).anyMatch(t -> t.contains("Java 26") || t.contains("class file"));
    }

    @Test
    void aNonBlockingApplicationThatWaitsIsWarned() throws Exception {
        TestArchive archive = using("Thread.sleep(10);");
        assertThat(check(archive).findings()).isEmpty();
        CheckReport report =
                check(
                        archive.sipXml(
                                oneServlet(
                                        "<context-param><param-name>io.carillon.execution</param-name><param-value>non-blocking</param-value></context-param>")));
        assertThat(report.execution()).isEqualTo("non-blocking");
        assertThat(report.failed()).isFalse();
        assertThat(texts(report))
                .containsExactly(
                        "WARNING a.war!/WEB-INF/classes/x/U.class: Thread.sleep(long): waits, but the application declares that its handlers never do (io.carillon.execution)");
    }

    @Test
    void whatIsNoArchiveIsRefused() throws Exception {
        Path text = Files.writeString(folder.resolve("t.war"), "no zip");
        assertThatThrownBy(() -> ArchiveCheck.of(text, folder.resolve("work")))
                .isInstanceOf(DeploymentException.class)
                .hasMessageStartingWith("t.war: broken archive");
    }
}
