package io.carillon.server.cli;

import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.reload.ConfigurationText;
import io.carillon.server.reload.NamedFiles;
import io.carillon.server.reload.ShownChange;
import io.carillon.server.reload.ShownValue;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon config}: the configuration, value by value, without a start. */
@Command(
        name = "config",
        description =
                "Shows, checks and compares configurations (docs/reference/configuration.md).",
        mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {
    private static final int FAULTY = 1;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "config needs one of show, check, diff");
    }

    @Command(
            name = "show",
            description =
                    "Every value and where it comes from: of the running server; of --config FILE and this"
                            + " environment; or, where no server runs, of the environment alone. Secrets are stars.",
            mixinStandardHelpOptions = true)
    int show(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "KEY",
                            description = "Keys that begin so, as in sip.")
                    @Nullable String prefix,
            @Option(names = "--set", description = "Those that somebody set.") boolean set,
            @Option(names = "--json", description = "As JSON.") boolean json,
            @Mixin ControlTarget target)
            throws Exception {
        String begin = prefix == null ? "" : prefix;
        List<ShownValue> values =
                values(target).stream()
                        .filter(one -> one.key().startsWith(begin) && !(set && one.standard()))
                        .toList();
        if (values.isEmpty() && !begin.isEmpty() && !set) {
            throw new ParameterException(spec.commandLine(), "no key begins with " + begin);
        }
        if (json) {
            return print(ConfigurationText.json(values));
        }
        TextTable table = new TextTable("KEY", "VALUE", "FROM");
        values.forEach(one -> table.row(one.key(), one.value(), one.origin()));
        return print(table.text());
    }

    private static List<ShownValue> values(ControlTarget target) throws Exception {
        return ConfigurationText.readValues(
                target.hasConfig() || !target.runs()
                        ? ConfigurationText.values(read(target.file()))
                        : target.ask("config-show"));
    }

    private static ReadConfiguration read(@Nullable Path file) throws ConfigurationException {
        return ConfigurationReader.read(ConfigurationSources.of(file));
    }

    @Command(
            name = "check",
            description =
                    "Says what is wrong with a configuration, as the start would, and which files it names that are not there.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "Exit codes:%n",
            exitCodeList = {"0:nothing is wrong", "1:something is", "2:wrong arguments"})
    int check(
            @Option(
                            names = "--config",
                            paramLabel = "FILE",
                            description =
                                    "The file; conf.d beside it and the environment are read too.")
                    @Nullable Path file) {
        ReadConfiguration read;
        try {
            read = read(file);
        } catch (ConfigurationException e) {
            spec.commandLine().getErr().println(e.getMessage());
            spec.commandLine().getErr().flush();
            return FAULTY;
        }
        PrintWriter err = spec.commandLine().getErr();
        read.warnings().forEach(err::println);
        List<String> missing = NamedFiles.missing(read);
        missing.forEach(err::println);
        err.flush();
        if (!missing.isEmpty()) {
            return FAULTY;
        }
        long set =
                ConfigurationText.readValues(ConfigurationText.values(read)).stream()
                        .filter(one -> !one.standard())
                        .count();
        return print("The configuration is right: " + set + " values are set\n");
    }

    @Command(
            name = "diff",
            description = {
                "What a reload of the running server would change, and what only a restart would.",
                "With two files: what the second has otherwise."
            },
            mixinStandardHelpOptions = true)
    int diff(
            @Parameters(arity = "0..2", paramLabel = "FILE", description = "None, or two.")
                    @Nullable List<Path> files,
            @Option(names = "--json", description = "As JSON.") boolean json,
            @Mixin ControlTarget target)
            throws Exception {
        if (files != null && files.size() == 1) {
            throw new ParameterException(spec.commandLine(), "diff takes no file, or two");
        }
        String answer =
                files == null || files.isEmpty()
                        ? target.ask("config-diff")
                        : ConfigurationText.changes(read(files.getFirst()), read(files.getLast()));
        if (json) {
            return print(answer + "\n");
        }
        List<ShownChange> changes = ConfigurationText.readChanges(answer);
        if (changes.isEmpty()) {
            return print("Nothing is different\n");
        }
        TextTable table = new TextTable("KEY", "NOW", "THEN", "FROM", "BY");
        changes.forEach(one ->
                table.row(
                        one.key(),
                        one.before(),
                        one.after(),
                        one.origin(),
                        one.reload() ? "reload" : "restart"));
        return print(table.text());
    }

    private int print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        return 0;
    }
}
