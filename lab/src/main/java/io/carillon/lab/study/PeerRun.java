package io.carillon.lab.study;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another server beside ours: Debian's Kamailio, or one that somebody else runs. */
final class PeerRun implements LoadedServer {
    static final String KAMAILIO = "kamailio";
    private static final int SETTLE_MILLIS = 2000;

    private final String name;
    private final InetSocketAddress address;
    private final @Nullable ChildProcess child;
    private final @Nullable ProcessHandle process;

    private PeerRun(
            String name,
            InetSocketAddress address,
            @Nullable ChildProcess child,
            @Nullable ProcessHandle process) {
        this.name = name;
        this.address = address;
        this.child = child;
        this.process = process;
    }

    /** Kamailio with the configuration of the comparison: a record-routing proxy, one worker. */
    static PeerRun kamailio(String cpus, Path folder) throws IOException {
        Files.createDirectories(folder);
        int port = StudyPlace.freePort();
        Path config = StudyPlace.root().resolve("lab/kamailio/proxy.cfg");
        List<String> command = new ArrayList<>(List.of("kamailio", "-f", config.toString()));
        command.addAll(List.of("-DD", "-E", "-m", "1024", "-x", "fm", "-X", "fm"));
        command.addAll(List.of("-w", folder.toString(), "-Y", folder.toString()));
        command.addAll(List.of("-A", "LISTEN=udp:127.0.0.1:" + port, "-A", "TRYING=1"));
        ChildProcess child =
                ChildProcess.start(KAMAILIO, cpus, command, folder.resolve("kamailio.log"), 20);
        try {
            child.awaitLine("Listening on", 30);
            return new PeerRun(KAMAILIO, new InetSocketAddress("127.0.0.1", port), child, null);
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    /**
     * One that runs already.
     *
     * @param pid its process on this machine, for its CPU; 0: not known
     */
    static PeerRun running(InetSocketAddress address, long pid) throws WrongSetting {
        ProcessHandle process = null;
        if (pid != 0) {
            process =
                    ProcessHandle.of(pid)
                            .orElseThrow(() -> new WrongSetting("--peer-pid: no process " + pid));
        }
        return new PeerRun("peer", address, null, process);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public boolean isOurChild() {
        return child != null;
    }

    @Override
    public long cpuNanos() throws IOException {
        if (child != null) {
            return child.cpuNanos();
        }
        return process == null ? 0 : Proc.cpuNanos(process);
    }

    @Override
    public long drops() throws IOException {
        return Proc.udpDrops(List.of(address.getPort()));
    }

    @Override
    public void checkAlive() throws IOException {
        if (child != null && !child.isAlive()) {
            throw new IOException(name + " ended by itself: " + child.lastWords());
        }
        if (process != null && !process.isAlive()) {
            throw new IOException("the peer's process " + process.pid() + " has ended");
        }
    }

    @Override
    public void awaitQuiet() throws IOException {
        Pause.millis(SETTLE_MILLIS);
    }

    @Override
    public void close() throws IOException {
        if (child != null) {
            child.close();
        }
    }
}
