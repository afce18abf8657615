package io.carillon.lab.overload;

import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say how much is asked of the server, and for how long. */
final class LengthOptions {
    private static final int MOST_FACTOR = 100;

    @Option(
            names = "--factor",
            split = ",",
            paramLabel = "N",
            defaultValue = "2,5,10",
            description = "multiples of the capacity (${DEFAULT-VALUE})")
    private List<Integer> factors = new ArrayList<>();

    @Option(
            names = "--seconds",
            defaultValue = "120",
            description = "time at each factor (${DEFAULT-VALUE})")
    private int seconds = 120;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description =
                    "what is looked at: factors, plain (3 x without what lowers the capacity), emergency, polite, cold,"
                            + " slow, refusals, or all (factors)")
    private List<String> parts = new ArrayList<>(List.of("factors"));

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "load before the capacity is looked for (${DEFAULT-VALUE})")
    private int warmup = 30;

    @Option(
            names = "--trial",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "length of each trial of that search (${DEFAULT-VALUE})")
    private int trial = 10;

    @Option(
            names = "--first-rate",
            defaultValue = "50",
            description = "calls/s with which it begins (${DEFAULT-VALUE})")
    private int firstRate = 50;

    @Option(
            names = "--capacity",
            paramLabel = "RATE",
            defaultValue = "0",
            description = "calls/s, known from an earlier run: it is not looked for")
    private int capacity;

    @Option(
            names = "--hold",
            defaultValue = "0",
            paramLabel = "SECONDS",
            description = "talk time (${DEFAULT-VALUE})")
    private double hold;

    @Option(names = "--no-contrast", description = "leave out the server without overload control")
    private boolean noContrast;

    OverloadStudy study(WhatOptions what, PlaceOptions places) throws IOException, WrongSetting {
        check();
        List<Part> asked = asked();
        String transport = what.transport();
        Lowering lowering = what.lowering(Collections.max(factors));
        return new OverloadStudy(
                what.application(),
                transport,
                List.copyOf(factors),
                seconds,
                warmup,
                trial,
                firstRate,
                capacity,
                lowering,
                new CallTimes(0, hold),
                asked,
                !noContrast,
                places.places());
    }

    private void check() throws WrongSetting {
        for (int factor : factors) {
            if (factor < 1 || factor > MOST_FACTOR) {
                throw new WrongSetting("--factor is from 1 to " + MOST_FACTOR + ", not " + factor);
            }
        }
        if (factors.isEmpty()) {
            throw new WrongSetting("--factor names at least one");
        }
        if (seconds < 2 || warmup < 1 || trial < 3 || firstRate < 1 || capacity < 0 || hold < 0) {
            throw new WrongSetting(
                    "--seconds is at least 2, --warmup and --first-rate at least 1, --trial at least 3, --capacity and --hold at least 0");
        }
    }

    private List<Part> asked() throws WrongSetting {
        if (parts.equals(List.of("all"))) {
            return List.of(Part.values());
        }
        List<Part> asked = new ArrayList<>();
        for (String name : parts) {
            Part part = Part.of(name);
            if (part == null) {
                throw new WrongSetting(
                        "--parts is all, or some of " + Part.names() + "; not " + name);
            }
            asked.add(part);
        }
        return asked;
    }
}
