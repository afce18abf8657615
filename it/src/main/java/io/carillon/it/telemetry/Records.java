package io.carillon.it.telemetry;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it records}: a record for each call, of each kind, under load, while a receiver
 * is away, and behind a kill.
 */
@Command(
        name = "records",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Call records of real calls: kinds, lengths, a receiver that is away, a kill.")
public final class Records implements Callable<Integer> {
    @Option(
            names = "--calls",
            defaultValue = "300000",
            description = "calls of the load (${DEFAULT-VALUE}); 0: none")
    private int calls = 300_000;

    @Option(
            names = "--rate",
            defaultValue = "1000",
            description = "calls per second (${DEFAULT-VALUE})")
    private int rate = 1_000;

    @Option(
            names = "--away",
            defaultValue = "600",
            description = "seconds that the receiver is away (${DEFAULT-VALUE})")
    private int awaySeconds = 600;

    @Option(names = "--no-kinds", description = "the load alone")
    private boolean withoutKinds;

    @Option(names = "--out", description = "folder of logs and records (it/target/records-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        if (calls < 0 || rate < 1 || awaySeconds < 0) {
            System.err.println("carillon it records: --rate is 1 or more, the others 0 or more");
            return 2;
        }
        try {
            Path folder = Folders.results(out, "it", "records");
            Verdicts verdicts = new Verdicts();
            System.out.println("Machine: " + Machine.here());
            if (!withoutKinds) {
                new RecordKinds(folder.resolve("kinds"), verdicts).run();
                new RecordsOfKilled(folder.resolve("killed"), verdicts).run();
            }
            if (calls > 0) {
                new RecordsUnderLoad(
                                folder.resolve("load"),
                                verdicts,
                                new RecordsUnderLoad.Plan(calls, rate, awaySeconds))
                        .run();
            }
            System.out.println("Logs and records: " + folder);
            return verdicts.allHold() ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it records: " + e.getMessage());
            return 1;
        }
    }
}
