package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What descriptor and annotations say together. */
class ApplicationLoaderTest {
    private static final String IMPORTS =
            "import javax.servlet.sip.*; import javax.servlet.sip.annotation.SipListener; import javax.servlet.sip.annotation.SipApplicationKey; ";
    private static final String PLAIN =
            "package x; " + IMPORTS + "public class S extends SipServlet {}";
    private static final String ANNOTATED =
            "package x; "
                    + IMPORTS
                    + "@javax.servlet.sip.annotation.SipServlet public class A extends javax.servlet.sip.SipServlet {}";
    private static final String APPLICATION =
            "@javax.servlet.sip.annotation.SipApplication(name=\"noted\", sessionTimeout=9, distributable=true) package x;";

    @TempDir Path folder;

    private ApplicationDescription describe(TestArchive archive) throws Exception {
        Application application =
                new ApplicationLoader(folder.resolve("work")).load(archive.write("a.war"));
        application.stop();
        return application.description();
    }

    private TestArchive archive() {
        return new TestArchive(folder);
    }

    private static String servlet(String name, String className) {
        return "<servlet><servlet-name>"
                + name
                + "</servlet-name><servlet-class>"
                + className
                + "</servlet-class></servlet>";
    }

    @Test
    void annotationsAlone() throws Exception {
        ApplicationDescription description =
                describe(
                        archive()
                                .classes(
                                        APPLICATION,
                                        ANNOTATED,
                                        "package x; "
                                                + IMPORTS
                                                + "@SipListener public class L implements TimerListener { public void timeout(ServletTimer t) {} }",
                                        "package x; "
                                                + IMPORTS
                                                + "public class K { @SipApplicationKey public static String key(SipServletRequest r) { return null; } }"));
        assertThat(description.name()).isEqualTo("noted");
        assertThat(description.version()).isEqualTo(ApplicationDescription.Version.V1_1);
        assertThat(description.sessionTimeoutMinutes()).isEqualTo(9);
        assertThat(description.proxyTimeoutSeconds()).isEqualTo(180);
        assertThat(description.distributable()).isTrue();
        assertThat(description.invalidateWhenReady()).isTrue();
        assertThat(description.servlets()).containsExactly(new ServletDescription("A", "x.A"));
        assertThat(description.mainServlet()).isEqualTo("A");
        assertThat(description.listenerClasses()).containsExactly("x.L");
        assertThat(description.key()).isEqualTo(new ApplicationKey("x.K", "key"));
    }

    @Test
    void librariesAreScannedToo() throws Exception {
        ApplicationDescription description =
                describe(archive().library("lib.jar", APPLICATION, ANNOTATED));
        assertThat(description.name()).isEqualTo("noted");
        assertThat(description.servlets())
                .extracting(ServletDescription::className)
                .containsExactly("x.A");
    }

    @Test
    void theDescriptorWinsOverAnnotations() throws Exception {
        ApplicationDescription description =
                describe(
                        archive()
                                .classes(APPLICATION, ANNOTATED, PLAIN)
                                .sipXml(
                                        "<sip-app><app-name>noted</app-name><session-config><session-timeout>1</session-timeout></session-config>"
                                                + "<servlet><servlet-name>A</servlet-name><servlet-class>x.S</servlet-class></servlet></sip-app>"));
        assertThat(description.sessionTimeoutMinutes()).isEqualTo(1);
        assertThat(description.servlets()).containsExactly(new ServletDescription("A", "x.S"));
    }

    @Test
    void anApplicationWithoutANameIsCalledAsItsArchive() throws Exception {
        ApplicationDescription description =
                describe(
                        archive()
                                .classes(PLAIN)
                                .sipXml("<sip-app>" + servlet("s", "x.S") + "</sip-app>"));
        assertThat(description.name()).isEqualTo("a");
        assertThat(description.version()).isEqualTo(ApplicationDescription.Version.V1_0);
        assertThat(description.invalidateWhenReady()).isFalse();
        assertThat(description.mainServlet()).isEqualTo("s");
        assertThat(description.execution()).isEqualTo(ExecutionMode.ADAPTIVE);
    }

