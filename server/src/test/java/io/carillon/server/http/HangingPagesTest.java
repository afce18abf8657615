package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.servlet.http.HttpServlet;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP servlets that do not come to the end of their beginning, or of their end. */
class HangingPagesTest {
    private static final String SIP_XML =
            """
            <sip-app><app-name>%s</app-name>
            <servlet><servlet-name>phone</servlet-name><servlet-class>%s</servlet-class></servlet>
            <servlet-selection><main-servlet>phone</main-servlet></servlet-selection></sip-app>
            """;
    private static final String WEB_XML =
            """
            <web-app><servlet><servlet-name>page</servlet-name><servlet-class>%s</servlet-class>
            <init-param><param-name>hangs</param-name><param-value>%s</param-value></init-param>
            <load-on-startup>1</load-on-startup></servlet>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>/p</url-pattern></servlet-mapping></web-app>
            """;

    @TempDir private Path folder;

    /** Takes no part in what happens. */
    public static final class Phone extends SipServlet {
        private static final long serialVersionUID = 1L;
    }

    /** Hangs where its parameter says. */
    public static final class Page extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        public void init() {
            hang("init");
        }

        @Override
        public void destroy() {
            hang("destroy");
        }

        private void hang(String here) {
            if (here.equals(getInitParameter("hangs"))) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private Path application(String name, String hangs) throws IOException {
        Path application = folder.resolve(name);
        for (Class<?> type : List.of(Phone.class, Page.class)) {
            String file = type.getName().replace('.', '/') + ".class";
            Path target = application.resolve("WEB-INF/classes").resolve(file);
            Files.createDirectories(target.getParent());
            try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                Files.copy(in, target);
            }
        }
        Files.writeString(
                application.resolve("WEB-INF/sip.xml"),
                SIP_XML.formatted(name, Phone.class.getName()));
        Files.writeString(
                application.resolve("WEB-INF/web.xml"),
                WEB_XML.formatted(Page.class.getName(), hangs));
        return application;
    }

    private Server start(Path application) throws Exception {
        String yaml =
                """
                sip: {listen: "udp:127.0.0.1:0", shards: 1}
                http: {listen: "127.0.0.1:0"}
                control: {directory: control}
                deploy: {init-within: 10 s, destroy-within: 100 ms}
                drain: {transactions: 0 s}
                """;
        return Server.start(
                ConfigurationReader.read("test.yaml", yaml, folder),
                List.of(application),
                new HomeFolder(folder));
    }

    private String command(String line) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        return ControlClient.ask(ControlClient.running(control).getFirst(), line);
    }

    @Test
    void aPageWhoseInitHangsFailsItsDeploymentAndNoOther() throws Exception {
        try (Server server = start(application("good", "nowhere"))) {
            Path hanging = application("hanging", "init");
            assertThatThrownBy(() -> command("deploy " + hanging))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("hanging: filters and servlets of the HTTP part")
                    .hasMessageContaining("not done within 10 s (deploy.init-within)")
                    .hasMessageContaining("called by " + Page.class.getName() + ".hang");
            assertThat(command("deploy " + application("other", "nowhere"))).contains("other");
            assertThat(server.readyLine()).contains("good").contains("other");
        }
    }

    @Test
    void aPageWhoseDestroyHangsDoesNotHoldUpTheStop() throws Exception {
        Server server = start(application("hanging", "destroy"));
        server.close();
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        assertThat(ControlClient.running(control)).as("it has ended").isEmpty();
    }
}
