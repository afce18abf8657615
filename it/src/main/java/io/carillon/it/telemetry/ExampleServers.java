package io.carillon.it.telemetry;

import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Servers with examples, in a folder of their own beside any other server of the machine. */
final class ExampleServers {
    private static final List<String> ROUTED =
            List.of(
                    "call-blocking",
                    "call-forwarding",
                    "speed-dial",
                    "uas",
                    "b2bua",
                    "proxy",
                    "timers",
                    "transfer",
                    "registrar",
                    "uac-register-call",
                    "chat-room",
                    "presence");

    private ExampleServers() {}

    /** With the examples that the router of the examples names. */
    static CarillonLaunch routed(Path home, Path yaml) throws IOException {
        CarillonLaunch launch =
                bare(home, yaml)
                        .with(
                                "--router",
                                Folders.root().resolve("examples/router.properties").toString());
        for (String example : ROUTED) {
            launch = launch.running(Folders.example(Folders.root(), example));
        }
        return launch;
    }

    /** With one example alone. */
    static CarillonLaunch one(Path home, Path yaml, String example) throws IOException {
        return bare(home, yaml).running(Folders.example(Folders.root(), example));
    }

    private static CarillonLaunch bare(Path home, Path yaml) throws IOException {
        return CarillonLaunch.at(ServerProcess.freePort())
                .home(home)
                .with("--config", yaml.toString());
    }
}
