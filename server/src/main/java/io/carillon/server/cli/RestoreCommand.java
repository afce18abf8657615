package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.backup.BackupFailure;
import io.carillon.server.backup.Restore;
import io.carillon.server.config.Configuration;
import io.carillon.server.data.Database;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon restore}: what {@code carillon backup} wrote, or what a clone keeps. */
@Command(
        name = "restore",
        description = {
            "Puts back what carillon backup wrote, or takes over what a clone keeps; no server may run.",
            "Settings and archives that are there stay as they are."
        },
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
    private static final String STREAM = "-";

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(
            names = "--replace",
            description = "A database that is there is put aside, into a folder beside it.")
    private boolean replace;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    /** One of the two. */
    static final class Source {
        @Parameters(
                paramLabel = "FILE",
                arity = "1",
                description = "Of carillon backup; - is standard input.")
        private @Nullable String file;

        @Option(
                names = "--from-clone",
                paramLabel = "FOLDER",
                description =
                        "A clone, or a folder that CARILLON_HOME named: its users, bindings and settings are copied.")
        private @Nullable Path clone;
    }

    @Override
    public Integer call() throws Exception {
        Path socket = target.socketOrNull();
        if (socket != null) {
            throw new BackupFailure(
                    "a server is running (process "
                            + ControlTarget.pid(socket)
                            + "): stop it first (carillon stop)");
        }
        HomeFolder home = HomeFolder.current();
        Configuration configuration = target.configuration();
        Path staged = home.state().resolve("restore-" + ProcessHandle.current().pid());
        OwnFolder.make(home.state());
        OwnFolder.make(staged);
        try (Database database =
                new Database(configuration.database(), home.data(configuration.cluster()))) {
            Restore restore = new Restore(staged, database, replace);
            read(restore);
            restore.database();
            restore.files(home.conf(), configuration.deploy().folder());
            PrintWriter out = spec.commandLine().getOut();
            restore.done().forEach(out::println);
            out.flush();
            return 0;
        } finally {
            OwnFolder.delete(staged);
        }
    }

    private void read(Restore restore) throws BackupFailure, IOException {
        Path clone = source.clone;
        String file = String.valueOf(source.file);
        if (clone != null) {
            restore.readFolder(clone.toAbsolutePath());
        } else if (file.equals(STREAM)) {
            restore.read("standard input", System.in);
        } else if (Files.isRegularFile(Path.of(file))) {
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                restore.read(file, in);
            }
        } else {
            throw new BackupFailure("there is no file " + file);
        }
    }
}
