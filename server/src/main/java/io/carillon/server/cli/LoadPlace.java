package io.carillon.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon load} in the help: the launcher starts it, from the load lab's own library. */
@Command(
        name = "load",
        description =
                "Calls through any SIP server, both sides of them, counted and timed (docs/guides/load.md).")
final class LoadPlace implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "load is started by the launcher: carillon load --help");
    }
}
