package io.carillon.lab.study;

import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A server of this checkout that listens on all transports, with a certificate for the run. */
final class TransportServer implements AutoCloseable {
    private final ServerProcess process;
    private final Map<Transport, Integer> ports;

    private TransportServer(ServerProcess process, Map<Transport, Integer> ports) {
        this.process = process;
        this.ports = ports;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param application archive
     * @param hosts addresses to listen on, each with all transports
     * @param cpus processors, as taskset takes them; empty: any
     */
    static TransportServer start(
            Path application, List<String> hosts, String cpus, List<String> more, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        Map<Transport, Integer> ports = new EnumMap<>(Transport.class);
        List<String> listen = new ArrayList<>();
        for (Transport transport : Transport.values()) {
            int port = ServerProcess.freePort();
            while (ports.containsValue(port)) {
                port = ServerProcess.freePort();
            }
            ports.put(transport, port);
            for (String host : hosts) {
                listen.add(transport.parameter() + ":" + printed(host) + ":" + port);
            }
        }
        // The load's certificates are made by itself, on this machine.
        Path config = folder.resolve("carillon.yaml");
        Files.writeString(config, RunCertificate.in(folder).yaml());
        ServerProcess process =
                CarillonLaunch.at(ports.getOrDefault(Transport.UDP, 0))
                        .on(cpus)
                        .running(application)
                        .listening(String.join(",", listen))
                        .with("--config", config.toString())
                        .home(folder.resolve("home"))
                        .with(more)
                        .start(folder);
        return new TransportServer(process, ports);
    }

    static String printed(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    String target(Transport transport, String host) {
        return transport.parameter() + ":" + printed(host) + ":" + ports.get(transport);
    }

    long pid() {
        return process.pid();
    }

    void checkAlive() throws IOException {
        process.checkAlive();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
