package io.carillon.lab.rig;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.process.ResidentMemory;
import io.carillon.lab.process.ThreadTimes;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A server under test as a process of its own, ours or a peer's. It ends with this process, also
 * when that is interrupted; it can be killed and started again. Owner: one thread.
 */
public final class ServerProcess implements LoadedServer {
    private static final long START_SECONDS = 240;
    private static final long END_SECONDS = 30;

    /** Starts are timed: this is how fine. */
    private static final long LOOK_EVERY_MILLIS = 10;

    /** CPU of a server that has nothing to do but sweep. */
    private static final double QUIET_SHARE = 0.1;

    private static final long QUIET_WITHIN_SECONDS = 60;
    private static final long QUIET_MILLIS = 500;

    private final Launch launch;
    private final Path folder;
    private int starts;
    private ChildProcess process;

    /**
     * How a server is started.
     *
     * @param name one word, which its log is named by
     * @param port of 127.0.0.1 where it listens for SIP
     * @param environment what is added to this process's environment
     * @param signs what its output says once it takes calls: all of them
     * @param faults what its output says when it will take none: any of them
     */
    public record Launch(
            String name,
            int port,
            List<String> command,
            Map<String, String> environment,
            List<String> signs,
            List<String> faults) {}

    private ServerProcess(Launch launch, Path folder, ChildProcess first) {
        this.launch = launch;
        this.folder = folder;
        this.process = first;
        this.starts = 1;
    }

    /** Told of a server that takes calls. */
    public interface Started {
        /**
         * @param number its place among the starts
         */
        void started(int number, ServerProcess server);
    }

    /**
     * Starts servers at the same time and waits for all of them. Those that came up are told of
     * also when another one did not: their owner ends them.
     *
     * @param told on the calling thread
     * @throws IOException of the last one that did not start
     */
    public static void startAtOnce(List<Callable<ServerProcess>> starts, Started told)
            throws IOException {
        List<FutureTask<ServerProcess>> tasks = starts.stream().map(FutureTask::new).toList();
        for (FutureTask<ServerProcess> task : tasks) {
            Thread.ofPlatform().name("start-server").start(task);
        }
        IOException failure = null;
        for (int number = 0; number < tasks.size(); number++) {
            try {
                told.started(number, tasks.get(number).get());
            } catch (ExecutionException e) {
                failure = new IOException(String.valueOf(e.getMessage()), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Starts a server and waits until it takes calls; its output goes to NAME.log. */
    public static ServerProcess start(Launch launch, Path folder) throws IOException {
        Files.createDirectories(folder);
        ServerProcess server = new ServerProcess(launch, folder, spawn(launch, folder, 1));
        server.awaitStart();
        return server;
    }

    private static ChildProcess spawn(Launch launch, Path folder, int start) throws IOException {
        String number = start == 1 ? "" : "-" + start;
        return ChildProcess.start(
                new ChildProcess.Plan(
                        launch.name(),
                        launch.command(),
                        folder.resolve(launch.name() + number + ".log"),
                        END_SECONDS,
                        launch.environment(),
                        null));
    }

    private void awaitStart() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            // Asked before the output is read: what it said last is in there then.
            boolean ended = !process.isAlive() || System.nanoTime() - deadline > 0;
            String said = process.said();
            if (launch.faults().stream().anyMatch(said::contains)) {
                ended = true;
            } else if (launch.signs().stream().allMatch(said::contains)) {
                return;
            }
            if (ended) {
                try (ChildProcess failed = process) {
                    throw new IOException(
                            launch.name() + " did not start; it said: " + failed.lastWords());
                }
            }
            Pause.millis(LOOK_EVERY_MILLIS);
        }
    }

    /** A port of 127.0.0.1 that is free for UDP and TCP now. */
    public static int freePort() throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        for (int i = 0; i < 100; i++) {
            try (ServerSocket tcp = new ServerSocket(0, 1, loopback)) {
                if (isFree(tcp.getLocalPort(), loopback)) {
                    return tcp.getLocalPort();
                }
            }
        }
        throw new IOException("no port of 127.0.0.1 is free for UDP and TCP");
    }

    private static boolean isFree(int port, InetAddress address) {
        try (DatagramSocket udp = new DatagramSocket(port, address)) {
            return udp.isBound();
        } catch (IOException e) {
            // Taken by someone: the next one is tried, and a hundred in vain are an error.
            return false;
        }
    }

    /** SIGKILL: no hook of the server's runs. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Starts it again, on what the one before left. */
    public void restart() throws IOException {
        starts++;
        process = spawn(launch, folder, starts);
        awaitStart();
    }

    @Override
    public String name() {
        return launch.name();
    }

    /** Where it listens for SIP. */
    public int port() {
        return launch.port();
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", launch.port());
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(name() + " ended by itself; it said: " + process.lastWords());
        }
    }

    /** CPU nanoseconds (utime + stime) of it and its living descendants. */
    @Override
    public long cpuNanos() throws IOException {
        return process.cpuNanos();
    }

    /** CPU time by what its threads do. */
    public ThreadTimes threadTimes() throws IOException {
        return ThreadTimes.of(process.pid());
    }

    /** Resident memory of its process, bytes. */
    public long residentBytes() throws IOException {
        return ResidentMemory.resident(process.pid());
    }

    /** Bytes of memory that it and its descendants hold: what they share counts once. */
    public long memoryBytes() throws IOException {
        return process.memoryBytes();
    }

    @Override
    public long drops() throws IOException {
        return Proc.udpDrops(List.of(launch.port()));
    }

    @Override
    public void awaitQuiet() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUIET_WITHIN_SECONDS);
        double share = 1;
        while (share > QUIET_SHARE && System.nanoTime() - deadline < 0) {
            long cpu = cpuNanos();
            long begin = System.nanoTime();
            Pause.millis(QUIET_MILLIS);
            share = (cpuNanos() - cpu) / (double) (System.nanoTime() - begin);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
