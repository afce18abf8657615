package io.carillon.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon lab} in the help: the launcher starts it, from the load lab's own library. */
@Command(
        name = "lab",
        description =
                "Finds JVM settings, response times and limits with your application (docs/guides/lab.md).")
final class LabPlace implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "lab is started by the launcher: carillon lab --help");
    }
}
