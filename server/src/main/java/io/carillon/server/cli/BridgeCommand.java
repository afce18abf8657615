package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.bridge.BridgeInstall;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code carillon bridge}: other vendors' interfaces, which the owner fetches. */
@Command(
        name = "bridge",
        description =
                "Mobicents' extension interfaces for its applications: install, remove, status"
                        + " (docs/guides/migrating-from-mobicents.md).",
        mixinStandardHelpOptions = true)
final class BridgeCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        status();
    }

    @Command(description = "Says whether it is installed.", mixinStandardHelpOptions = true)
    void status() {
        BridgeInstall bridge = bridge();
        out().println(
                        bridge.installed()
                                ? "installed: " + bridge.folder()
                                : "not installed; carillon bridge install");
    }

    @Command(
            description =
                    "Fetches the interfaces (LGPL) from a Maven repository, checks them, and puts"
                            + " them and the bridge where the next start finds them.",
            mixinStandardHelpOptions = true)
    void install(
            @Option(
                            names = "--repository",
                            paramLabel = "URL|FOLDER",
                            defaultValue = BridgeInstall.CENTRAL,
                            description = "Where from: ${DEFAULT-VALUE}, or your company's.")
                    String repository)
            throws IOException {
        BridgeInstall bridge = bridge();
        bridge.install(place(repository));
        out().println("The bridge is installed in " + bridge.folder() + ":");
        bridge.jars().forEach(jar -> out().println("  " + jar.getFileName()));
        out().println("It is there from the next start on.");
    }

    @Command(
            description = "Removes it; a server that runs keeps it.",
            mixinStandardHelpOptions = true)
    void remove() throws IOException {
        bridge().remove();
        out().println("The bridge is gone from the next start on.");
    }

    private static URI place(String repository) {
        String folder = repository.endsWith("/") ? repository : repository + "/";
        return folder.matches("\\w+:/.*") ? URI.create(folder) : Path.of(folder).toUri();
    }

    private static BridgeInstall bridge() {
        HomeFolder home = HomeFolder.current();
        return new BridgeInstall(home.folder().resolve("lib/bridge"), home.bridge());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
