package io.carillon.it.phone;

import io.carillon.it.registration.TrialUsers;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.server.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it phones}: three baresips register at the registrar example and do with each
 * other what phones do, over UDP and over TCP; one line for each check.
 */
@Command(
        name = "phones",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Real phones (baresip) at the registrar: call, hold, transfer, busy, no answer, cancel.")
public final class Phones implements Callable<Integer> {
    private static final String PASSWORD = "secret";
    private static final List<String> USERS = List.of("alice", "bob", "carol");

    @Option(
            names = "--transports",
            split = ",",
            defaultValue = "udp,tcp",
            description = "of the phones (${DEFAULT-VALUE})")
    private List<String> transports = List.of();

    @Option(
            names = "--port",
            defaultValue = "6520",
            description =
                    "the server's SIP port, and 60 more for HTTP and phones (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs and traces (it/target/phones-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return phones();
        } catch (IOException e) {
            System.err.println("carillon it phones: " + e.getMessage());
            return 1;
        }
    }

    private int phones() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "it", "phones");
        TrialUsers.add(ConfigurationReader.standard().database(), folder, USERS, PASSWORD);
        CarillonLaunch launch =
                CarillonLaunch.at(port)
                        .http(port + 1)
                        .running(Folders.example(root, "registrar"))
                        .home(folder)
                        .with(serverArguments)
                        // baresip 1.0 gives up at the first challenge that it does not know.
                        .with("--config", root.resolve("examples/registrar/md5.yaml").toString());
        int failed = 0;
        try (Carillon server = Carillon.start(launch, folder)) {
            for (String transport : transports) {
                failed += checks(server, folder.resolve(transport), transport);
            }
        }
        System.out.println(
                (failed == 0 ? "All checks are ok" : failed + " checks FAILED")
                        + ". Logs and traces: "
                        + folder);
        return failed == 0 ? 0 : 1;
    }

    private int checks(Carillon server, Path folder, String transport) throws IOException {
        List<BaresipPhone> phones = new ArrayList<>();
        try {
            for (int i = 0; i < USERS.size(); i++) {
                String user = USERS.get(i);
                BaresipPhone.Setup setup =
                        new BaresipPhone.Setup(
                                user,
                                PASSWORD,
                                port,
                                transport,
                                port + 10 + 2 * i,
                                port + 20 + i,
                                port + 30 + 22 * i);
                Path template = Folders.root().resolve("it/baresip/config");
                phones.add(BaresipPhone.start(folder.resolve(user), setup, template));
            }
            return new PhoneChecks(transport, server, phones).run();
        } finally {
            for (BaresipPhone phone : phones) {
                phone.close();
            }
        }
    }
}
