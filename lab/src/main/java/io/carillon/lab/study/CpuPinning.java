package io.carillon.lab.study;

import io.carillon.lab.process.CpuOccupation;
import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** Who runs where: the server has its processors for itself. */
public final class CpuPinning {
    private static final int WATCH_MILLIS = 2000;
    private static final Pattern LIST =
            Pattern.compile("[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*");
    private static final double BUSY = 0.1;

    private CpuPinning() {}

    /** Refuses a list of processors that this machine has not. */
    public static void check(String option, String list, int cpus) throws WrongSetting {
        if (!list.isEmpty() && !LIST.matcher(list).matches()) {
            throw new WrongSetting(
                    option + " is a list as taskset takes it, 0 or 0,2-3, or empty; not " + list);
        }
        for (String number : list.split("[,-]")) {
            if (!number.isEmpty() && Integer.parseInt(number) >= cpus) {
                throw new WrongSetting(
                        option
                                + " names processor "
                                + number
                                + "; this machine has 0 to "
                                + (cpus - 1)
                                + " (empty: any)");
            }
        }
    }

    /** Moves all threads of the lab to these processors; empty: nowhere. */
    public static void pinThisProcess(String cpus) throws IOException {
        if (cpus.isEmpty()) {
            return;
        }
        String pid = Long.toString(ProcessHandle.current().pid());
        Process taskset =
                new ProcessBuilder("taskset", "-a", "-c", "-p", cpus, pid)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!said.contains("affinity list")) {
            throw new IOException("taskset to CPUs " + cpus + " said: " + said.strip());
        }
    }

    /** Watches the machine for two seconds: how busy is it before the study begins? */
    public static void checkIdle() throws IOException, WrongSetting {
        CpuOccupation begin = CpuOccupation.now();
        Pause.millis(WATCH_MILLIS);
        Disturbance past = CpuOccupation.now().since(begin);
        double share = past.others() + past.steal();
        if (share > BUSY) {
            throw new WrongSetting(
                    String.format(
                            Locale.ROOT,
                            "the machine is busy: %.0f %% of its CPU time is used before the study has begun;"
                                    + " stop what runs, or add --although-busy",
                            share * 100));
        }
    }
}
