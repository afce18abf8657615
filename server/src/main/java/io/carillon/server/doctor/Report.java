package io.carillon.server.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the doctor found; {@code --json} prints it with these names (docs/guides/doctor.md).
 *
 * @param machine what was looked at
 * @param watchedSeconds between the two looks at the counters
 * @param server the server that runs here, null: none
 * @param worst the severity of the worst finding, in small letters
 * @param findings in the order of the checks
 */
public record Report(
        Machine machine,
        double watchedSeconds,
        @Nullable RunningServer server,
        Severity worst,
        List<Finding> findings) {

    /**
     * The machine.
     *
     * @param system its kernel
     * @param java version of the JVM that looked
     * @param processors that a JVM may use here
     * @param memoryBytes of the machine, 0 where it is not told
     */
    public record Machine(String system, String java, int processors, long memoryBytes) {
        static Machine of(SystemFiles files) {
            Long memory = files.number("proc/meminfo", "MemTotal");
            return new Machine(
                    System.getProperty("os.name") + " " + System.getProperty("os.version"),
                    System.getProperty("java.version", ""),
                    Runtime.getRuntime().availableProcessors(),
                    memory == null ? 0 : memory << 10);
        }
    }

    static Report of(
            Machine machine,
            double watchedSeconds,
            @Nullable RunningServer server,
            List<Finding> findings) {
        Severity worst = Severity.OK;
        for (Finding finding : findings) {
            if (finding.severity().compareTo(worst) > 0) {
                worst = finding.severity();
            }
        }
        return new Report(machine, watchedSeconds, server, worst, findings);
    }

    /** True when something costs calls, now or under load. */
    public boolean failed() {
        return worst.compareTo(Severity.WARNING) >= 0;
    }

    /** How many findings have a severity. */
    public long count(Severity severity) {
        return findings.stream().filter(finding -> finding.severity() == severity).count();
    }
}
