package io.carillon.lab.study;

import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Machine;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.RateProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Results as a study would have them, made up. */
final class SampleResults {
    private SampleResults() {}

    static SettingResult result(String name, int rate, double p99, double pause, double cpu) {
        return new SettingResult(
                name,
                List.of("-XX:+UseSerialGC", "-Xmx1700m"),
                "",
                List.of(new RateProbe(rate, true, "", false, false)),
                List.of(new RateProbe(rate, true, "", false, false)),
                rate,
                false,
                figures(p99, pause, cpu, new Disturbance(0.001, 0.01)),
                series(60, p99, pause));
    }

    /** The same, and the load was at its end before the server. */
    static SettingResult limited(SettingResult of) {
        return new SettingResult(
                of.name(),
                of.options(),
                of.failure(),
                of.probes(),
                of.holds(),
                of.rate(),
                true,
                of.figures(),
                of.series());
    }

    /** The same, and its collector did that. */
    static SettingResult collecting(SettingResult of, GcFigures gc) {
        return new SettingResult(
                of.name(),
                of.options(),
                of.failure(),
                of.probes(),
                of.holds(),
                of.rate(),
                of.limitedByLoad(),
                Objects.requireNonNull(of.figures()).with(gc),
                of.series());
    }

    static HoldFigures figures(double p99, double pause, double cpu, Disturbance disturbance) {
        return new HoldFigures(
                60,
                60_000,
                0,
                0,
                0,
                2,
                0,
                0,
                1.5,
                6,
                p99,
                p99 * 2,
                p99 * 3,
                cpu,
                0.8,
                0.05,
                0.02,
                10_000,
                6_400,
                900L << 20,
                new HoldFigures.ProbeWaits(pause + 1, 1.2, 0, 0.9, 3),
                disturbance,
                new GcFigures(40, 40, pause, pause * 0.9, pause * 30, 0, 0, 55e6, 200L << 20));
    }

    static SecondSeries series(int seconds, double p99, double pause) {
        SecondSeries series = SecondSeries.growing();
        double[] heap = new double[seconds];
        double[] pauses = new double[seconds];
        for (int i = 0; i < seconds; i++) {
            double wave = 0.5 + 0.5 * Math.sin(i / 5.0 + pause);
            series.serverCpu().add(0.7 + 0.2 * wave);
            series.collectorCpu().add(0.02 + 0.04 * wave);
            series.retransmissions().add(0.0);
            series.failed().add(0.0);
            series.held().add(10_000.0);
            series.p50Millis().add(1 + wave);
            series.p99Millis().add(p99 * (0.5 + wave));
            series.maxMillis().add(p99 * (1 + 2 * wave));
            heap[i] = 200 + (i * 37) % 500;
            pauses[i] = i % 3 == 0 ? pause * (0.5 + 0.5 * wave) : 0;
        }
        return series.with(heap, pauses);
    }

    static JvmStudy study(List<String> settings) {
        return study(settings, 0);
    }

    static JvmStudy study(List<String> settings, int fixedRate) {
        List<JvmSetting> all = new ArrayList<>();
        for (String name : settings) {
            all.add(new JvmSetting(name, List.of("-XX:+UseSerialGC")));
        }
        return new JvmStudy(
                "/somewhere/examples/b2bua.war",
                "b2bua",
                "1700m",
                all,
                StudyTiming.quick(),
                CallTimes.shortest("b2bua"),
                CallTimes.quick("b2bua"),
                fixedRate,
                400,
                6400,
                0.1,
                "0",
                "1",
                List.of(),
                List.of(),
                new Machine("A processor", 2, 24L << 30, "Linux 6.1", "A virtual machine 25"));
    }
}
