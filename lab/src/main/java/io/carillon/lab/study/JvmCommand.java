package io.carillon.lab.study;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Machine;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./carillon lab jvm}: which JVM settings to use for an application on this machine. */
@Command(
        name = "jvm",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the server under each JVM setting, searches the highest rate without a lost call or a"
                    + " retransmission, holds it, and writes a page with charts and a recommendation.",
            "docs/guides/lab.md says what each figure means. Nothing else should run on the machine."
        })
public final class JvmCommand implements Callable<Integer> {
    private static final List<String> USUAL =
            List.of("serial", "parallel", "g1", "g1-tuned", "zgc", "shenandoah");
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[kKmMgG]");
    private static final double QUICK_RESOLUTION = 0.1;
    private static final double RESOLUTION = 0.05;

    @Option(
            names = "--app",
            paramLabel = "ARCHIVE",
            description = "application (the example of the workload)")
    private String application = "";

    @Option(
            names = "--workload",
            defaultValue = "b2bua",
            description = "workload of ./carillon load: b2bua, proxy200 or uas (${DEFAULT-VALUE})")
    private String workload = "b2bua";

    @Option(
            names = "--heap",
            defaultValue = "1700m",
            description = "heap of each setting, as -Xmx takes it (${DEFAULT-VALUE})")
    private String heap = "1700m";

    @Option(
            names = "--settings",
            split = ",",
            description =
                    "names of settings (serial,parallel,g1,g1-tuned,zgc,shenandoah); also: shipped,"
                            + " serial-small, parallel-small")
    private List<String> settings = List.of();

    @Option(
            names = "--settings-file",
            paramLabel = "FILE",
            description =
                    "settings of your own, a line NAME = OPTION OPTION ... for each; beside those of --settings")
    private String settingsFile = "";

    @Option(
            names = "--compact-headers",
            defaultValue = "on",
            description =
                    "8-byte object headers: on, off, or both, which doubles the settings (on)")
    private String compactHeaders = "on";

    @Option(
            names = "--minutes",
            defaultValue = "5",
            description = "how long the found rate is held (${DEFAULT-VALUE})")
    private double minutes = 5;

    @Option(
            names = "--quick",
            description =
                    "short calls, trials of 8 s and 60 s of holding: about 4 minutes for each setting")
    private boolean quick;

    @Option(
            names = "--ring",
            paramLabel = "SECONDS",
            description = "ringing of the held calls (the workload's)")
    private double ring = -1;

    @Option(
            names = "--hold",
            paramLabel = "SECONDS",
            description = "talk time of the held calls (the workload's)")
    private double hold = -1;

    @Option(
            names = "--rate",
            paramLabel = "CALLS/S",
            description =
                    "no search: every setting gets this rate to the end, clean or not, and they are compared at it")
    private int fixedRate;

    @Option(
            names = "--first-rate",
            defaultValue = "400",
            description = "calls/s where the search begins (${DEFAULT-VALUE})")
    private int firstRate = 400;

    @Option(
            names = "--most-rate",
            defaultValue = "6400",
            description = "calls/s where it ends (${DEFAULT-VALUE})")
    private int mostRate = 6400;

    @Option(
            names = "--server-cpus",
            description = "processors of the server, as taskset takes them; empty: any (0)",
            defaultValue = "0")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            description = "processors of the load and the lab; empty: any (1)",
            defaultValue = "1")
    private String loadCpus = "1";

    @Option(
            names = "--server-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(
            names = "--load-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon load; repeatable")
    private List<String> loadArguments = new ArrayList<>();

    @Option(
            names = "--check",
            description = "at the end the recommended setting holds its rate once more")
    private boolean check;

    @Option(
            names = "--although-busy",
            description = "run although the machine has other things to do; the page says so")
    private boolean althoughBusy;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where the results go (lab/target/jvm-TIME)")
    private String out = "";

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            description = "go on with the study in this folder; its options count, not those given")
    private String resume = "";

    @Override
    public Integer call() {
        try {
            StudyFolder folder;
            JvmStudy study;
            if (resume.isEmpty()) {
                study = asked();
                study.checkRun(althoughBusy);
                folder = new StudyFolder(Folders.results(out, "lab", "jvm"));
                folder.begin(study);
            } else {
                folder = new StudyFolder(Path.of(resume).toAbsolutePath());
                study = folder.study();
                study.checkRun(althoughBusy);
            }
            return new JvmRun(study, folder, StudyProgress.here()).run(check) ? 0 : 1;
        } catch (WrongSetting e) {
            System.err.println("carillon lab jvm: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab jvm: " + e.getMessage());
            return 1;
        }
    }

    private JvmStudy asked() throws IOException, WrongSetting {
        checkArguments();
        CallTimes usual = quick ? CallTimes.quick(workload) : CallTimes.usual(workload);
        CallTimes held =
                new CallTimes(
                        ring < 0 ? usual.ringSeconds() : ring,
                        hold < 0 ? usual.holdSeconds() : hold);
        return new JvmStudy(
                StudyApplication.archive(application, workload).toString(),
                workload,
                heap,
                settings(),
                quick ? StudyTiming.quick() : StudyTiming.of(minutes, held),
                CallTimes.shortest(workload),
                held,
                fixedRate,
                firstRate,
                mostRate,
                quick ? QUICK_RESOLUTION : RESOLUTION,
                serverCpus,
                loadCpus,
                serverArguments,
                loadArguments,
                Machine.here());
    }

    private void checkArguments() throws WrongSetting {
        StudyApplication.checkWorkload(workload);
        if (!HEAP.matcher(heap).matches()) {
            throw new WrongSetting("--heap is a size as -Xmx takes it, 1700m or 2g, not " + heap);
        }
        if (!(minutes > 0 && minutes <= 24 * 60)) {
            throw new WrongSetting("--minutes is more than 0 and at most 1440, not " + minutes);
        }
        if (fixedRate < 0) {
            throw new WrongSetting("--rate is a number of calls per second, not " + fixedRate);
        }
        if (firstRate < 1 || mostRate < firstRate) {
            throw new WrongSetting(
                    "--first-rate is at least 1 and at most --most-rate, not "
                            + firstRate
                            + " with "
                            + mostRate);
        }
    }

    private List<JvmSetting> settings() throws IOException, WrongSetting {
        boolean usual = settings.isEmpty() && settingsFile.isEmpty();
        List<JvmSetting> chosen = new ArrayList<>(JvmSetting.of(usual ? USUAL : settings));
        if (!settingsFile.isEmpty()) {
            chosen.addAll(SettingsFile.read(Path.of(settingsFile)));
        }
        List<JvmSetting> all = new ArrayList<>();
        for (JvmSetting setting : chosen) {
            switch (compactHeaders) {
                case "on" -> all.add(setting.withCompactHeaders(true, false));
                case "off" -> all.add(setting.withCompactHeaders(false, false));
                case "both" -> {
                    all.add(setting.withCompactHeaders(true, true));
                    all.add(setting.withCompactHeaders(false, true));
                }
                default ->
                        throw new WrongSetting(
                                "--compact-headers is on, off or both, not " + compactHeaders);
            }
        }
        Set<String> names = new HashSet<>();
        for (JvmSetting setting : all) {
            if (!names.add(setting.name())) {
                throw new WrongSetting("the setting " + setting.name() + " is named twice");
            }
        }
        return all;
    }
}
