package io.carillon.lab.study;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.process.ThreadTimes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of this checkout under test, with data of its own. */
final class ServerRun implements LoadedServer {
    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 30;
    private static final long QUIET_SECONDS = 40;

    /** CPU of a server that has nothing to do but sweep. */
    private static final double QUIET_SHARE = 0.1;

    private final ChildProcess process;
    private final int port;

    private ServerRun(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * What is started.
     *
     * @param application archive
     * @param jvmOptions all of them
     * @param arguments further ones of {@code ./carillon run}
     * @param cpus processors, as taskset takes them; empty: any
     */
    record Plan(Path application, List<String> jvmOptions, List<String> arguments, String cpus) {}

    /** Starts it and waits until it is ready. */
    static ServerRun start(Plan plan, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path options = folder.resolve("jvm.options");
        List<String> all = new ArrayList<>(plan.jvmOptions());
        all.addAll(GcRecording.options(folder));
        // Data and control of its own: an empty database each time, and no other server disturbed.
        all.add("-Dcarillon.home=" + Files.createDirectories(folder.resolve("home")));
        JvmOptions.write(options, "written by the study", all);
        int port = StudyPlace.freePort();
        String address = "127.0.0.1:" + port;
        List<String> command = new ArrayList<>(List.of(StudyPlace.launcher(), "run"));
        command.add(plan.application().toString());
        command.addAll(List.of("--jvm-options", options.toString()));
        command.addAll(List.of("--sip", "udp:" + address + ",tcp:" + address));
        command.addAll(List.of("--http", "127.0.0.1:0"));
        command.addAll(plan.arguments());
        ChildProcess child =
                ChildProcess.start(
                        "the server",
                        plan.cpus(),
                        command,
                        folder.resolve("server.log"),
                        END_SECONDS);
        try {
            child.awaitLine("READY", START_SECONDS);
            return new ServerRun(child, port);
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Override
    public String name() {
        return "carillon";
    }

    @Override
    public long cpuNanos() throws IOException {
        return process.cpuNanos();
    }

    @Override
    public long drops() throws IOException {
        return Proc.udpDrops(List.of(port));
    }

    @Override
    public void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the server ended by itself: " + process.lastWords());
        }
    }

    ThreadTimes threads() throws IOException {
        return ThreadTimes.of(process.pid());
    }

    /** Resident memory of the process, bytes. */
    long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        return 0;
    }

    /** Bytes of reachable objects; a whole collection is made for it, which stops the server. */
    long liveBytes() throws IOException {
        return LiveHeap.of(process.pid());
    }

    /** Waits until the server has little to do, so that a trial begins where the last one began. */
    @Override
    public void awaitQuiet() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
        double share = 1;
        while (share > QUIET_SHARE && System.nanoTime() - deadline < 0) {
            long cpu = cpuNanos();
            long begin = System.nanoTime();
            Pause.millis(500);
            share = (cpuNanos() - cpu) / (double) (System.nanoTime() - begin);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
