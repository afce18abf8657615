package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code ./carillon load} that say what callers do beside calling. */
final class CallerOptions {
    @Option(
            names = "--redial",
            paramLabel = "TIME|FROM..TO",
            defaultValue = "",
            description =
                    "a refused caller calls once more after a random time, as in 2s..10s (nobody does)")
    private String redial = "";

    @Option(
            names = "--header",
            paramLabel = "LINE",
            description =
                    "a further line of each INVITE, as in \"Resource-Priority: esnet.0\"; repeatable")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--rport",
            description =
                    "answers are to come to where requests come from, as behind a NAT or a relay"
                            + " (RFC 3581)")
    private boolean rport;

    CallerHabits habits() {
        return CallerHabits.of(redial, headers, rport);
    }

    boolean given() {
        return !redial.isEmpty() || !headers.isEmpty() || rport;
    }
}
