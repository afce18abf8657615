package io.carillon.server.cli;

import io.carillon.server.tls.SelfSigned;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon tls}: certificates. */
@Command(
        name = "tls",
        description = "Certificates: self-signed, reload (docs/guides/tls.md).",
        mixinStandardHelpOptions = true)
final class TlsCommand implements Runnable {
    private static final int MOST_DAYS = 3650;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "tls needs one of self-signed, reload");
    }

    @Command(
            name = "self-signed",
            description =
                    "Makes a key and a certificate that is signed by itself, for trials: who should believe"
                            + " it has to be given the certificate.",
            mixinStandardHelpOptions = true)
    int selfSigned(
            @Option(
                            names = "--name",
                            required = true,
                            split = ",",
                            paramLabel = "NAME",
                            description =
                                    "SIP domain, host name or address in digits; several by commas.")
                    List<String> names,
            @Option(
                            names = "--out",
                            required = true,
                            paramLabel = "FOLDER",
                            description = "Where certificate.pem and key.pem are put.")
                    Path folder,
            @Option(
                            names = "--days",
                            defaultValue = "90",
                            paramLabel = "DAYS",
                            description = "How long it is valid (${DEFAULT-VALUE}).")
                    int days)
            throws IOException {
        if (days < 1 || days > MOST_DAYS) {
            throw new ParameterException(
                    spec.commandLine(), "--days has to be 1 to " + MOST_DAYS + ", not " + days);
        }
        SelfSigned made;
        try {
            made = SelfSigned.make(names, Duration.ofDays(days), folder);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--name: " + e.getMessage(), e);
        }
        spec.commandLine().getOut().print(made.told());
        spec.commandLine().getOut().flush();
        return 0;
    }

    @Command(
            name = "reload",
            description =
                    "Reads the running server's certificates again now. When they are wrong the old ones stay.",
            mixinStandardHelpOptions = true)
    int reload(@Mixin ControlTarget target) throws Exception {
        String answer = target.ask("tls-reload");
        spec.commandLine().getOut().println(answer.strip());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
