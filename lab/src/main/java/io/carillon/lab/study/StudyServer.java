package io.carillon.lab.study;

import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the server of a study, with data of its own and a flight recording. */
final class StudyServer {
    private StudyServer() {}

    /**
     * What is started.
     *
     * @param application archive
     * @param jvmOptions all of them
     * @param arguments further ones of {@code ./carillon run}
     * @param cpus processors, as taskset takes them; empty: any
     */
    record Plan(Path application, List<String> jvmOptions, List<String> arguments, String cpus) {}

    /** Starts it and waits until it is ready. */
    static ServerProcess start(Plan plan, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path options = folder.resolve("jvm.options");
        List<String> all = new ArrayList<>(plan.jvmOptions());
        all.addAll(GcRecording.options(folder));
        JvmOptions.write(options, "written by the study", all);
        return CarillonLaunch.at(ServerProcess.freePort())
                .on(plan.cpus())
                .running(plan.application())
                .with("--jvm-options", options.toString())
                .home(folder.resolve("home"))
                .with(plan.arguments())
                .start(folder);
    }
}