    @Test
    void theConfigurationsContextParamsWinOverTheDescriptors() throws Exception {
        Path war =
                archive()
                        .classes(PLAIN)
                        .sipXml(
                                "<sip-app><app-name>p</app-name><context-param><param-name>next-hop</param-name><param-value>sip:a</param-value></context-param>"
                                        + servlet("s", "x.S")
                                        + "</sip-app>")
                        .write("p.war");
        ApplicationLoader loader =
                new ApplicationLoader(
                        folder.resolve("work"),
                        ArchiveLimits.DEFAULT,
                        name ->
                                name.equals("p")
                                        ? Map.of(
                                                "next-hop",
                                                "sip:b",
                                                "io.carillon.execution",
                                                "non-blocking")
                                        : Map.of(),
                        name -> false);
        Application application = loader.load(war);
        assertThat(application.description().contextParams()).containsEntry("next-hop", "sip:b");
        assertThat(application.description().execution()).isEqualTo(ExecutionMode.NON_BLOCKING);
        application.stop();
        ApplicationLoader wrong =
                new ApplicationLoader(
                        folder.resolve("work"),
                        ArchiveLimits.DEFAULT,
                        name -> Map.of("io.carillon.execution", "fast"),
                        name -> false);
        assertThatThrownBy(() -> wrong.load(war))
                .hasMessage(
                        "configuration of application p: context-params: io.carillon.execution must be one of adaptive, blocking, non-blocking, not 'fast'");
    }

    @Test
    void aClassThatNoAnnotationConcernsMayBeBroken() throws Exception {
        ApplicationDescription description =
                describe(
                        archive()
                                .classes(PLAIN)
                                .file("WEB-INF/classes/x/Broken.class", "no class")
                                .sipXml("<sip-app>" + servlet("s", "x.S") + "</sip-app>"));
        assertThat(description.servlets()).hasSize(1);
    }

    private interface Maker {
        TestArchive make(TestArchive archive) throws IOException;
    }

    static Stream<Arguments> wrongArchives() {
        return Stream.of(
                wrong(
                        "nothing in it",
                        a -> a.file("WEB-INF/x", ""),
                        "a.war: no WEB-INF/sip.xml and no class annotated @SipServlet"),
                wrong(
                        "no servlet",
                        a -> a.sipXml("<sip-app/>"),
                        "a.war!/WEB-INF/sip.xml: no <servlet>, and no class annotated @SipServlet"),
                wrong(
                        "nobody chosen",
                        a ->
                                a.sipXml(
                                        "<sip-app>"
                                                + servlet("s", "x.S")
                                                + servlet("t", "x.T")
                                                + "</sip-app>"),
                        "a.war!/WEB-INF/sip.xml: servlets s, t, but neither <main-servlet> nor <servlet-mapping> says which gets the initial requests"),
                wrong(
                        "main servlet unknown",
                        a ->
                                a.sipXml(
                                        "<sip-app>"
                                                + servlet("s", "x.S")
                                                + "\n<servlet-selection><main-servlet>m</main-servlet></servlet-selection></sip-app>"),
                        "a.war!/WEB-INF/sip.xml:2: <main-servlet>: no servlet is named 'm'; there are s"),
                wrong(
                        "mapped servlet unknown",
                        a ->
                                a.sipXml(
                                        "<sip-app>"
                                                + servlet("s", "x.S")
                                                + "\n<servlet-mapping><servlet-name>m</servlet-name><pattern><exists><var>request.uri</var></exists></pattern></servlet-mapping></sip-app>"),
                        "a.war!/WEB-INF/sip.xml:2: <servlet-mapping>: no servlet is named 'm'; there are s"),
                wrong(
                        "names differ",
                        a ->
                                a.classes(APPLICATION, ANNOTATED)
                                        .sipXml("<sip-app><app-name>other</app-name></sip-app>"),
                        "a.war!/WEB-INF/classes/x/package-info.class: @SipApplication noted: <app-name> in sip.xml is 'other'"),
                wrong(
                        "two applications",
                        a ->
                                a.classes(
                                        APPLICATION,
                                        ANNOTATED,
                                        APPLICATION
                                                .replace("noted", "second")
                                                .replace("package x", "package y")),
                        "a.war!/WEB-INF/classes/y/package-info.class: @SipApplication second: an archive is one application, and a.war!/WEB-INF/classes/x/package-info.class names it 'noted'"),
                wrong(
                        "servlet of another application",
                        a ->
                                a.classes(
                                        APPLICATION,
                                        ANNOTATED.replace(
                                                "annotation.SipServlet",
                                                "annotation.SipServlet(applicationName=\"other\")")),
                        "a.war!/WEB-INF/classes/x/A.class: applicationName other: the application of this archive is 'noted'"),
                wrong(
                        "annotated main servlet unknown",
                        a ->
                                a.classes(
                                        APPLICATION.replace("name=", "mainServlet=\"m\", name="),
                                        ANNOTATED),
                        "a.war: @SipApplication mainServlet: no servlet is named 'm'; there are A"),
                wrong(
                        "same name twice",
                        a ->
                                a.classes(
                                        ANNOTATED,
                                        ANNOTATED
                                                .replace("class A", "class B")
                                                .replace(
                                                        "annotation.SipServlet",
                                                        "annotation.SipServlet(name=\"A\")")),
                        "a.war!/WEB-INF/classes/x/B.class: @SipServlet A: class x.A has that name too"),
                wrong(
                        "key is not static",
                        a ->
                                a.classes(
                                        ANNOTATED,
                                        "package x; "
                                                + IMPORTS
                                                + "public class K { @SipApplicationKey public String key(SipServletRequest r) { return null; } }"),
                        "a.war!/WEB-INF/classes/x/K.class: @SipApplicationKey x.K.key: must be a public static String method with one parameter, SipServletRequest, of a public class"),
                wrong(
                        "key of another type",
                        a ->
                                a.classes(
                                        ANNOTATED,
                                        "package x; "
                                                + IMPORTS
                                                + "public class K { @SipApplicationKey public static Object key(SipServletRequest r) { return null; } }"),
                        "a.war!/WEB-INF/classes/x/K.class: @SipApplicationKey x.K.key: must be a public static String method with one parameter, SipServletRequest, of a public class"),
                wrong(
                        "two keys",
                        a ->
                                a.classes(
                                        ANNOTATED,
                                        "package x; "
                                                + IMPORTS
                                                + "public class K { @SipApplicationKey public static String a(SipServletRequest r) { return null; }"
                                                + " @SipApplicationKey public static String b(SipServletRequest r) { return null; } }"),
                        "a.war!/WEB-INF/classes/x/K.class: @SipApplicationKey x.K.b: an application has one such method, and x.K.a is it"),
                wrong(
                        "broken annotated class",
                        a ->
                                a.file(
                                        "WEB-INF/classes/x/A.class",
                                        "Ljavax/servlet/sip/annotation/SipServlet;"),
                        "a.war!/WEB-INF/classes/x/A.class: broken class file: "),
                wrong(
                        "broken library",
                        a -> a.file("WEB-INF/lib/l.jar", "no jar"),
                        "a.war!/WEB-INF/lib/l.jar: broken archive: "));
    }

