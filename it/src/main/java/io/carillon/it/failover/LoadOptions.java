package io.carillon.it.failover;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** How many calls of which kinds there are. */
final class LoadOptions {
    private static final int LONGEST_SPREAD = 600;

    @Option(names = "--rate", defaultValue = "20", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "of calls before each loss; all of them are up then (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--calls",
            defaultValue = "0",
            paramLabel = "N",
            description = "so many before each loss, in place of --seconds")
    private int calls;

    @Option(
            names = "--spread",
            defaultValue = "5",
            paramLabel = "SECONDS",
            description =
                    "each call begins to show what it has to show at a moment of its own, within so"
                            + " long of the loss or of the end of a fault (${DEFAULT-VALUE})")
    private int spread;

    @Option(
            names = "--kind",
            split = ",",
            defaultValue = "uas,b2bua,proxy,direct,timers,keyed,uac,subscription",
            paramLabel = "NAME",
            description =
                    "what the calls go through: examples uas, b2bua, proxy; direct: a proxy without"
                            + " Record-Route; timers of an application; keyed: sessions of several calls;"
                            + " uac: it calls; subscription (${DEFAULT-VALUE})")
    private List<String> kinds = List.of();

    @Option(
            names = "--ring-millis",
            defaultValue = "5000",
            description = "how long the application uas rings (${DEFAULT-VALUE})")
    private long ringMillis;

    @Option(
            names = "--by",
            defaultValue = "udp",
            description =
                    "how callers reach the router: udp, tcp, tls or wss. Without udp there is no kind"
                            + " direct (${DEFAULT-VALUE})")
    private String by = "udp";

    void check() throws IOException {
        if (!List.of("udp", "tcp", "tls", "wss").contains(by)) {
            throw new IOException("--by is udp, tcp, tls or wss, not '" + by + "'");
        }
        if (rate < 1 || seconds < 1 || calls < 0 || ringMillis < 0) {
            throw new IOException("--rate and --seconds begin at 1, --calls at 0");
        }
        if (spread < 1 || spread > LONGEST_SPREAD) {
            throw new IOException("--spread goes from 1 to " + LONGEST_SPREAD);
        }
    }

    int rate() {
        return rate;
    }

    int seconds() {
        return calls == 0 ? seconds : Math.max(1, calls / rate);
    }

    int spread() {
        return spread;
    }

    String by() {
        return by;
    }

    /** What goes past the cluster has no connection there. */
    List<String> kinds() {
        return by.equals("udp")
                ? kinds
                : kinds.stream().filter(kind -> !kind.strip().equals("direct")).toList();
    }

    long ringMillis() {
        return ringMillis;
    }
}
