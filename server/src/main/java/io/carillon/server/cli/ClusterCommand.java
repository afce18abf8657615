package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.cluster.ClusterText;
import io.carillon.server.cluster.ClusterView;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code carillon cluster}: the cluster as a running node sees it. */
@Command(
        name = "cluster",
        description =
                "Members, who owns what, and how well calls are protected, as a running node sees it;"
                        + " of several on this machine as the first one does.",
        mixinStandardHelpOptions = true)
final class ClusterCommand implements Callable<Integer> {
    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Option(names = "--pid", paramLabel = "PID", description = "The node's process.")
    private @Nullable Long pid;

    @Mixin private ConfiguredFolder folder = new ConfiguredFolder();

    @Mixin private RemoteTarget remote = new RemoteTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Where the control sockets are. */
    static final class ConfiguredFolder {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description =
                        "The file that the node was started with, where it sets control.directory.")
        private @Nullable Path config;

        ControlFolder folder() throws Exception {
            return ControlFolder.of(
                    config == null ? null : ConfigurationReader.read(config).control().directory(),
                    HomeFolder.current().control());
        }
    }

    @Override
    public Integer call() throws Exception {
        if (pid == null && remote.named()) {
            print(remote.ask("cluster", ""));
            return 0;
        }
        ControlFolder sockets = folder.folder();
        List<Path> running =
                pid == null ? ControlClient.running(sockets) : List.of(sockets.socket(pid));
        IOException last =
                new IOException(
                        "no server is running (looked in "
                                + sockets
                                + "); start a node with ./carillon run --cluster NAME");
        for (Path socket : running) {
            try {
                print(ControlClient.ask(socket, "cluster"));
                return 0;
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** A node of a build from before, and one that is not heard, says nothing. */
    private static String said(@Nullable String text) {
        return text == null || text.isEmpty() ? "-" : text;
    }

    private void print(String answer) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            ClusterView view = ClusterText.parse(answer);
            out.print(ClusterText.head(view));
            TextTable table =
                    new TextTable(
                            "MEMBER",
                            "ADDRESS",
                            "STANDING",
                            "HEALTH",
                            "SEEN",
                            "VOTES",
                            "OWNS",
                            "NEXT",
                            "CPU",
                            "BUILD");
            for (ClusterView.MemberView one : view.members()) {
                table.row(
                        Integer.toString(one.number()),
                        one.address(),
                        one.standing(),
                        said(one.health()),
                        one.seen() ? "yes" : "no",
                        one.votes() ? "yes" : "no",
                        Integer.toString(one.owns()),
                        Integer.toString(one.next()),
                        one.used() == null ? "-" : one.used() + " %",
                        said(one.build()));
            }
            out.print(table.text());
        }
        out.flush();
    }
}
