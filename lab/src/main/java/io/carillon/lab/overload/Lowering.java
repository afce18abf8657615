package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.process.CpuQuota;
import java.time.Duration;

/**
 * How the server's capacity is lowered, so that a load of one process can be many times as large.
 *
 * @param compute what a handler in front of the application computes for each INVITE; zero: nothing
 * @param quota share of one CPU that the server has; 1: all of it
 */
record Lowering(Duration compute, double quota) {
    static final Lowering NONE = new Lowering(Duration.ZERO, 1);

    /** For the plain application: nothing computes before it. */
    Lowering ofPlain() {
        return new Lowering(Duration.ZERO, quota);
    }

    boolean computes() {
        return !compute.isZero();
    }

    boolean limitsCpu() {
        return quota < 1;
    }

    @Override
    public String toString() {
        String computed =
                computes()
                        ? format(
                                "a handler that computes %d ms for each INVITE stands before the application",
                                compute.toMillis())
                        : "";
        String limited =
                limitsCpu()
                        ? format(
                                "the server has %.0f %% of one CPU in periods of %.0f ms",
                                quota * 100, CpuQuota.periodMicros(quota) / 1e3)
                        : "";
        if (computed.isEmpty() && limited.isEmpty()) {
            return "the plain application, nothing lowered";
        }
        return "capacity lowered: "
                + computed
                + (computed.isEmpty() || limited.isEmpty() ? "" : "; ")
                + limited;
    }
}
