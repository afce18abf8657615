package io.carillon.bench.peers;

import io.carillon.bench.load.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Kamailio's transaction-stateful, record-routing proxy with one UDP worker. */
record KamailioServer() implements Contender {
    @Override
    public String name() {
        return "kamailio";
    }

    @Override
    public String description() {
        return "bench/kamailio/proxy.cfg: a proxy whatever the application; its transactions linger"
                + " for 5 s (wt_timer as shipped), Carillon's for 32 s";
    }

    @Override
    public Peer.Launch launch(Site site, Path folder) {
        int port = site.ports().kamailio();
        List<String> command = site.pinned();
        command.addAll(List.of("kamailio", "-f", site.root() + "/bench/kamailio/proxy.cfg"));
        command.addAll(List.of("-DD", "-E", "-m", "1024", "-x", "fm", "-X", "fm"));
        command.addAll(List.of("-w", folder.toString(), "-Y", folder.toString()));
        command.addAll(List.of("-A", "LISTEN=udp:127.0.0.1:" + port));
        command.addAll(List.of("-A", "TRYING=" + (site.trying() ? 1 : 0)));
        return new Peer.Launch(name(), port, command, Map.of(), List.of("Listening on"), List.of());
    }
}
