package io.carillon.lab.peers;

import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Open Liberty with its feature sipServlet-1.1, its limits raised above what is measured. */
record LibertyServer() implements Contender {
    static final String NAME = "liberty";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Open Liberty 26.0.0.3, sipServlet-1.1, JDK 17, the same WAR; maxMessageRate,"
                + " dispatcherMessageQueueSize and maxAppSessions raised";
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        Path wlp = site.installed(NAME).resolve("wlp");
        if (!Files.isRegularFile(wlp.resolve("bin/tools/ws-server.jar"))) {
            throw new IOException(
                    "Liberty is not installed: ./carillon bench peers install liberty");
        }
        int port = site.ports().liberty();
        Path user = folder.resolve("liberty");
        PeerFiles.write(
                "liberty-server.xml",
                user.resolve("servers/bench/server.xml"),
                Map.of(
                        "PORT", Integer.toString(port),
                        "TLS_PORT", Integer.toString(port + 1),
                        "TRYING", Boolean.toString(site.trying()),
                        "NAME", site.application().name(),
                        "ARCHIVE", attribute(site.archive().toString())));
        List<String> command = site.pinned();
        command.add(site.peerJvm().command().toString());
        command.add("-javaagent:" + wlp.resolve("bin/tools/ws-javaagent.jar"));
        command.addAll(modules(wlp));
        command.addAll(List.of("-Djava.awt.headless=true", "-Djava.net.preferIPv4Stack=true"));
        command.addAll(site.peerJvm().options());
        command.addAll(List.of("-jar", wlp.resolve("bin/tools/ws-server.jar").toString(), "bench"));
        return new ServerProcess.Launch(
                NAME,
                port,
                command,
                Map.of("WLP_USER_DIR", user.toString()),
                // Application started; server ready.
                List.of("CWWKZ0001I", "CWWKF0011I"),
                List.of("CWWKZ0002E", "CWWKE0029E"));
    }

    /** A path as an attribute of XML has it. */
    private static String attribute(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    /** The options that Liberty's own launcher gives to a JVM with modules. */
    private static List<String> modules(Path wlp) throws IOException {
        return Files.readAllLines(wlp.resolve("lib/platform/java/java9.options")).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }
}
