package io.carillon.bench.micro;

import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./carillon bench jmh}: the micro benchmarks, with bytes allocated per operation. */
@Command(
        name = "jmh",
        mixinStandardHelpOptions = true,
        description = "Parse, print and route one message: nanoseconds and bytes allocated.")
public final class Jmh implements Callable<Integer> {
    @Parameters(arity = "0..1", defaultValue = ".*", description = "which benchmarks (a pattern)")
    private String include = ".*";

    @Override
    public Integer call() {
        try {
            new Runner(
                            new OptionsBuilder()
                                    .include(include)
                                    .addProfiler(GCProfiler.class)
                                    .jvmArgs("-Xmx1g", "-XX:+UseSerialGC")
                                    .build())
                    .run();
            return 0;
        } catch (RunnerException e) {
            System.err.println("carillon bench jmh: " + e.getMessage());
            return 1;
        }
    }
}
