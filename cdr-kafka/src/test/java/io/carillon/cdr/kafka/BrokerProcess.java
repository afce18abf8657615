package io.carillon.cdr.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;

/**
 * A broker of Apache Kafka with an empty store, in a process of its own: on 127.0.0.1, its own
 * controller. Owner: one thread.
 */
final class BrokerProcess implements AutoCloseable {
    private static final long START_SECONDS = 90;

    private final Path folder;
    private final int port;
    private Process process;

    private BrokerProcess(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts one, and waits until it takes connections. */
    static BrokerProcess start(Path folder) throws IOException, InterruptedException {
        int port;
        int control;
        try (ServerSocket one = free();
                ServerSocket other = free()) {
            port = one.getLocalPort();
            control = other.getLocalPort();
        }
        Files.writeString(
                folder.resolve("broker.properties"),
                """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
                log.dirs=%3$s
                num.partitions=3
                offsets.topic.replication.factor=1
                message.max.bytes=100000
                """
                        .formatted(port, control, folder.resolve("store")));
        BrokerProcess broker = new BrokerProcess(folder, port);
        Process format =
                broker.spawn(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        Uuid.randomUuid().toString(),
                        "-c",
                        "broker.properties");
        if (!format.waitFor(START_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
            format.destroyForcibly();
            throw new IOException("no store: " + broker.log());
        }
        broker.restart();
        return broker;
    }

    private static ServerSocket free() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private Process spawn(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(main);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Ends as by kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Starts it on what it left; returns when it takes connections. */
    void restart() throws IOException, InterruptedException {
        process = spawn("kafka.Kafka", "broker.properties");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!takes()) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() - until > 0) {
                process.destroyForcibly();
                throw new IOException("no broker: " + log());
            }
        }
    }

    private boolean takes() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
