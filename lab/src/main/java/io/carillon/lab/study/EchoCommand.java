package io.carillon.lab.study;

import io.carillon.lab.process.EchoProcess;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ./carillon lab echo}: the control of the outside probe, started by the studies. */
@Command(
        name = "echo",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Sends datagrams back; prints its port and runs until it is ended.")
public final class EchoCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        EchoProcess.serve();
        return 0;
    }
}