    private static Arguments wrong(String what, Maker maker, String message) {
        return Arguments.of(what, maker, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongArchives")
    void aWrongArchiveNamesFileElementAndRuleAndLeavesNothing(
            String what, Maker maker, String message) throws Exception {
        Path war = maker.make(archive()).write("a.war");
        Path work = folder.resolve("work");
        assertThatThrownBy(() -> new ApplicationLoader(work).load(war))
                .isInstanceOf(DeploymentException.class)
                .hasMessageStartingWith(message);
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../up",
                "a/b",
                "a\\b",
                ".hidden",
                "-v",
                "a:b",
                "a\u202eb",
                "a%2fb",
                "a;b",
                "a\"b",
                "..",
                "a. "
            })
    void aNameThatCannotStandInAPathOrALogIsRefused(String name) {
        assertThatThrownBy(() -> describe(named(name)))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("a.war!/WEB-INF/sip.xml")
                .hasMessageContaining("letters, digits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "org.example.Call_Control-2", "Click to call", "Z\u00e4hler (1)"})
    void ordinaryNamesAreTaken(String name) throws Exception {
        assertThat(describe(named(name)).name()).isEqualTo(name);
    }

    @Test
    void aNameHasALimitedLength() throws Exception {
        assertThat(describe(named("n".repeat(128))).name()).hasSize(128);
        assertThatThrownBy(() -> describe(named("n".repeat(129))))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("128");
    }

    private TestArchive named(String name) throws IOException {
        return archive()
                .classes(PLAIN)
                .sipXml(
                        "<sip-app><app-name>"
                                + name
                                + "</app-name>"
                                + servlet("s", "x.S")
                                + "<servlet-selection><main-servlet>s</main-servlet></servlet-selection></sip-app>");
    }
}
