package io.carillon.server.http;

import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.LinkTls;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.HttpSettings;
import io.carillon.server.http.app.Witness;
import io.carillon.server.nodes.OtherPages;
import io.carillon.servlet.app.StartOrder;
import io.carillon.servlet.feature.http.WebContext;
import io.carillon.servlet.feature.http.WebPart;
import io.carillon.servlet.feature.http.WebSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.sip.guard.Shares;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP sides of some nodes in this process, with an application that has a page and no SIP
 * half. Who lives and whose a partition is, the test says: token {@code p1} is of node 1.
 */
final class NodesWithPages implements AutoCloseable {
    private static final StartOrder NOTHING_BETWEEN =
            new StartOrder() {
                @Override
                public void tellListeners() {}

                @Override
                public void startServlets() {}
            };

    private final Path folder;
    private final String http;
    private final List<AdminHttp> nodes = new ArrayList<>();
    private final List<WebContext> contexts = new ArrayList<>();
    private final List<InetSocketAddress> between = new ArrayList<>();
    private final Set<Integer> living = ConcurrentHashMap.newKeySet();

    /**
     * @param http more settings of the HTTP side, empty or with a comma before
     */
    NodesWithPages(Path folder, int count, String http) throws Exception {
        this.folder = folder;
        this.http = http;
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(
                folder.resolve("WEB-INF/web.xml"),
                """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                  <servlet>
                    <servlet-name>witness</servlet-name>
                    <servlet-class>%s</servlet-class>
                    <async-supported>true</async-supported>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>witness</servlet-name>
                    <url-pattern>/w/*</url-pattern>
                  </servlet-mapping>
                </web-app>
                """
                        .formatted(Witness.class.getName()));
        for (int node = 0; node < count; node++) {
            between.add(free());
            living.add(node);
        }
        for (int node = 0; node < count; node++) {
            start(node);
        }
    }

    /** Below the range from which the system takes ports by itself: nobody gets it meanwhile. */
    static InetSocketAddress free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return (InetSocketAddress) socket.getLocalSocketAddress();
            } catch (IOException taken) {
                // the next one
            }
        }
    }

    private void start(int node) throws Exception {
        HttpSettings settings =
                ConfigurationReader.read(
                                "test.yaml", "http: {listen: 127.0.0.1:0" + http + "}", folder)
                        .http();
        AdminHttp side =
                AdminHttp.start(
                        settings,
                        Map.of("/status", new AdminPage("application/json", () -> "{}")),
                        name -> null,
                        nobody -> false,
                        Map.of(),
                        new AdminHttp.Beside(
                                null,
                                null,
                                new Others(node, tls("the key of the cluster, 32 bytes"))));
        nodes.add(side);
        WebContext context = side.web().open(new Part(node));
        context.start(NOTHING_BETWEEN);
        context.serve();
        contexts.add(context);
    }

    static SSLContext tls(String key) throws Exception {
        return LinkTls.context(
                new ClusterKey(
                        "test", List.of(key.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    }

    /** Where visitors ask a node. */
    String base(int node) {
        return "http://" + nodes.get(node).listening();
    }

    /** Where other nodes ask a node. */
    InetSocketAddress between(int node) {
        return between.get(node);
    }

    /** A count of a node. */
    long count(int node, String name) {
        return AdminHttp.passedPages(nodes.get(node)).get("http." + name);
    }

    /** The others know that it is gone. */
    void known(int node, boolean lives) {
        if (lives) {
            living.add(node);
        } else {
            living.remove(node);
        }
    }

    /** Its process has ended. */
    void end(int node) {
        contexts.get(node).close(() -> {});
        nodes.get(node).close();
    }

    @Override
    public void close() {
        for (int node = 0; node < nodes.size(); node++) {
            end(node);
        }
    }

    private final class Others implements OtherPages {
        private final int self;
        private final SSLContext tls;

        Others(int self, SSLContext tls) {
            this.self = self;
            this.tls = tls;
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public boolean knows(String token) {
            return token.matches("p\\d");
        }

        @Override
        public int owner(String token) {
            int owner = token.charAt(1) - '0';
            return living.contains(owner) ? owner : NOBODY;
        }

        @Override
        public boolean lives(int node) {
            return node != self && living.contains(node);
        }

        @Override
        public InetSocketAddress address(int node) {
            return between.get(node);
        }

        @Override
        public SSLContext tls() {
            return tls;
        }
    }

    /** An application at a node. */
    private final class Part implements WebPart {
        private final int node;

        Part(int node) {
            this.node = node;
        }

        @Override
        public String name() {
            return "app";
        }

        @Override
        public String archive() {
            return "app";
        }

        @Override
        public Path root() {
            return folder;
        }

        @Override
        public ClassLoader classLoader() {
            return Witness.class.getClassLoader();
        }

        @Override
        public ServletContext shared() {
            return (ServletContext)
                    Proxy.newProxyInstance(
                            ServletContext.class.getClassLoader(),
                            new Class<?>[] {ServletContext.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("getInitParameter")) {
                                    return "node".equals(arguments[0]) ? "" + node : null;
                                }
                                return method.getReturnType() == java.util.Enumeration.class
                                        ? Collections.emptyEnumeration()
                                        : null;
                            });
        }

        @Override
        public boolean enter() {
            return true;
        }

        @Override
        public void leave() {}

        @Override
        public WebSessions sessions() {
            return new NoApplicationSessions();
        }

        @Override
        public @Nullable Object takeInstance(Class<?> type) {
            return null;
        }

        @Override
        public boolean isTaken(Object instance) {
            return false;
        }

        @Override
        public void inject(Object instance) {}
    }

    private static final class NoApplicationSessions implements WebSessions {
        @Override
        public String application() {
            return "app";
        }

        @Override
        public ApplicationSession create(PageVisitor visitor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Shares shares(int httpSessions) {
            return new Shares(httpSessions, 100, nobody -> false, 1);
        }

        @Override
        public int most() {
            return 1000;
        }

        @Override
        public NoRoom refused(String why) {
            return new NoRoom(why);
        }

        @Override
        public @Nullable ApplicationSession encodedIn(@Nullable String query) {
            return null;
        }
    }
}
