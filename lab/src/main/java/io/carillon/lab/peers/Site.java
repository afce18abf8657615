package io.carillon.lab.peers;

import io.carillon.lab.process.ChildProcess;
import io.carillon.sip.hop.Transport;
import java.nio.file.Path;
import java.util.List;

/**
 * Where and how the servers of a comparison run: the same for each of them.
 *
 * @param root this checkout
 * @param application what the servlet containers run
 * @param trying whether each server sends 100 Trying at once where it can, or none does
 * @param serverArguments more for {@code carillon run}
 * @param transport of both sides of the calls
 * @param peerJvm JVM of the peers that run on Java
 * @param kamailioArguments more for Kamailio; they come last and win
 * @param asShipped whether Carillon runs as an owner meets it who declares and sets nothing, in its
 *     first minutes
 */
public record Site(
        Path root,
        Application application,
        boolean trying,
        Transport transport,
        Cpus cpus,
        Ports ports,
        List<String> serverArguments,
        PeerJvm peerJvm,
        List<String> kamailioArguments,
        boolean asShipped) {

    /** CPUs as taskset takes them; empty: any. */
    public record Cpus(String server, String load) {}

    /** The same with servers that may run on the load's CPUs too. */
    Site everywhere() {
        boolean any = cpus.server().isEmpty() || cpus.load().isEmpty();
        Cpus all = new Cpus(any ? "" : cpus.server() + "," + cpus.load(), cpus.load());
        return new Site(
                root,
                application,
                trying,
                transport,
                all,
                ports,
                serverArguments,
                peerJvm,
                kamailioArguments,
                asShipped);
    }

    /** Folder of what {@code bench peers install} fetches. */
    Path installed(String peer) {
        return PeerFiles.folder(root).resolve(peer);
    }

    /** The beginning of a server's command line. */
    List<String> pinned() {
        return ChildProcess.pinned(cpus.server());
    }

    /** The archive that every servlet container runs. */
    Path archive() {
        return application.file(root);
    }
}
