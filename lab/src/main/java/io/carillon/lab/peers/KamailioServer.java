package io.carillon.lab.peers;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kamailio's transaction-stateful, record-routing proxy with one worker. */
public record KamailioServer() implements Contender {
    public static final String NAME = "kamailio";

    private static final Path TLS_MODULE =
            Path.of("/usr/lib/x86_64-linux-gnu/kamailio/modules/tls.so");

    /** OpenSSL prefers AES-256 as a server, BoringSSL AES-128: both shall do the same work. */
    private static final String OPENSSL =
            """
            openssl_conf = all
            [all]
            ssl_conf = ssl
            [ssl]
            system_default = tls
            [tls]
            MinProtocol = TLSv1.3
            Ciphersuites = TLS_AES_128_GCM_SHA256
            """;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "lab/kamailio/proxy.cfg: a proxy whatever the application; its transactions linger"
                + " for 5 s (wt_timer as shipped), Carillon's for 32 s";
    }

    /** It opens no WebSocket connection to a callee. */
    @Override
    public Set<Transport> transports() {
        return EnumSet.of(Transport.UDP, Transport.TCP, Transport.TLS);
    }

    /** The proxy over UDP, which sends 100 Trying at once. */
    public static ServerProcess.Launch proxy(String cpus, int port, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        return launch(port, command(cpus, "udp:127.0.0.1:" + port, true, folder), Map.of());
    }

    private static List<String> command(String cpus, String listen, boolean trying, Path folder) {
        List<String> command = ChildProcess.pinned(cpus);
        Path configuration = Folders.root().resolve("lab/kamailio/proxy.cfg");
        command.addAll(List.of("kamailio", "-f", configuration.toString()));
        command.addAll(List.of("-DD", "-E", "-m", "1024", "-x", "fm", "-X", "fm"));
        command.addAll(List.of("-w", folder.toString(), "-Y", folder.toString()));
        command.addAll(List.of("-A", "LISTEN=" + listen));
        command.addAll(List.of("-A", "TRYING=" + (trying ? 1 : 0)));
        return command;
    }

    private static ServerProcess.Launch launch(
            int port, List<String> command, Map<String, String> environment) {
        return new ServerProcess.Launch(
                NAME, port, command, environment, List.of("Listening on"), List.of());
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        int port = site.ports().kamailio();
        String listen = site.transport().parameter() + ":127.0.0.1:" + port;
        Map<String, String> environment = Map.of();
        List<String> command = command(site.cpus().server(), listen, site.trying(), folder);
        if (site.transport() != Transport.UDP) {
            command.addAll(List.of("-A", "STREAMS=1"));
        }
        if (site.transport().secure()) {
            if (!Files.exists(TLS_MODULE)) {
                throw new IOException(
                        "Kamailio has no TLS here (no "
                                + TLS_MODULE
                                + "): apt-get install kamailio-tls-modules");
            }
            RunCertificate own = RunCertificate.in(folder);
            Path openssl = folder.resolve("kamailio-openssl.cnf");
            Files.writeString(openssl, OPENSSL);
            environment = Map.of("OPENSSL_CONF", openssl.toString());
            command.addAll(List.of("-A", "TLS=1"));
            command.addAll(List.of("-A", "CERTIFICATE=\"" + own.certificate() + "\""));
            command.addAll(List.of("-A", "KEY=\"" + own.key() + "\""));
        }
        command.addAll(site.kamailioArguments());
        return launch(port, command, environment);
    }
}
