package io.carillon.lab.study;

import io.carillon.lab.process.Child;
import io.carillon.net.tls.CertificateMaker;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A server of this checkout that listens on all transports, with a certificate for the run. */
final class TransportServer implements AutoCloseable {
    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 30;

    private final Child process;
    private final Map<Transport, Integer> ports;

    private TransportServer(Child process, Map<Transport, Integer> ports) {
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
            int port = Place.freePort();
            while (ports.containsValue(port)) {
                port = Place.freePort();
            }
            ports.put(transport, port);
            for (String host : hosts) {
                listen.add(transport.parameter() + ":" + printed(host) + ":" + port);
            }
        }
        List<String> options =
                new ArrayList<>(
                        JvmOptions.read(Place.root().resolve("server/src/main/dist/jvm.options")));
        options.add("-Dcarillon.home=" + Files.createDirectories(folder.resolve("home")));
        Path optionsFile = folder.resolve("jvm.options");
        JvmOptions.write(optionsFile, "written by the study", options);
        List<String> command = new ArrayList<>(List.of(Place.launcher(), "run"));
        command.add(application.toString());
        command.addAll(List.of("--jvm-options", optionsFile.toString()));
        command.addAll(List.of("--config", config(folder).toString()));
        command.addAll(List.of("--sip", String.join(",", listen)));
        command.addAll(List.of("--http", "127.0.0.1:0"));
        command.addAll(more);
        Child child =
                Child.start("the server", cpus, command, folder.resolve("server.log"), END_SECONDS);
        try {
            child.awaitLine("READY", START_SECONDS);
            return new TransportServer(child, ports);
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    static String printed(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    /** The load's certificates are made by itself, on this machine. */
    private static Path config(Path folder) throws IOException {
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost", "127.0.0.1", "::1"), Duration.ofDays(90))
                        .selfSigned();
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Files.writeString(certificate, made.certificatePem());
        Files.writeString(key, made.keyPem());
        Path config = folder.resolve("carillon.yaml");
        Files.writeString(
                config,
                "tls:\n  verify: none\n  certificates:\n    - certificate: "
                        + certificate
                        + "\n      key: "
                        + key
                        + "\n");
        return config;
    }

    String target(Transport transport, String host) {
        return transport.parameter() + ":" + printed(host) + ":" + ports.get(transport);
    }

    long pid() {
        return process.pid();
    }

    void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the server ended by itself: " + process.lastWords());
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
