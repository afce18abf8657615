package io.carillon.server.doctor;

import java.util.List;

/**
 * One thing that was looked at.
 *
 * @param check its stable name, as in {@code socket-receive-buffer}
 * @param severity how bad it is
 * @param found what there is, in a sentence
 * @param cost what that costs, in sentences; empty when nothing
 * @param mend the commands that mend it, in order; empty when there is none or nothing to mend
 */
public record Finding(
        String check, Severity severity, String found, String cost, List<String> mend) {

    public Finding {
        mend = List.copyOf(mend);
    }

    static Finding ok(String check, String found) {
        return new Finding(check, Severity.OK, found, "", List.of());
    }

    static Finding note(String check, String found, String cost, String... mend) {
        return new Finding(check, Severity.NOTE, found, cost, List.of(mend));
    }

    static Finding warning(String check, String found, String cost, String... mend) {
        return new Finding(check, Severity.WARNING, found, cost, List.of(mend));
    }

    static Finding fault(String check, String found, String cost, String... mend) {
        return new Finding(check, Severity.FAULT, found, cost, List.of(mend));
    }

    /** The command that sets a kernel value now, and the one that keeps it over a reboot. */
    static String[] sysctl(String key, long value) {
        String setting = key + "=" + value;
        return new String[] {
            "sysctl -w " + setting, "echo '" + setting + "' >> /etc/sysctl.d/60-carillon.conf"
        };
    }
}
