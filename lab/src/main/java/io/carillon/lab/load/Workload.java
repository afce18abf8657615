package io.carillon.lab.load;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The workloads, by the names of the command line. */
enum Workload {
    B2BUA("b2bua", true),
    PROXY200("proxy200", true);

    private final String text;
    private final boolean callee;

    Workload(String text, boolean callee) {
        this.text = text;
        this.callee = callee;
    }

    String text() {
        return text;
    }

    /** Whether the calls come back to our callee's side. */
    boolean callee() {
        return callee;
    }

    static @Nullable Workload of(String text) {
        for (Workload workload : values()) {
            if (workload.text.equals(text.toLowerCase(Locale.ROOT))) {
                return workload;
            }
        }
        return null;
    }
}
