package io.carillon.lab.overload;

import io.carillon.lab.peers.Application;
import io.carillon.lab.peers.OwnArchive;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say what is under load. */
final class WhatOptions {
    private static final Pattern MILLIS = Pattern.compile("([0-9]{1,4})ms");
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3})%?");
    private static final List<String> EXAMPLES = List.of("b2bua", "proxy");
    private static final List<String> TRANSPORTS = List.of("udp", "tcp");

    @Option(
            names = "--app",
            paramLabel = "b2bua|proxy",
            defaultValue = "b2bua",
            description = "example that the calls go through (${DEFAULT-VALUE})")
    private String app = "b2bua";

    @Option(
            names = "--archive",
            paramLabel = "FILE",
            description = "your own application instead; it has to call the Request-URI's address")
    private String archive = "";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "with it: user part of the Request-URI (callee)")
    private String user = "callee";

    @Option(
            names = "--transport",
            paramLabel = "udp|tcp",
            defaultValue = "udp",
            description = "of both sides of the calls (${DEFAULT-VALUE})")
    private String transport = "udp";

    @Option(
            names = "--compute",
            paramLabel = "TIME",
            description =
                    "a handler before the application computes so long for each INVITE, as in 10ms, so that the"
                            + " capacity is low (10ms where a factor is above 3 and there is no --quota; 0ms: never)")
    private String compute = "";

    @Option(
            names = "--quota",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description =
                    "the server has so much of one CPU, by a control group with a period of 5 ms (${DEFAULT-VALUE})")
    private String quota = "100";

    String transport() throws WrongSetting {
        if (!TRANSPORTS.contains(transport)) {
            throw new WrongSetting("--transport is udp or tcp, not " + transport);
        }
        return transport;
    }

    Application application() throws IOException, WrongSetting {
        if (!archive.isEmpty()) {
            try {
                return OwnArchive.of(Folders.root(), archive, user);
            } catch (IllegalArgumentException e) {
                throw new WrongSetting(String.valueOf(e.getMessage()));
            }
        }
        if (!EXAMPLES.contains(app)) {
            throw new WrongSetting("--app is b2bua or proxy, not " + app);
        }
        Application example = Application.example(app);
        if (!Files.exists(example.file(Folders.root()))) {
            throw new WrongSetting(
                    "the example "
                            + app
                            + " is not built: there is no "
                            + example.file(Folders.root()));
        }
        return example;
    }

    /** How the capacity is lowered for a load of so many times of it. */
    Lowering lowering(int factor) throws WrongSetting {
        double share = share();
        boolean unasked = compute.isEmpty() && share == 1 && factor > 3;
        return new Lowering(unasked ? Duration.ofMillis(10) : computed(), share);
    }

    private Duration computed() throws WrongSetting {
        if (compute.isEmpty()) {
            return Duration.ZERO;
        }
        Matcher millis = MILLIS.matcher(compute);
        if (!millis.matches()) {
            throw new WrongSetting("--compute is a time as in 10ms, not " + compute);
        }
        return Duration.ofMillis(Integer.parseInt(millis.group(1)));
    }

    private double share() throws WrongSetting {
        Matcher percent = PERCENT.matcher(quota);
        int share = percent.matches() ? Integer.parseInt(percent.group(1)) : 0;
        if (share < 1 || share > 100) {
            throw new WrongSetting(
                    "--quota is a share of one CPU from 1 to 100 percent, not " + quota);
        }
        return share / 100.0;
    }
}
