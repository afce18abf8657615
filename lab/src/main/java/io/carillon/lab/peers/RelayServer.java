package io.carillon.lab.peers;

import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.net.URISyntaxException;
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
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-cp", classes()));
        command.addAll(List.of(Relay.class.getName(), loop, Integer.toString(ports.relay())));
        command.add(ports.caller() + ":" + ports.callee());
        command.add(ports.probeCaller() + ":" + ports.probeCallee());
        return new ServerProcess.Launch(
                name, ports.relay(), command, Map.of(), List.of(Relay.READY), List.of());
    }

    /** Folder or archive that this class came from. */
    private static String classes() throws IOException {
        try {
            var source = Relay.class.getProtectionDomain().getCodeSource();
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IOException("the relay's classes are at no path", e);
        }
    }
}
