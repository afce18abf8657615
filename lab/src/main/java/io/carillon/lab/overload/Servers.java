package io.carillon.lab.overload;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts the servers of a study: what runs on them, in which order a call visits it. */
final class Servers {
    private final OverloadStudy study;
    private final Path folder;

    Servers(OverloadStudy study, Path folder) {
        this.study = study;
        this.folder = folder;
    }

    /**
     * The application under test, behind the handler that computes where one does.
     *
     * @param name of the server's folder
     * @param yaml its configuration
     */
    TestServer start(String name, String yaml) throws IOException, WrongSetting {
        return start(name, yaml, false);
    }

    /** The same with an application of slow handlers beside it, for the user {@code slow}. */
    TestServer startWithSlow(String name, String yaml) throws IOException, WrongSetting {
        return start(name, yaml, true);
    }

    private TestServer start(String name, String yaml, boolean slow)
            throws IOException, WrongSetting {
        Path own = Files.createDirectories(folder.resolve(name));
        List<Path> archives = new ArrayList<>();
        archives.add(study.application().file(Folders.root()));
        List<String> route = new ArrayList<>();
        if (slow) {
            archives.add(LabApplications.slow(own));
            route.add(entry("lab-slow", 0, "USER=slow DIRECTION=INBOUND"));
        }
        if (study.lowering().computes()) {
            archives.add(LabApplications.compute(own, study.lowering().compute()));
            route.add(entry("lab-compute", 1, slow ? "USER=" + user() : ""));
        }
        Path router = null;
        if (!route.isEmpty()) {
            route.add(entry(study.application().name(), 2, slow ? "USER=" + user() : ""));
            router = own.resolve("router.properties");
            Files.writeString(router, "INVITE: " + String.join(", \\\n        ", route) + "\n");
        }
        return TestServer.start(study, yaml, archives, router, own);
    }

    private String user() {
        String named = study.application().user();
        return named.isEmpty() ? "callee" : named;
    }

    private static String entry(String name, int number, String conditions) {
        String head =
                "(\"" + name + "\", \"DAR:From\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"" + number;
        return head + (conditions.isEmpty() ? "\")" : "\", \"" + conditions + "\")");
    }

    /** The control's server, or null where this build has no control to switch off. */
    @Nullable TestServer start(Control control) throws IOException, WrongSetting {
        try {
            return start(control.folder(), control.yaml());
        } catch (IOException e) {
            if (control == Control.OFF && String.valueOf(e.getMessage()).contains("overload")) {
                return null;
            }
            throw e;
        }
    }
}
