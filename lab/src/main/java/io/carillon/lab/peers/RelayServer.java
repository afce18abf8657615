package io.carillon.lab.peers;

import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The bare relay as a process of its own.
 *
 * @param loop blocking or selector
 */
record RelayServer(String name, String loop) implements Contender {
    @Override
    public String description() {
        return "the same datagrams forwarded by source port in a "
                + loop
                + " Java NIO loop, without a look at them: no SIP, no 100 Trying";
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        Ports ports = site.ports();
        List<String> command = site.pinned();
        command.addAll(
                Relay.command(
                        loop,
                        ports.relay(),
                        ports.caller() + ":" + ports.callee(),
                        ports.probeCaller() + ":" + ports.probeCallee()));
        return new ServerProcess.Launch(
                name, ports.relay(), command, Map.of(), List.of(Relay.READY), List.of());
    }
}
