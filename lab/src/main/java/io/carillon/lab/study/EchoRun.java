package io.carillon.lab.study;

import io.carillon.lab.process.ChildProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** The bare echo beside the server: what it keeps waiting, the machine keeps waiting. */
final class EchoRun implements AutoCloseable {
    private final ChildProcess process;
    private final int port;

    private EchoRun(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static EchoRun start(String cpus, Path folder) throws IOException {
        List<String> command = List.of(StudyPlace.launcher(), "lab", "echo");
        ChildProcess child =
                ChildProcess.start("the echo", cpus, command, folder.resolve("echo.log"), 5);
        try {
            String ready = child.awaitLine("READY ", 30);
            return new EchoRun(child, Integer.parseInt(ready.substring("READY ".length()).strip()));
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
