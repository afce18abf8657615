package io.carillon.lab.study;

import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.LoadedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server beside ours that somebody else runs. */
final class RunningPeer implements LoadedServer {
    private static final int SETTLE_MILLIS = 2000;

    private final InetSocketAddress address;
    private final @Nullable ProcessHandle process;

    private RunningPeer(InetSocketAddress address, @Nullable ProcessHandle process) {
        this.address = address;
        this.process = process;
    }

    /**
     * One that runs already.
     *
     * @param pid its process on this machine, for its CPU; 0: not known
     */
    static RunningPeer at(InetSocketAddress address, long pid) throws WrongSetting {
        ProcessHandle process = null;
        if (pid != 0) {
            process =
                    ProcessHandle.of(pid)
                            .orElseThrow(() -> new WrongSetting("--peer-pid: no process " + pid));
        }
        return new RunningPeer(address, process);
    }

    @Override
    public String name() {
        return "peer";
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public List<ProcessHandle> foreign() {
        return process == null ? List.of() : List.of(process);
    }

    @Override
    public long cpuNanos() throws IOException {
        return process == null ? 0 : Proc.cpuNanos(process);
    }

    @Override
    public long drops() throws IOException {
        return Proc.udpDrops(List.of(address.getPort()));
    }

    @Override
    public void checkAlive() throws IOException {
        if (process != null && !process.isAlive()) {
            throw new IOException("the peer's process " + process.pid() + " has ended");
        }
    }

    @Override
    public void awaitQuiet() throws IOException {
        Pause.millis(SETTLE_MILLIS);
    }

    /** It is not ours to end. */
    @Override
    public void close() {}
}
