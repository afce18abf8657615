package io.carillon.servlet.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NoInitialContextException;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;
import javax.naming.spi.NamingManager;
import javax.servlet.sip.SipFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What applications find by JNDI (JSR 289, 13.5; Java EE, application component environment). */
@SuppressWarnings("BanJNDI") // it is the subject
class NamesTest {
    /** Answers a MESSAGE with what the Subject's name stands for. */
    private static final String ASKED =
            """
            package x;

            import javax.naming.*;
            import javax.servlet.sip.*;

            public class Asked extends SipServlet {
                private Object factory;
                private int limit = -1;
                @javax.annotation.Resource(name = "greeting") private String greeting;
                @javax.annotation.Resource(name = "jdbc/calls") private javax.sql.DataSource calls;
                @javax.annotation.Resource(name = "absent") private String absent = "own";
                private boolean constructed;

                @javax.annotation.PostConstruct private void made() {
                    constructed = greeting != null;
                }

                @Override public void init() throws javax.servlet.ServletException {
                    try {
                        Context env = (Context) new InitialContext().lookup("java:comp/env");
                        factory = env.lookup("sip/names/SipFactory");
                    } catch (NamingException e) {
                        throw new javax.servlet.ServletException(e.toString(), e);
                    }
                }

                @Override protected void doMessage(SipServletRequest m) throws java.io.IOException {
                    SipServletResponse answer = m.createResponse(200);
                    answer.setHeader("Subject", text(m.getHeader("Subject")));
                    answer.send();
                }

                private String text(String name) {
                    switch (name) {
                        case "factory": return String.valueOf(factory == getServletContext().getAttribute(SIP_FACTORY));
                        case "fields": return greeting + " " + limit + " " + absent + " " + (calls != null) + " " + constructed;
                        default: break;
                    }
                    try {
                        Object found = new InitialContext().lookup(name);
                        if (found instanceof Context) {
                            StringBuilder names = new StringBuilder();
                            NamingEnumeration<NameClassPair> list = ((Context) found).list("");
                            while (list.hasMore()) {
                                names.append(list.next().getName()).append(' ');
                            }
                            return names.toString().strip();
                        }
                        if (found instanceof SipFactory) {
                            return "SipFactory";
                        }
                        return found instanceof String || found instanceof Integer
                                ? found.getClass().getSimpleName() + " " + found
                                : found.getClass().getInterfaces()[0].getSimpleName();
                    } catch (NamingException e) {
                        return e.getClass().getSimpleName();
                    }
                }
            }
            """;

    private static String sipXml(String more) {
        return "<sip-app><app-name>names</app-name>"
                + more
                + "<servlet><servlet-name>asked</servlet-name><servlet-class>x.Asked</servlet-class></servlet></sip-app>";
    }

    private static String entry(String name, String type, String value) {
        return "<env-entry><env-entry-name>"
                + name
                + "</env-entry-name><env-entry-type>"
                + type
                + "</env-entry-type>"
                + (value.isEmpty() ? "" : "<env-entry-value>" + value + "</env-entry-value>")
                + "%s</env-entry>";
    }

    private static final String ENTRIES =
            entry("greeting", "java.lang.String", "hello").formatted("")
                    + entry("limits/calls", "java.lang.Integer", "7")
                            .formatted(
                                    "<injection-target><injection-target-class>x.Asked</injection-target-class>"
                                            + "<injection-target-name>limit</injection-target-name></injection-target>")
                    + "<resource-ref><res-ref-name>sip/short</res-ref-name><res-type>javax.servlet.sip.SipFactory</res-type></resource-ref>"
                    + "<resource-ref><res-ref-name>jdbc/other</res-ref-name><res-type>javax.sql.DataSource</res-type></resource-ref>";

    @TempDir Path folder;

    private Server server() {
        Server fresh =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
        fresh.container.settings().dataSource(TestRequests.stub(DataSource.class, Map.of()));
        return fresh;
    }

    private Path archive(String name, String more) throws Exception {
        return new TestArchive(folder).classes(ASKED).sipXml(sipXml(more)).write(name);
    }

    private int calls;

    private String ask(Server asked, RawPeer alice, String name) {
        alice.request(
                "MESSAGE sip:s@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:s@x>",
                "names" + ++calls,
                1,
                "Subject: " + name);
        asked.run(Duration.ofMillis(100));
        return String.valueOf(alice.response(200).header(HeaderName.SUBJECT));
    }

