package io.carillon.server.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Processors: how much of them is really ours, how fast they run, and what reading the time costs.
 */
final class ProcessorChecks {
    private static final String QUOTA = "cpu-quota";
    private static final String CLOCK = "clock-source";

    private static final double STEAL_NOTE = 0.005;
    private static final double STEAL_WARNING = 0.02;
    private static final double STEAL_FAULT = 0.1;

    /** Clocks that a system call or a device has to be asked for. */
    private static final Set<String> SLOW_CLOCKS = Set.of("hpet", "acpi_pm", "jiffies", "pit");

    private static final Set<String> SLOW_GOVERNORS =
            Set.of("powersave", "conservative", "ondemand");

    private ProcessorChecks() {}

    static List<Finding> of(SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        List<Finding> findings = new ArrayList<>();
        findings.add(steal(before, after));
        findings.add(quota(files, needs, before, after));
        findings.add(governor(files));
        findings.add(clock(files));
        return findings;
    }

    private static Finding steal(Snapshot before, Snapshot after) {
        String check = "cpu-steal";
        if (after.cpuTicks() == 0) {
            return Finding.note(
                    check,
                    "This system does not tell what other machines take of its processors.",
                    "");
        }
        long ticks = after.cpuTicks() - before.cpuTicks();
        // Without a watch the share since the start of the system is all there is to judge.
        boolean watched = ticks > 0;
        double part =
                watched
                        ? (double) (after.stealTicks() - before.stealTicks()) / ticks
                        : (double) after.stealTicks() / after.cpuTicks();
        String found =
                "Other virtual machines took "
                        + NumberText.percent(part)
                        + " of the processors' time "
                        + (watched ? "during the watch." : "since the system started.");
        String cost =
                "The server stands still meanwhile without knowing it, mostly for whole milliseconds: answers come"
                        + " late, and buffers fill. No setting of the server mends it.";
        String mend =
                "ask the provider for dedicated processors, or move the virtual machine to another host";
        if (part >= STEAL_FAULT && watched) {
            return Finding.fault(check, found, cost, mend);
        }
        if (part >= STEAL_WARNING) {
            return Finding.warning(check, found, cost, mend);
        }
        return part >= STEAL_NOTE
                ? Finding.note(check, found, cost, mend)
                : Finding.ok(check, found);
    }

    static Finding quota(SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        ControlGroup group = new ControlGroup(files, needs.process());
        Double processors = group.processors();
        if (processors == null) {
            return Finding.ok(QUOTA, "No quota of processor time is set.");
        }
        long throttled = after.throttledPeriods() - before.throttledPeriods();
        String found =
                "The container or service may use " + NumberText.tenths(processors) + " processors";
        String cost =
                "When the quota of a period (100 ms as a rule) is used up, all threads of the server stand still for"
                        + " its rest: up to 90 ms in which no message is read, at a load that looks low on average."
                        + " The JVM's compiler and collector use it up too.";
        String[] mend = {
            "docker update --cpu-quota=-1 CONTAINER",
            "systemctl set-property carillon CPUQuota=   # where systemd starts it",
            "kubectl: resources.limits.cpu away, resources.requests.cpu stays"
        };
        if (throttled > 0) {
            return Finding.fault(
                    QUOTA,
                    found
                            + ", and was stopped in "
                            + NumberText.count(throttled)
                            + " periods during the watch.",
                    cost,
                    mend);
        }
        if (after.throttledPeriods() > 0) {
            return Finding.warning(
                    QUOTA,
                    found
                            + ", and was stopped in "
                            + NumberText.count(after.throttledPeriods())
                            + " periods so far.",
                    cost,
                    mend);
        }
        return Finding.note(QUOTA, found + ", and was never stopped.", cost, mend);
    }

    private static Finding governor(SystemFiles files) {
        String check = "cpu-frequency";
        Set<String> governors = new TreeSet<>();
        String driver = null;
        for (String name : files.names("sys/devices/system/cpu")) {
            String folder = "sys/devices/system/cpu/" + name + "/cpufreq/";
            String governor = files.text(folder + "scaling_governor");
            if (governor != null) {
                governors.add(governor);
                driver = files.text(folder + "scaling_driver");
            }
        }
        if (governors.isEmpty()) {
            return Finding.ok(
                    check,
                    "The processors' frequency is not the system's to choose (a virtual machine, as a rule).");
        }
        String found = "The processors' frequency is governed by " + String.join(", ", governors);
        // These two drivers raise the frequency by themselves under that name.
        boolean own =
                driver != null
                        && (driver.equals("intel_pstate") || driver.startsWith("amd-pstate-epp"));
        boolean slow = governors.stream().anyMatch(SLOW_GOVERNORS::contains);
        if (!slow) {
            return Finding.ok(check, found + ".");
        }
        String cost =
                "A processor that sleeps between messages answers at its lowest frequency: two to three times the"
                        + " time per message at low rates, and figures that do not compare.";
        String[] mend = {
            "cpupower frequency-set -g performance",
            "for g in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do echo performance > $g; done"
        };
        return own
                ? Finding.note(check, found + " (" + driver + ").", cost, mend)
                : Finding.warning(check, found + ".", cost, mend);
    }

    static Finding clock(SystemFiles files) {
        String folder = "sys/devices/system/clocksource/clocksource0/";
        String current = files.text(folder + "current_clocksource");
        if (current == null) {
            return Finding.note(CLOCK, "This system does not tell which clock it reads.", "");
        }
        if (!SLOW_CLOCKS.contains(current)) {
            return Finding.ok(
                    CLOCK, "The time is read from " + current + ", without a system call.");
        }
        String available = files.text(folder + "available_clocksource");
        boolean tsc = available != null && List.of(SystemFiles.words(available)).contains("tsc");
        String[] mend =
                tsc
                        ? new String[] {
                            "echo tsc > /" + folder + "current_clocksource",
                            "clocksource=tsc   # on the kernel's command line, to keep it"
                        }
                        : new String[] {
                            "dmesg | grep -i -e tsc -e clocksource   # why the kernel gave the tsc up"
                        };
        return Finding.warning(
                CLOCK,
                "The time is read from " + current + ", a device.",
                "Each look at the clock takes about a microsecond instead of 25 ns, and a message needs several: at"
                        + " 10,000 messages/s some percent of a processor go into asking for the time.",
                mend);
    }
}
