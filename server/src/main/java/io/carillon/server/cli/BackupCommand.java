package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.backup.BackupFile;
import io.carillon.server.backup.BackupSource;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.data.CopyRequest;
import io.carillon.server.data.Database;
import io.carillon.server.reload.NamedFiles;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code carillon backup}: the database, settings and archives in one file. Of the running server,
 * while it goes on, or of its files when none runs.
 */
@Command(
        name = "backup",
        description = {
            "Writes users, bindings, settings and deployed archives into one file, while the server goes on.",
            "The file has secrets: it is made for its owner alone. A database elsewhere is not in it."
        },
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
    /** Standard output. */
    private static final String STREAM = "-";

    @Parameters(
            paramLabel = "FILE",
            description = "A ZIP file that is not there yet; - is standard output.")
    private String file = STREAM;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (file.equals(STREAM)) {
            tell(spec.commandLine().getErr(), make(System.out));
            return 0;
        }
        Path to = Path.of(file).toAbsolutePath();
        if (Files.exists(to)) {
            throw new IOException(to + " is there already: name another file");
        }
        Path part = to.resolveSibling(to.getFileName() + ".part");
        OwnFolder.write(part, new byte[0]); // for its owner alone before it has anything
        try {
            BackupFile.Written written;
            try (OutputStream out = Files.newOutputStream(part)) {
                written = make(out);
            }
            Files.move(part, to);
            tell(spec.commandLine().getOut(), written);
            return 0;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private BackupFile.Written make(OutputStream to)
            throws IOException, ConfigurationException, ControlFailure {
        HomeFolder home = HomeFolder.current();
        Configuration configuration = target.configuration();
        // Where the server may write too, which may have a folder for temporary files of its own.
        Path folder = home.state().resolve("backup-" + ProcessHandle.current().pid());
        OwnFolder.make(home.state());
        OwnFolder.make(folder);
        try {
            Path zip = folder.toAbsolutePath().resolve("database.zip");
            CopyRequest.Answer copy = copy(configuration, home, zip);
            BackupSource source =
                    new BackupSource(
                            home.conf(),
                            target.hasConfig() ? target.file() : null,
                            configuration.deploy().folder());
            return BackupFile.write(
                    to, copy, zip, source, elsewhere(configuration, home.conf(), copy));
        } finally {
            OwnFolder.delete(folder);
        }
    }

    private CopyRequest.Answer copy(Configuration configuration, HomeFolder home, Path zip)
            throws IOException, ConfigurationException, ControlFailure {
        Path socket = target.socketOrNull();
        if (socket != null) {
            return CopyRequest.read(ControlClient.ask(socket, "database-copy", zip.toString()));
        }
        try (Database database =
                new Database(configuration.database(), home.data(configuration.cluster()))) {
            return CopyRequest.make(database, zip);
        }
    }

    private static List<String> elsewhere(
            Configuration configuration, Path conf, CopyRequest.Answer copy) {
        List<String> elsewhere = new ArrayList<>();
        if (!copy.embedded()) {
            elsewhere.add("the database " + copy.place() + "; its own tools copy it, as pg_dump");
        }
        Path settings = conf.toAbsolutePath().normalize();
        for (Path named : NamedFiles.present(configuration)) {
            if (!named.toAbsolutePath().normalize().startsWith(settings)) {
                elsewhere.add(named + ", which the configuration names");
            }
        }
        return elsewhere;
    }

    private void tell(PrintWriter to, BackupFile.Written written) {
        @Nullable String schema = written.schema();
        to.println(
                (schema == null ? "No database" : "The database (tables of version " + schema + ")")
                        + ", "
                        + written.settings()
                        + " files of settings, "
                        + written.archives()
                        + " archives"
                        + (file.equals(STREAM) ? "" : ": " + file));
        written.elsewhere().forEach(one -> to.println("Not in it: " + one));
        to.flush();
    }
}
