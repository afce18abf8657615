package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationLoader;
import io.carillon.servlet.app.ApplicationServices;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ServletDescription;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the elements of the annotations do, in an archive without sip.xml. */
class AnnotationMembersTest {
    private static final String IMPORTS =
            "import javax.servlet.sip.*; import javax.servlet.sip.annotation.*; ";
    private static final String PLAIN = servlet("A", "");

    @TempDir Path folder;

    private static String servlet(String className, String elements) {
        return "package x; @javax.servlet.sip.annotation.SipServlet("
                + elements
                + ") public class "
                + className
                + " extends javax.servlet.sip.SipServlet {"
                + " @SuppressWarnings(\"unchecked\") @Override public void init() {"
                + " ((java.util.List<String>) System.getProperties().get(\"carillon.test.inits\")).add(getServletName()); } }";
    }

    private static String application(String elements) {
        return "@javax.servlet.sip.annotation.SipApplication(" + elements + ") package x;";
    }

    private Application load(String... sources) throws Exception {
        return new ApplicationLoader(folder.resolve("work"))
                .load(new TestArchive(folder).classes(sources).write("file.war"));
    }

    private ApplicationDescription describe(String... sources) throws Exception {
        Application application = load(sources);
        application.stop();
        return application.description();
    }

    // ---- @SipApplication ----

    @Test
    @Proves("annotation.SipApplication#name()")
    void the_application_bears_the_annotations_name() throws Exception {
        assertThat(describe(application("name = \"noted\""), PLAIN).name()).isEqualTo("noted");
    }

    @Test
    void an_application_without_any_name_is_called_as_its_file() throws Exception {
        assertThat(describe(application("sessionTimeout = 4"), PLAIN).name()).isEqualTo("file");
    }

    @Test
    @Proves("annotation.SipApplication#displayName()")
    void the_display_name_is_the_name_of_the_servlet_context() throws Exception {
        Application application =
                load(application("name = \"noted\", displayName = \"Noted Calls\""), PLAIN);
        assertThat(application.context().getServletContextName()).isEqualTo("Noted Calls");
        application.stop();
    }

    @Test
    @Proves({
        "annotation.SipApplication#description()",
        "annotation.SipApplication#smallIcon()",
        "annotation.SipApplication#largeIcon()",
        "annotation.SipServlet#description()",
        "annotation.SipListener#description()",
    })
    void what_an_archive_says_of_itself_is_kept_for_people() throws Exception {
        var said =
                describe(
                                application(
                                        "name = \"noted\", description = \"Notes calls.\", smallIcon = \"/s.png\", largeIcon = \"/l.png\""),
                                servlet("A", "description = \"Takes calls.\""),
                                "package x; "
                                        + IMPORTS
                                        + "@SipListener(description = \"Counts.\") public class L implements TimerListener { public void timeout(ServletTimer t) {} }")
                        .presentation();
        assertThat(said.description()).isEqualTo("Notes calls.");
        assertThat(said.smallIcon()).isEqualTo("/s.png");
        assertThat(said.largeIcon()).isEqualTo("/l.png");
        assertThat(said.servlets()).containsEntry("A", "Takes calls.");
        assertThat(said.listeners()).containsEntry("x.L", "Counts.");
    }

    @Test
    @Proves("annotation.SipApplication#distributable()")
    void a_distributable_application_says_so() throws Exception {
        assertThat(describe(application("name = \"n\""), PLAIN).distributable()).isFalse();
        assertThat(describe(application("name = \"n\", distributable = true"), PLAIN))
                .extracting(ApplicationDescription::distributable)
                .isEqualTo(true);
    }

    @Test
    @Proves({
        "annotation.SipApplication#proxyTimeout()",
        "annotation.SipApplication#sessionTimeout()",
    })
    void time_outs_are_the_annotations_or_180_seconds_and_3_minutes() throws Exception {
        ApplicationDescription byDefault = describe(application("name = \"n\""), PLAIN);
        assertThat(byDefault.proxyTimeoutSeconds()).isEqualTo(180);
        assertThat(byDefault.sessionTimeoutMinutes()).isEqualTo(3);
        assertThat(byDefault.sessionTimeoutDeclared()).isFalse();
        ApplicationDescription own =
                describe(application("name = \"n\", proxyTimeout = 20, sessionTimeout = 7"), PLAIN);
        assertThat(own.proxyTimeoutSeconds()).isEqualTo(20);
        assertThat(own.sessionTimeoutMinutes()).isEqualTo(7);
        assertThat(own.sessionTimeoutDeclared()).isTrue();
    }