    @Test
    void theContainersServicesAndTheDescriptorsEntriesAreFoundInInitAndInRequests()
            throws Exception {
        Server named = server();
        named.container.deploy(archive("a.war", ENTRIES));
        RawPeer alice = named.peer("10.0.0.2");
        assertThat(ask(named, alice, "factory")).isEqualTo("true");
        assertThat(ask(named, alice, "java:comp/env/sip/names/SipFactory")).isEqualTo("SipFactory");
        assertThat(ask(named, alice, "java:/comp/env/sip/names/SipFactory"))
                .isEqualTo("SipFactory");
        for (String written :
                List.of(
                        "sip/names/SipFactory",
                        "java:sip/names/SipFactory",
                        "java:/sip/names/SipFactory",
                        "java:app/sip/names/SipFactory",
                        "java:comp/env/sip/SipFactory")) {
            assertThat(ask(named, alice, written)).as(written).isEqualTo("SipFactory");
        }
        assertThat(ask(named, alice, "java:comp/env/sip/names"))
                .isEqualTo("SipFactory SipSessionsUtil TimerService");
        assertThat(ask(named, alice, "java:comp/env")).isEqualTo("greeting jdbc limits sip");
        assertThat(ask(named, alice, "java:comp/env/sip/short")).isEqualTo("SipFactory");
        assertThat(ask(named, alice, "java:comp/env/limits/calls")).isEqualTo("Integer 7");
        assertThat(ask(named, alice, "java:comp/env/jdbc/other")).isEqualTo("DataSource");
        assertThat(ask(named, alice, "java:comp/env/jdbc/calls"))
                .as("named by @Resource")
                .isEqualTo("DataSource");
        assertThat(ask(named, alice, "java:comp/env/nothing")).isEqualTo("NameNotFoundException");
        assertThat(ask(named, alice, "fields")).isEqualTo("hello 7 own true true");
    }

    @Test
    void everyVersionHasItsOwnNames() throws Exception {
        Server named = server();
        named.container.replace(
                archive("a.war", entry("v", "java.lang.String", "one").formatted("")), null);
        RawPeer alice = named.peer("10.0.0.2");
        assertThat(ask(named, alice, "java:comp/env/v")).isEqualTo("String one");
        named.container.replace(
                archive("a.war", entry("v", "java.lang.String", "two").formatted("")), null);
        assertThat(ask(named, alice, "java:comp/env/v")).isEqualTo("String two");
    }

    @Test
    void aThreadOfNoApplicationFindsNothing() throws Exception {
        server().container.deploy(archive("a.war", ""));
        assertThatThrownBy(() -> new InitialContext().lookup("java:comp/env/sip/names/SipFactory"))
                .isInstanceOf(NoInitialContextException.class)
                .hasMessageContaining("belongs to no application");
    }

    @Test
    void contextsOfTheJdkCanBeMadeAndJavaNamesRemainTheApplications() throws Exception {
        Application application = server().container.deploy(archive("a.war", ""));
        Hashtable<String, String> dns = new Hashtable<>();
        dns.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        try {
            assertThat(new InitialDirContext(dns).lookup("java:comp/env/sip/SipFactory"))
                    .isInstanceOf(SipFactory.class);
            assertThat(NamingManager.getURLContext("ldap", new Hashtable<>()))
                    .isInstanceOf(DirContext.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aFactoryInJndiPropertiesOfTheArchiveIsTakenForNamesWithoutScheme() throws Exception {
        Server named = server();
        named.container.deploy(
                new TestArchive(folder)
                        .classes(
                                ASKED,
                                "package x; public class Fixed implements javax.naming.spi.InitialContextFactory {"
                                        + " public javax.naming.Context getInitialContext(java.util.Hashtable<?, ?> e) throws javax.naming.NamingException {"
                                        + " return new javax.naming.InitialContext(true) { public Object lookup(String n) { return \"fixed \" + n; } }; } }")
                        .file(
                                "WEB-INF/classes/jndi.properties",
                                "java.naming.factory.initial=x.Fixed\n")
                        .sipXml(sipXml(""))
                        .write("a.war"));
        RawPeer alice = named.peer("10.0.0.2");
        assertThat(ask(named, alice, "anything")).isEqualTo("String fixed anything");
        assertThat(ask(named, alice, "java:comp/env/sip/SipFactory")).isEqualTo("SipFactory");
    }

    @Test
    void aWrongValueFailsTheDeploymentWithItsLine() throws Exception {
        Path war = archive("a.war", "\n" + entry("n", "java.lang.Integer", "many").formatted(""));
        assertThatThrownBy(() -> server().container.deploy(war))
                .isInstanceOf(DeploymentException.class)
                .hasMessage(
                        "a.war!/WEB-INF/sip.xml:2: <env-entry>: env-entry-value 'many' is no java.lang.Integer");
        Path other = archive("a.war", "\n" + entry("n", "java.util.Date", "now").formatted(""));
        assertThatThrownBy(() -> server().container.deploy(other))
                .hasMessageContaining("env-entry-type must be String, Character, Boolean");
    }
}
