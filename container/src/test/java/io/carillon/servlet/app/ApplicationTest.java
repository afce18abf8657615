package io.carillon.servlet.app;

import static io.carillon.servlet.TestRequests.request;
import static io.carillon.servlet.TestRequests.sip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationTest {
    private static final String IMPORTS =
            "import javax.servlet.*; import javax.servlet.sip.*; import javax.servlet.sip.annotation.SipListener; import javax.servlet.sip.annotation.SipApplicationKey; import java.util.*;";

    /** Writes what happens to it into the list that the test's properties hold. */
    private static final String RECORDER =
            """
            package x; %s
            public class Recorder extends SipServlet {
              @SuppressWarnings("unchecked") static void note(String what) {
                ((List<String>) System.getProperties().get("carillon.test.events"))
                    .add(what + (Thread.currentThread().getContextClassLoader() == Recorder.class.getClassLoader() ? "" : " with a foreign context class loader"));
              }
              @Override public void init() { note("init " + getServletName() + " " + getInitParameter("p")); }
              @Override public void destroy() { note("destroy " + getServletName()); }
            }
            """
                    .formatted(IMPORTS);

    private static final String CONTEXT_LISTENER =
            """
            package x; %s
            public class Context implements ServletContextListener, SipServletListener {
              public void contextInitialized(ServletContextEvent e) { Recorder.note("contextInitialized " + (e.getServletContext().getAttribute("javax.servlet.sip.SipFactory") != null)); }
              public void contextDestroyed(ServletContextEvent e) { Recorder.note("contextDestroyed"); }
              public void servletInitialized(SipServletContextEvent e) { Recorder.note("servletInitialized " + e.getSipServlet().getServletName()); }
            }
            """
                    .formatted(IMPORTS);

    @TempDir Path folder;
    private final List<String> events = new ArrayList<>();

    @BeforeEach
    void record() {
        System.getProperties().put("carillon.test.events", events);
    }

    private static ApplicationServices services() {
        return new ApplicationServices(
                TestRequests.factory(),
                TestRequests.timers(),
                TestRequests.sessionsUtil(),
                List.of(sip("", "127.0.0.1", 5060, Map.of())),
                List.of("100rel"),
                List.of("3261", "3262"));
    }

    private Application load(TestArchive archive) throws Exception {
        return new ApplicationLoader(folder.resolve("work")).load(archive.write("a.war"));
    }

    private static String servlet(String name, String className, String more) {
        return "<servlet><servlet-name>"
                + name
                + "</servlet-name><servlet-class>"
                + className
                + "</servlet-class>"
                + more
                + "</servlet>";
    }

    private static String load(int order) {
        return "<load-on-startup>" + order + "</load-on-startup>";
    }

    private TestArchive recorders() throws Exception {
        return new TestArchive(folder)
                .classes(RECORDER, CONTEXT_LISTENER)
                .sipXml(
                        "<sip-app><listener><listener-class>x.Context</listener-class></listener><main-servlet>b</main-servlet>"
                                + servlet("free", "x.Recorder", "")
                                + servlet("b", "x.Recorder", load(2))
                                + servlet(
                                        "a",
                                        "x.Recorder",
                                        "<init-param><param-name>p</param-name><param-value>v</param-value></init-param>"
                                                + load(1))
                                + "</sip-app>");
    }

    @Test
    void lifeCycleInTheOrderOfLoadOnStartupAndBack() throws Exception {
        Application application = load(recorders());
        assertThat(events).isEmpty();
        application.start(services());
        assertThat(events)
                .containsExactly(
                        "contextInitialized true",
                        "init a v",
                        "servletInitialized a",
                        "init b null",
                        "servletInitialized b",
                        "init free null",
                        "servletInitialized free");
        assertThat(application.state()).isEqualTo(Application.State.STARTED);
        events.clear();
        application.stop();
        application.stop();
        assertThat(events)
                .containsExactly("destroy free", "destroy b", "destroy a", "contextDestroyed");
        assertThat(application.state()).isEqualTo(Application.State.STOPPED);
        try (Stream<Path> left = java.nio.file.Files.list(folder.resolve("work"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void theMainServletGetsEveryInitialRequest() throws Exception {
        Application application = load(recorders());
        application.start(services());
        assertThat(
                        application
                                .handlerFor(
                                        TestRequests.of(
                                                request("INVITE", sip("x", "y", -1, Map.of()))))
                                .name())
                .isEqualTo("b");
        assertThat(application.servlet("a").servlet())
                .isNotSameAs(application.servlet("b").servlet());
        assertThat(application.servlet("c")).isNull();
        application.stop();
    }

    @Test
    void theFirstMatchingMappingChooses() throws Exception {
        SipServlet one = new SipServlet() {};
        SipServlet two =
                new SipServlet() {
                    @Override
                    protected void doBranchResponse(SipServletResponse response) {}
                };
        Application application =
                Application.of(
                        ApplicationDescription.builder("m")
                                .servlet("one", () -> one)
                                .servlet("two", () -> two)
                                .mapping("one", r -> r.getMethod().equals("INVITE"))
                                .mapping("two", r -> !r.getMethod().equals("REGISTER"))
                                .build());
        application.start(services());
        assertThat(handler(application, "INVITE")).isEqualTo(new NamedServlet("one", one, false));
        assertThat(handler(application, "MESSAGE")).isEqualTo(new NamedServlet("two", two, true));
        assertThat(handler(application, "REGISTER")).isNull();
    }

    @Test
    void aNamedDispatcherForwardsWithinTheApplication() throws Exception {
        List<SipServletRequest> seen = new ArrayList<>();
        SipServlet other =
                new SipServlet() {
                    @Override
                    public void service(
                            javax.servlet.ServletRequest request,
                            javax.servlet.ServletResponse response) {
                        seen.add((SipServletRequest) request);
                    }
                };
        Application application =
                Application.of(
                        ApplicationDescription.builder("m").servlet("other", () -> other).build());
        application.start(services());
        SipServletRequest invite = TestRequests.of(request("INVITE", sip("x", "y", -1, Map.of())));
        application.context().getNamedDispatcher("other").forward(invite, null);
        assertThat(seen).containsExactly(invite);
        assertThat(application.context().getNamedDispatcher("none")).isNull();
    }

    private static NamedServlet handler(Application application, String method) {
        return application.handlerFor(
                TestRequests.of(request(method, sip("x", "y", -1, Map.of()))));
    }

    @Test
    void aClassThatIsServletAndListenerHasOneInstance() throws Exception {
        Application application =
                load(
                        new TestArchive(folder)
                                .classes(
                                        """
                                        package x; %s
                                        @javax.servlet.sip.annotation.SipServlet(name="both") @SipListener
                                        public class Both extends javax.servlet.sip.SipServlet implements TimerListener, SipErrorListener {
                                          public void timeout(ServletTimer t) {}
                                          public void noAckReceived(SipErrorEvent e) {}
                                          public void noPrackReceived(SipErrorEvent e) {}
                                        }
                                        """
                                                .formatted(IMPORTS)));
        application.start(services());
        assertThat(application.listeners().timers())
                .hasSize(1)
                .containsExactly(
                        (javax.servlet.sip.TimerListener) application.servlet("both").servlet());
        assertThat(application.listeners().errors()).hasSize(1);
        assertThat(application.listeners().sessions()).isEmpty();
        application.stop();
    }

    /**
     * The archive does not hold the annotation's class, as real ones do not: the JDK had it once.
     */
    private TestArchive injected(String member) throws Exception {
        TestArchive archive = new TestArchive(folder);
        archive.classes(
                "package javax.annotation; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Resource { String name() default \"\"; }",
                "package x; "
                        + IMPORTS
                        + "public class Base extends javax.servlet.sip.SipServlet { @javax.annotation.Resource private TimerService timers; protected TimerService timers() { return timers; } }",
                "package x; " + IMPORTS + "public class S extends Base { " + member + " }");
        archive.without("WEB-INF/classes/javax/annotation/Resource.class");
        return archive.sipXml("<sip-app>" + servlet("s", "x.S", "") + "</sip-app>");
    }

    @Test
    void resourcesAreInjectedIntoFieldsSettersAndSuperclasses() throws Exception {
        ApplicationServices services = services();
        Application application =
                load(
                        injected(
                                """
                                @javax.annotation.Resource(name="sip/a/SipFactory") SipFactory factory;
                                SipSessionsUtil util;
                                @javax.annotation.Resource void setUtil(SipSessionsUtil u) { util = u; }
                                @Override public void init() {
                                  getServletContext().setAttribute("seen", new Object[] {factory, timers(), util});
                                }
                                """));
        application.start(services);
        assertThat((Object[]) application.context().getAttribute("seen"))
                .containsExactly(
                        services.sipFactory(), services.timerService(), services.sipSessionsUtil());
        application.stop();
    }

    static Stream<Arguments> wrongResources() {
        return Stream.of(
                Arguments.of(
                        "@javax.annotation.Resource static SipFactory f;",
                        "a.war: @Resource x.S.f: an injected field must be neither static nor final"),
                Arguments.of(
                        "@javax.annotation.Resource Runnable f;",
                        "a.war: @Resource x.S.f: no resource of type java.lang.Runnable; injected are SipFactory, TimerService, SipSessionsUtil, ServletContext and the server's DataSource"),
                Arguments.of(
                        "@javax.annotation.Resource void f() {}",
                        "a.war: @Resource x.S.f: an injected method must be a setter: one parameter, not static"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongResources")
    void aWrongResourceFailsTheDeployment(String member, String message) throws Exception {
        Application application = load(injected(member));
        assertThatThrownBy(() -> application.start(services()))
                .isInstanceOf(DeploymentException.class)
                .hasMessage(message);
    }

    static Stream<Arguments> wrongClasses() {
        return Stream.of(
                Arguments.of(
                        "x.Missing",
                        "package x; public class S {}",
                        "a.war: servlet s: class x.Missing is not in WEB-INF/classes or WEB-INF/lib"),
                Arguments.of(
                        "x.S",
                        "package x; public class S {}",
                        "a.war: servlet s: x.S is no javax.servlet.sip.SipServlet"),
                Arguments.of(
                        "x.S",
                        "package x; public class S extends javax.servlet.sip.SipServlet { public S(int i) {} }",
                        "a.war: servlet s: x.S must be public, not abstract, with a public constructor without parameters"),
                Arguments.of(
                        "x.S",
                        "package x; public abstract class S extends javax.servlet.sip.SipServlet {}",
                        "a.war: servlet s: x.S must be public, not abstract, with a public constructor without parameters"),
                Arguments.of(
                        "x.S",
                        "package x; public class S extends javax.servlet.sip.SipServlet { public S() { throw new IllegalStateException(\"no\"); } }",
                        "a.war: servlet s: the constructor of x.S threw java.lang.IllegalStateException: no"),
                Arguments.of(
                        "x.S",
                        "package x; public class S extends javax.servlet.sip.SipServlet { public void init() throws javax.servlet.ServletException { throw new javax.servlet.ServletException(\"no\"); } }",
                        "a.war: servlet s: init threw ServletException: no"));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("wrongClasses")
    void aServletThatCannotBeMadeFailsTheDeployment(String className, String source, String message)
            throws Exception {
        Application application =
                load(
                        new TestArchive(folder)
                                .classes(source)
                                .sipXml("<sip-app>" + servlet("s", className, "") + "</sip-app>"));
        assertThatThrownBy(() -> application.start(services()))
                .isInstanceOf(DeploymentException.class)
                .hasMessage(message);
        assertThat(application.state()).isEqualTo(Application.State.STOPPED);
    }

    @Test
    void whatWasDoneBeforeAFailureIsUndone() throws Exception {
        Application application =
                load(
                        new TestArchive(folder)
                                .classes(
                                        RECORDER,
                                        CONTEXT_LISTENER,
                                        "package x; public class Bad extends javax.servlet.sip.SipServlet { @Override public void init() { throw new IllegalStateException(\"no\"); } }")
                                .sipXml(
                                        "<sip-app><listener><listener-class>x.Context</listener-class></listener><main-servlet>a</main-servlet>"
                                                + servlet("a", "x.Recorder", load(1))
                                                + servlet("bad", "x.Bad", load(2))
                                                + "</sip-app>"));
        assertThatThrownBy(() -> application.start(services()))
                .hasMessage(
                        "a.war: servlet bad: init threw java.lang.IllegalStateException: no at x.Bad.init(Bad.java:1)");
        assertThat(events).endsWith("destroy a", "contextDestroyed");
        try (Stream<Path> left = java.nio.file.Files.list(folder.resolve("work"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aListenerMustBeOne() throws Exception {
        Application application =
                load(
                        new TestArchive(folder)
                                .classes(RECORDER)
                                .sipXml(
                                        "<sip-app><listener><listener-class>x.Recorder</listener-class></listener>"
                                                + servlet("s", "x.Recorder", "")
                                                + "</sip-app>"));
        assertThatThrownBy(() -> application.start(services()))
                .hasMessage(
                        "a.war: listener x.Recorder: the class implements no listener interface");
    }

    @Test
    void theSessionKeyIsAsked() throws Exception {
        Application application =
                load(
                        new TestArchive(folder)
                                .classes(
                                        RECORDER,
                                        "package x; "
                                                + IMPORTS
                                                + "public class K { @SipApplicationKey public static String key(SipServletRequest r) {"
                                                + " if (r.getMethod().equals(\"BAD\")) throw new IllegalStateException(\"no\"); return \"k-\" + r.getMethod(); } }")
                                .sipXml(
                                        "<sip-app>"
                                                + servlet("s", "x.Recorder", "")
                                                + "</sip-app>"));
        application.start(services());
        SessionKeyMethod key = Objects.requireNonNull(application.sessionKey());
        SipServletRequest invite = TestRequests.of(request("INVITE", sip("x", "y", -1, Map.of())));
        assertThat(key.of(invite)).isEqualTo("k-INVITE");
        SipServletRequest bad = TestRequests.of(request("BAD", sip("x", "y", -1, Map.of())));
        assertThatThrownBy(() -> key.of(bad))
                .isInstanceOf(ServletException.class)
                .hasRootCauseMessage("no");
        application.stop();
    }
}
