package io.carillon.server.warmup;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.udp.UdpConfig;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.LoopUse;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A server for calls of the warm-up: network, shards and a container with its application, on a
 * loopback port that the system chooses. All of it goes when the calls have been made.
 */
final class WarmUpServer {
    /** The system's usual limit: nobody wants to read a warning about this socket. */
    private static final int BUFFER_BYTES = 128 * 1024;

    /** Makes the calls; returns how many ended as they should. */
    interface Calls {
        int make(Network network) throws IOException;
    }

    /** Makes them as a peer of that socket. */
    interface PeerCalls {
        int make(WarmUpCalls peer) throws IOException;
    }

    private WarmUpServer() {}

    /**
     * Starts one that is called by UDP, has the calls made, and ends it.
     *
     * @param with told of the container before it starts
     * @return what the calls have returned
     */
    static int run(
            SessionStore sessions,
            StackConfig stack,
            ExecutionMode mode,
            Function<SipContainer, PeerCalls> with)
            throws DeploymentException, IOException {
        NetworkConfig config =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", 0)));
        return run(
                sessions,
                stack,
                mode,
                config,
                container -> {
                    PeerCalls calls = with.apply(container);
                    return network -> at(network.port(Transport.UDP), calls);
                });
    }

    /** Has calls made at a port of the loopback interface. */
    static int at(int port, PeerCalls calls) throws IOException {
        try (WarmUpCalls peer = new WarmUpCalls(new InetSocketAddress("127.0.0.1", port))) {
            return calls.make(peer);
        }
    }

    /**
     * Starts one, has the calls made, and ends it.
     *
     * @param config where it is called
     * @param with told of the container before it starts
     * @return what the calls have returned
     */
    static int run(
            SessionStore sessions,
            StackConfig stack,
            ExecutionMode mode,
            NetworkConfig config,
            Function<SipContainer, Calls> with)
            throws DeploymentException, IOException {
        Path work = Files.createTempDirectory("carillon-warm-up");
        try (ApplicationThreads threads = ApplicationThreads.virtual()) {
            SipContainer container =
                    new SipContainer(
                            ContainerConfig.defaults().withWorkFolder(work), threads, sessions);
            try (Network network = bind(container, stack, config)) {
                Calls calls = with.apply(container);
                container.start(network.shards());
                try {
                    Application deployed = container.deploy(application(mode));
                    // Code that has just begun is slow: it would warm up what a well-behaved
                    // application does not use.
                    deployed.parts().put(LoopUse.SLOT, LoopUse.ofServer(deployed.name()));
                    network.receive();
                    return calls.make(network);
                } finally {
                    container.close();
                }
            }
        } finally {
            Files.delete(work); // an application described in code leaves nothing in it
        }
    }

    private static Network bind(SipContainer container, StackConfig stack, NetworkConfig standard)
            throws IOException {
        UdpConfig udp =
                new UdpConfig(
                        BUFFER_BYTES,
                        BUFFER_BYTES,
                        standard.udp().batch(),
                        standard.udp().maxUnsentBytes(),
                        standard.udp().socketByCall());
        return Network.bind(
                standard.withShards(1).withUdp(udp),
                (index, executor, wire, startNanos) ->
                        Stack.shard(
                                index,
                                stack,
                                executor,
                                wire,
                                container,
                                RandomSource.secure(),
                                startNanos));
    }

    private static ApplicationDescription application(ExecutionMode mode) {
        return ApplicationDescription.builder("warm-up")
                .servlet("warm-up", WarmUpServlet::new)
                .execution(mode)
                .sessionTimeoutMinutes(1)
                .build();
    }
}
