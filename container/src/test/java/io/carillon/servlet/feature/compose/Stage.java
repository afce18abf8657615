package io.carillon.servlet.feature.compose;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;

/** A server with several applications, a caller and a callee, and what each application saw. */
final class Stage {
    static final String CALLER = "<sip:alice@x>;tag=a";
    static final String CALLEE = "<sip:bob@y>";

    final Server server;
    final RawPeer alice;
    final RawPeer bob;
    final List<String> events = new ArrayList<>();
    private final ExecutionMode mode;
    private final @Nullable Path dar;

    /**
     * @param dar the router file; null for deployment order
     */
    Stage(ExecutionMode mode, @Nullable Path dar) {
        this.mode = mode;
        this.dar = dar;
        ContainerConfig config = ContainerConfig.defaults().withRouter(new RouterConfig(dar, null));
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        config);
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    static void write(Path dar, String content) {
        try {
            Files.writeString(dar, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Entries of INVITE, in this order, all NO_ROUTE and NEUTRAL. */
    static String invite(String... applications) {
        StringBuilder text = new StringBuilder("INVITE:");
        for (int i = 0; i < applications.length; i++) {
            text.append(i == 0 ? " " : ", ")
                    .append("(\"")
                    .append(applications[i])
                    .append("\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"")
                    .append(i)
                    .append("\")");
        }
        return text.append('\n').toString();
    }

    Stage deploy(String name, SipServlet servlet) {
        try {
            server.container.deploy(
                    ApplicationDescription.builder(name)
                            .servlet("main", () -> servlet)
                            .execution(mode)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    Relay relay(String name) {
        Relay relay = new Relay(name, events);
        deploy(name, relay);
        return relay;
    }

    void call(String... headers) {
        String[] all = new String[headers.length + 1];
        all[0] = "Contact: <sip:10.0.0.2:5060>";
        System.arraycopy(headers, 0, all, 1, headers.length);
        alice.request("INVITE sip:bob@10.0.0.3:5060", CALLER, CALLEE, "c1", 1, all);
    }

    /** The Route headers of a caller that keeps its route set (RFC 3261 12.1.2). */
    static String[] fromCaller(io.carillon.sip.message.SipResponse ok) {
        return lines(ok.recordRoutes().reversed());
    }

    /** The Route headers of a callee that does (12.1.1). */
    static String[] fromCallee(SipRequest invite) {
        return lines(invite.recordRoutes());
    }

    private static String[] lines(List<io.carillon.sip.header.NameAddress> routes) {
        return routes.stream().map(route -> "Route: " + route).toArray(String[]::new);
    }

    List<String> seen() {
        List<String> all = List.copyOf(events);
        events.clear();
        return all;
    }

    void end() {
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @Nullable Path dar() {
        return dar;
    }
}
