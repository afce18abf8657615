package io.carillon.lab.compare;

import io.carillon.lab.peers.Application;
import io.carillon.lab.peers.OwnArchive;
import io.carillon.lab.peers.PeerJvm;
import io.carillon.lab.peers.Ports;
import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that the commands of this package have in common. */
final class SiteOptions {
    @Option(names = "--application", description = "example that runs: proxy or b2bua (proxy)")
    private String application = "";

    @Option(
            names = "--archive",
            paramLabel = "FILE",
            description =
                    "your own archive in place of an example; it passes calls on to the address of the Request-URI, where"
                            + " the callee is")
    private String archive = "";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "with --archive: user part of the Request-URIs that the calls go to")
    private String user = "";

    @Option(names = "--no-trying", description = "no server sends 100 Trying at once")
    private boolean noTrying;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "CPUs of the server (${DEFAULT-VALUE})")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "CPUs of the load (${DEFAULT-VALUE})")
    private String loadCpus = "1";

    @Option(
            names = "--ports",
            defaultValue = "5060",
            paramLabel = "BASE",
            description = "first of the 50 ports on 127.0.0.1 that are used (${DEFAULT-VALUE})")
    private int ports = Ports.USUAL;

    @Option(
            names = "--transport",
            defaultValue = "udp",
            description =
                    "of both sides of the calls: udp, tcp, tls, ws or wss, where a server has it (${DEFAULT-VALUE})")
    private String transport = "udp";

    @Option(
            names = "--load",
            defaultValue = "",
            description =
                    "what makes the calls: sipp or carillon (sipp over udp, else carillon, which alone can)")
    private String load = "";

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(
            names = "--peer-jdk",
            paramLabel = "FOLDER",
            description =
                    "the JDK 17 of Liberty and RestComm (CARILLON_PEER_JAVA_HOME, or one of /usr/lib/jvm)")
    private String peerJdk = "";

    @Option(
            names = "--peer-jvm",
            paramLabel = "OPTION",
            description = "one more JVM option for Liberty and RestComm; repeatable")
    private List<String> peerJvm = new ArrayList<>();

    @Option(
            names = "--kamailio-argument",
            paramLabel = "ARGUMENT",
            description =
                    "passed on to kamailio, as -m4096 for 4096 MB in place of 1024; repeatable")
    private List<String> kamailioArguments = new ArrayList<>();

    /**
     * What was asked for.
     *
     * @throws IllegalArgumentException in a sentence, for a value that cannot be
     */
    Site site() throws IOException {
        return site(false);
    }

    /**
     * The same.
     *
     * @param asShipped see {@link Site}
     * @throws IllegalArgumentException in a sentence, for a value that cannot be
     */
    Site site(boolean asShipped) throws IOException {
        return new Site(
                Folders.root(),
                application(),
                !noTrying,
                transport(),
                new Site.Cpus(serverCpus, loadCpus),
                new Ports(ports),
                List.copyOf(serverArguments),
                new PeerJvm(peerJdk, List.copyOf(peerJvm)),
                List.copyOf(kamailioArguments),
                asShipped);
    }

    private Application application() throws IOException {
        if (!archive.isEmpty()) {
            if (!application.isEmpty()) {
                throw new IllegalArgumentException(
                        "--archive takes the place of --application: name one of them");
            }
            return OwnArchive.of(Folders.root(), archive, user);
        }
        if (!user.isEmpty()) {
            throw new IllegalArgumentException("--user goes with --archive");
        }
        if (!List.of("", "proxy", "b2bua").contains(application)) {
            throw new IllegalArgumentException(
                    "--application must be proxy or b2bua, not '" + application + "'");
        }
        return Application.example(application.isEmpty() ? "proxy" : application);
    }

    /**
     * What makes the calls.
     *
     * @throws IllegalArgumentException in a sentence, for what makes none
     */
    String load() {
        boolean datagrams = transport() == Transport.UDP;
        if (load.isEmpty()) {
            return datagrams ? "sipp" : "carillon";
        }
        if (load.equals("sipp") && !datagrams) {
            throw new IllegalArgumentException("--load sipp goes with --transport udp only");
        }
        if (!load.equals("sipp") && !load.equals("carillon")) {
            throw new IllegalArgumentException(
                    "--load must be sipp or carillon, not '" + load + "'");
        }
        return load;
    }

    private Transport transport() {
        Transport known = Transport.of(transport);
        if (known == null) {
            throw new IllegalArgumentException(
                    "--transport must be udp, tcp, tls, ws or wss, not '" + transport + "'");
        }
        return known;
    }
}
