package io.carillon.lab.study;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The application that a study runs. */
final class StudyApplication {
    /** The workloads that need nothing beside the server, each with its example. */
    private static final List<String> WORKLOADS = List.of("b2bua", "proxy200", "uas");

    private StudyApplication() {}

    /**
     * Refuses a workload that a study cannot set up by itself: others need users or pages, and
     * their load would end at once.
     */
    static void checkWorkload(String workload) throws WrongSetting {
        if (!WORKLOADS.contains(workload)) {
            throw new WrongSetting(
                    "--workload is " + String.join(", ", WORKLOADS) + " here, not " + workload);
        }
    }

    /** The application that was named, or else the example that the workload is made for. */
    static Path archive(String named, String workload) throws WrongSetting {
        String example = workload.equals("proxy200") ? "proxy" : workload;
        Path archive =
                named.isEmpty()
                        ? Folders.example(Folders.root(), example)
                        : Path.of(named).toAbsolutePath();
        if (!Files.exists(archive)) {
            throw new WrongSetting(
                    named.isEmpty()
                            ? "the example of the workload "
                                    + workload
                                    + " is not built: there is no "
                                    + archive
                                    + "; name your application with --app"
                            : "there is no " + archive);
        }
        return archive;
    }
}