    @Test
    @Proves("annotation.SipApplication#mainServlet()")
    void the_main_servlet_gets_the_initial_requests() throws Exception {
        Server server = inFolder();
        server.container.deploy(
                new TestArchive(folder)
                        .classes(
                                application("name = \"n\", mainServlet = \"second\""),
                                answering("First", "first", 480),
                                answering("Second", "second", 486))
                        .write("two.war"));
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "MESSAGE sip:someone@10.0.0.1", "<sip:a@x>;tag=a", "<sip:s@x>", "main@test", 1);
        server.run(Duration.ofSeconds(1));
        alice.response(486);
    }

    private Server inFolder() {
        return new Server(
                new SimulatedNetwork(new VirtualTime(), 1),
                "10.0.0.1",
                1,
                1,
                SessionStores.inMemory(),
                StackConfig.DEFAULT,
                ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
    }

    private static String answering(String className, String name, int status) {
        return "package x; @javax.servlet.sip.annotation.SipServlet(name = \""
                + name
                + "\") public class "
                + className
                + " extends javax.servlet.sip.SipServlet { @Override protected void doMessage(javax.servlet.sip.SipServletRequest r) throws java.io.IOException { r.createResponse("
                + status
                + ").send(); } }";
    }

    // ---- @SipServlet, @SipListener, @SipApplicationKey ----

    @Test
    @Proves("annotation.SipServlet#name()")
    void a_servlet_bears_the_annotations_name_or_its_classes() throws Exception {
        assertThat(describe(servlet("A", "name = \"front\"")).servlets())
                .extracting(ServletDescription::name)
                .containsExactly("front");
        assertThat(describe(PLAIN).servlets())
                .extracting(ServletDescription::name)
                .containsExactly("A");
    }

    @Test
    @Proves("annotation.SipServlet#loadOnStartup()")
    void servlets_are_initialized_in_the_order_of_load_on_startup() throws Exception {
        List<String> inits = new ArrayList<>();
        System.getProperties().put("carillon.test.inits", inits);
        Application application =
                load(
                        application("name = \"n\", mainServlet = \"A\""),
                        servlet("A", ""),
                        servlet("B", "loadOnStartup = 2"),
                        servlet("C", "loadOnStartup = 1"));
        application.start(
                new ApplicationServices(
                        TestRequests.factory(),
                        TestRequests.timers(),
                        TestRequests.sessionsUtil(),
                        List.of(),
                        List.of(),
                        List.of()));
        application.stop();
        assertThat(inits).containsExactly("C", "B", "A");
    }

    @Test
    @Proves({
        "annotation.SipServlet#applicationName()",
        "annotation.SipListener#applicationName()",
        "annotation.SipApplicationKey#applicationName()",
    })
    void application_names_name_the_application_and_must_agree() throws Exception {
        String listener =
                "package x; "
                        + IMPORTS
                        + "@SipListener(applicationName = \"%s\") public class L implements TimerListener { public void timeout(ServletTimer t) {} }";
        String key =
                "package x; "
                        + IMPORTS
                        + "public class K { @SipApplicationKey(applicationName = \"%s\") public static String key(SipServletRequest r) { return null; } }";
        assertThat(describe(servlet("A", "applicationName = \"own\"")).name()).isEqualTo("own");
        assertThat(describe(PLAIN, listener.formatted("own")).name()).isEqualTo("own");
        assertThat(describe(PLAIN, key.formatted("own")).name()).isEqualTo("own");
        assertThatThrownBy(() -> load(application("name = \"n\""), PLAIN, listener.formatted("o")))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("applicationName o: the application of this archive is 'n'");
    }
}
