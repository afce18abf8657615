package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the pairs of a study one after the other. In its folder: {@code study.json} (what was
 * asked for), a JSON file for each pair that is done, the logs, and the table, written anew after
 * each pair. A study that was interrupted is gone on with from there; a pair that could not be
 * measured is measured again. Used by one thread.
 */
final class TransportRun {
    /** A server with one application, and calls across it. */
    interface Measuring extends AutoCloseable {
        LoadSummary measure(TransportPair pair) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Starts the server. */
    interface Start {
        Measuring start(String workload, Path folder) throws IOException;
    }

    private final TransportStudy study;
    private final List<TransportPair> pairs;
    private final Path folder;
    private final StudyProgress progress;
    private final Start start;

    TransportRun(TransportStudy study, Path folder, StudyProgress progress, Start start)
            throws WrongSetting {
        this.study = study;
        this.pairs = study.transportPairs();
        this.folder = folder;
        this.progress = progress;
        this.start = start;
    }

    static void begin(TransportStudy study, Path folder) throws IOException {
        Json.write(studyFile(folder), study);
    }

    /**
     * What was asked for.
     *
     * @throws WrongSetting when there is no study in the folder
     */
    static TransportStudy study(Path folder) throws IOException, WrongSetting {
        if (!Files.exists(studyFile(folder))) {
            throw new WrongSetting(folder + " holds no study: there is no study.json in it");
        }
        TransportStudy study = Json.read(studyFile(folder), TransportStudy.class);
        if (study == null || !study.whole()) {
            throw new WrongSetting(studyFile(folder) + " is no study of transports");
        }
        return study;
    }

    private static Path studyFile(Path folder) {
        return folder.resolve("study.json");
    }

    /**
     * All that is left; the results of all pairs, earlier ones included.
     *
     * @throws IOException when a server does not start: the next one would not either
     */
    List<TransportResult> run() throws IOException {
        for (String workload : study.workloads()) {
            run(workload);
        }
        progress.part("", 0);
        return results();
    }

    private void run(String workload) throws IOException {
        Measuring measuring = null;
        try {
            for (TransportPair pair : pairs) {
                if (isDone(workload, pair)) {
                    continue;
                }
                progress.part("[" + number(workload, pair) + "]", left() * study.secondsPerPair());
                progress.step(workload + " " + pair);
                if (measuring == null) {
                    measuring = start.start(workload, folder.resolve(workload));
                }
                TransportResult result;
                try {
                    result = TransportResult.of(workload, pair, measuring.measure(pair));
                } catch (IOException e) {
                    result = TransportResult.failed(workload, pair, String.valueOf(e.getMessage()));
                }
                if (!result.clean()) {
                    // The next pair gets a new server: this one may be what failed.
                    measuring = closed(measuring);
                }
                Json.write(file(workload, pair), result);
                Files.writeString(table(), TransportResult.table(results()));
                progress.say(result.line());
            }
        } finally {
            closed(measuring);
        }
    }

    private static @Nullable Measuring closed(@Nullable Measuring measuring) throws IOException {
        if (measuring != null) {
            measuring.close();
        }
        return null;
    }

    private String number(String workload, TransportPair pair) {
        int all = study.workloads().size() * pairs.size();
        int before = study.workloads().indexOf(workload) * pairs.size() + pairs.indexOf(pair);
        return before + 1 + "/" + all;
    }

    private long left() throws IOException {
        long left = 0;
        for (String workload : study.workloads()) {
            for (TransportPair pair : pairs) {
                left += isDone(workload, pair) ? 0 : 1;
            }
        }
        return left;
    }

    private boolean isDone(String workload, TransportPair pair) throws IOException {
        TransportResult result = result(workload, pair);
        return result != null && result.failure().isEmpty();
    }

    private List<TransportResult> results() throws IOException {
        List<TransportResult> results = new ArrayList<>();
        for (String workload : study.workloads()) {
            for (TransportPair pair : pairs) {
                TransportResult result = result(workload, pair);
                if (result != null) {
                    results.add(result);
                }
            }
        }
        return results;
    }

    private @Nullable TransportResult result(String workload, TransportPair pair)
            throws IOException {
        Path file = file(workload, pair);
        if (!Files.exists(file)) {
            return null;
        }
        TransportResult result = Json.read(file, TransportResult.class);
        if (result == null || !result.whole()) {
            throw new IOException(file + " is no result of a pair; delete it");
        }
        return result;
    }

    private Path file(String workload, TransportPair pair) {
        return folder.resolve(workload + "-" + name(pair) + ".json");
    }

    /** Of a pair, where a file's name is wanted. */
    static String name(TransportPair pair) {
        return pair.toString().replace('/', '-');
    }

    private Path table() {
        return folder.resolve("transports.md");
    }
}
