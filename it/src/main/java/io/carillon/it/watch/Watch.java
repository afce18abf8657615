package io.carillon.it.watch;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it watch}: a source is edited again and again below {@code carillon watch},
 * while calls run; how long is it from a save to the next INVITE on the new code?
 */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Edits a source below carillon watch: from a save to a call on the new code, calls"
                        + " that stay on the old, an error with its line.")
public final class Watch implements Callable<Integer> {
    private static final double LIMIT_MILLIS = 1500;
    private static final long START_SECONDS = 240;
    private static final long EDIT_SECONDS = 30;

    @Option(names = "--edits", defaultValue = "50", description = "saves (${DEFAULT-VALUE})")
    private int edits;

    @Option(
            names = "--keep-every",
            defaultValue = "10",
            description = "after so many saves one more call stays up (${DEFAULT-VALUE})")
    private int keepEvery;

    @Option(
            names = "--kind",
            defaultValue = "sources,maven",
            split = ",",
            description = "sources: a folder of them; maven: a Maven project (${DEFAULT-VALUE})")
    private List<String> kinds = List.of();

    @Option(names = "--out", description = "folder of logs (it/target/watch-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Path folder = Folders.results(out, "it", "watch");
            int failed = 0;
            for (String kind : kinds) {
                failed += edit(kind, Files.createDirectories(folder.resolve(kind))) ? 0 : 1;
            }
            System.out.println("Logs: " + folder);
            return failed == 0 ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it watch: " + e.getMessage());
            return 1;
        }
    }

    private boolean edit(String kind, Path folder) throws IOException {
        EditedProject project =
                switch (kind) {
                    case "sources" -> EditedProject.ofSources(folder);
                    case "maven" -> EditedProject.ofMaven(folder);
                    default -> throw new IOException("--kind is sources or maven, not " + kind);
                };
        project.save(1);
        int port = ServerProcess.freePort();
        try (ChildProcess watch = start(project, folder, port);
                Telephone telephone = new Telephone(port)) {
            watch.awaitLine("edited version 1 serves", START_SECONDS);
            return edits(kind, project, watch, telephone);
        }
    }

    private static ChildProcess start(EditedProject project, Path folder, int port)
            throws IOException {
        List<String> command =
                List.of(
                        Folders.launcher(),
                        "watch",
                        project.folder().toString(),
                        "--",
                        "--sip",
                        "udp:127.0.0.1:" + port,
                        "--http",
                        "127.0.0.1:0");
        return ChildProcess.start(
                new ChildProcess.Plan(
                        "watch",
                        command,
                        folder.resolve("watch.log"),
                        20,
                        Map.of("CARILLON_HOME", folder.resolve("home").toString()),
                        null));
    }

    private boolean edits(
            String kind, EditedProject project, ChildProcess watch, Telephone telephone)
            throws IOException {
        List<Telephone.Call> kept = new ArrayList<>(List.of(telephone.call()));
        double[] millis = new double[edits];
        for (int i = 0; i < edits; i++) {
            int version = i + 2;
            long begun = System.nanoTime();
            project.save(version);
            millis[i] = await(version, begun, telephone);
            if ((i + 1) % keepEvery == 0) {
                kept.add(telephone.call());
            }
        }
        int strayed = strayed(kept, "INFO");
        String error = error(project, watch, telephone, edits + 1);
        project.save(edits + 2);
        double mended = await(edits + 2, System.nanoTime(), telephone);
        strayed += strayed(kept, "BYE");
        Arrays.sort(millis);
        double median = (millis[(edits - 1) / 2] + millis[edits / 2]) / 2;
        System.out.printf(
                "%-8s %d edits, from the save to the answer of the next INVITE on the new code: median"
                        + " %.0f ms, longest %.0f ms; %d calls stayed on their versions, %d did not;"
                        + " %s; after its correction %.0f ms%n",
                kind,
                edits,
                median,
                millis[edits - 1],
                kept.size() - strayed,
                strayed,
                error.isEmpty() ? "the error was not shown" : "shown: " + error,
                mended);
        return median <= LIMIT_MILLIS && strayed == 0 && !error.isEmpty();
    }

    /** Calls until the version answers; milliseconds since it was saved. */
    private static double await(int version, long begunNanos, Telephone telephone)
            throws IOException {
        while (true) {
            Telephone.Call call = telephone.call();
            long nanos = System.nanoTime() - begunNanos;
            call.ask("BYE");
            if (call.version() == version) {
                return nanos / 1e6;
            }
            if (nanos > TimeUnit.SECONDS.toNanos(EDIT_SECONDS)) {
                throw new IOException(
                        "version " + version + " did not come; answers are of " + call.version());
            }
            Pause.millis(10);
        }
    }

    /** How many calls are answered by another version than their own. */
    private static int strayed(List<Telephone.Call> calls, String method) throws IOException {
        int strayed = 0;
        for (Telephone.Call call : calls) {
            strayed += call.ask(method) == call.version() ? 0 : 1;
        }
        return strayed;
    }

    /** Saves an error; the line that was printed for it, empty where none was. */
    private static String error(
            EditedProject project, ChildProcess watch, Telephone telephone, int version)
            throws IOException {
        int line = project.saveBroken();
        String sign = "Edited.java:" + line + ": error: ";
        String refused = "NOT DEPLOYED: ";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(EDIT_SECONDS);
        while (System.nanoTime() - deadline < 0) {
            String said = watch.said();
            int at = said.indexOf(sign);
            if (at >= 0 && said.indexOf(refused, at) > 0) {
                Telephone.Call call = telephone.call();
                call.ask("BYE");
                return call.version() == version
                        ? said.substring(at).lines().findFirst().orElse("")
                        : "";
            }
            Pause.millis(20);
        }
        return "";
    }
}
