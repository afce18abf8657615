package io.carillon.server.cli;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.check.ArchiveCheck;
import io.carillon.servlet.check.CheckReport;
import io.carillon.servlet.check.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code carillon check}: what an archive needs, without a server. Exit codes: 0 nothing is in its
 * way, 1 something is, 2 it cannot be looked at.
 */
@Command(
        name = "check",
        description = "Says what an archive needs, without a server.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing is in the way of running it; there may be warnings",
            "1:something does not deploy or run",
            "2:wrong arguments, or no archive that can be opened"
        })
final class CheckCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int NOT_CHECKED = 2;

    @Parameters(paramLabel = "ARCHIVE", description = "A .war, .sar, or a folder.")
    private Path archive = Path.of("");

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path work = Files.createTempDirectory("carillon-check");
        try {
            CheckReport report = ArchiveCheck.of(archive, work);
            PrintWriter out = spec.commandLine().getOut();
            out.print(json ? json(report) : text(report));
            out.flush();
            return report.failed() ? FAILED : 0;
        } catch (DeploymentException e) {
            spec.commandLine().getErr().println("carillon: " + e.getMessage());
            return NOT_CHECKED;
        } finally {
            Files.delete(work); // the check has emptied it
        }
    }

    private static String json(CheckReport report) {
        return JsonMapper.builder()
                        .build()
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsString(report)
                + "\n";
    }

    private static String text(CheckReport report) {
        StringBuilder text = new StringBuilder();
        text.append(report.archive());
        if (!report.application().isEmpty()) {
            text.append(": application ")
                    .append(report.application())
                    .append(", ")
                    .append(report.execution())
                    .append(", servlets ")
                    .append(String.join(", ", report.servlets()));
        }
        if (report.javaVersion() > 0) {
            text.append(", classes for Java ").append(report.javaVersion());
        }
        text.append('\n');
        if (!report.says().isEmpty()) {
            text.append("It says of itself: ").append(report.says()).append('\n');
        }
        for (Finding finding : report.findings()) {
            text.append(finding.level() == Finding.Level.ERROR ? "error    " : "warning  ")
                    .append(finding.text())
                    .append('\n');
        }
        if (!report.needs().isEmpty()) {
            text.append("It needs of its server:\n");
            report.needs().forEach(line -> text.append("  ").append(line).append('\n'));
        }
        if (!report.routerEntries().isEmpty()) {
            text.append("Router file, where several applications share a server:\n");
            report.routerEntries().forEach(line -> text.append("  ").append(line).append('\n'));
        }
        return text.append(
                        report.failed()
                                ? "It will not run as it is.\n"
                                : "Nothing is in its way.\n")
                .toString();
    }
}
