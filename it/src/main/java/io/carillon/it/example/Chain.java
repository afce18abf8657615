package io.carillon.it.example;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it chain}: three applications on one call, and a router file that changes while
 * the call is up. The scenarios of {@code examples/chain} count the applications that every request
 * has been at.
 */
@Command(
        name = "chain",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Changes the router file while a call goes through three applications.")
public final class Chain implements Callable<Integer> {
    private static final List<String> APPLICATIONS =
            List.of("call-blocking", "call-forwarding", "registrar");
    private static final long PATIENCE_SECONDS = 90;
    private static final int DORA = 6290;
    private static final int EMIL = 6291;
    private static final int ALICE = 6292;
    private static final int REGISTERING = 6293;

    @Option(
            names = "--port",
            defaultValue = "5060",
            description = "of the server, UDP and TCP (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--hold",
            defaultValue = "15",
            description = "seconds of talk, in which the file is changed (${DEFAULT-VALUE})")
    private int holdSeconds;

    @Option(names = "--out", description = "folder of logs (it/target/chain-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Path root = Folders.root();
            Path folder = Folders.results(out, "it", "chain");
            Path router = folder.resolve("chain.properties");
            Files.copy(root.resolve("examples/chain/chain.properties"), router);
            try (ServerProcess server = launch(root, router).start(folder)) {
                System.out.println("server        " + server.name() + ", port " + server.port());
                for (String user : List.of("dora", "emil")) {
                    user(root, user);
                    register(root, folder, user, user.equals("dora") ? DORA : EMIL);
                }
                play(server, root, folder, router);
            }
            System.out.println("All requests took their way. Logs: " + folder);
            return 0;
        } catch (IOException e) {
            System.err.println("carillon it chain: " + e.getMessage());
            return 1;
        }
    }

    private CarillonLaunch launch(Path root, Path router) {
        CarillonLaunch launch = CarillonLaunch.at(port);
        for (String name : APPLICATIONS) {
            launch = launch.running(Folders.example(root, name));
        }
        return launch.with("--router", router.toString())
                .with("--param", "call-forwarding.rules=dora always emil")
                // SIPp knows MD5 alone.
                .with("--config", root + "/examples/registrar/md5.yaml");
    }

    /** The user may be there already, with another password. */
    private static void user(Path root, String name) throws IOException {
        String users = "echo secret | ./carillon users ";
        String both = users + "add " + name + " || " + users + "passwd " + name;
        Shell.run(root, both);
    }

    private void register(Path root, Path folder, String user, int phone) throws IOException {
        List<String> more =
                List.of("-s", user, "-au", user, "-ap", "secret", "-key", "phone", "" + phone);
        try (Sipp sipp = sipp(root, folder, "register", user, REGISTERING, more)) {
            well(sipp, "the registration of " + user);
        }
        System.out.println("registered    " + user + " at port " + phone);
    }

    private Sipp sipp(
            Path root, Path folder, String scenario, String log, int at, List<String> more)
            throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("-sf", root + "/examples/chain/sipp/" + scenario + ".xml"));
        arguments.addAll(List.of("127.0.0.1:" + port, "-p", "" + at, "-m", "1"));
        arguments.addAll(more);
        return Sipp.start(folder.resolve(log), arguments);
    }

    private static void well(Sipp sipp, String what) throws IOException {
        sipp.await(PATIENCE_SECONDS);
        if (sipp.exitCode() != 0) {
            throw new IOException(what + " went wrong: SIPp's exit code is " + sipp.exitCode());
        }
    }

    private void play(ServerProcess server, Path root, Path folder, Path router)
            throws IOException {
        try (Sipp emil = sipp(root, folder, "emil", "emil-phone", EMIL, List.of());
                Sipp dora = sipp(root, folder, "dora", "dora-phone", DORA, List.of())) {
            showWay(server, "before", 3);
            long begin = System.nanoTime();
            List<String> hold = List.of("-d", Integer.toString(holdSeconds * 1000));
            try (Sipp alice = sipp(root, folder, "alice", "alice-first", ALICE, hold)) {
                awaitCall(server);
                withoutForwarding(router);
                ControlCommand.run(server, "router", "reload");
                showWay(server, "after", 2);
                if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(holdSeconds)) {
                    throw new IOException("the file was changed too late; try a longer --hold");
                }
                well(alice, "the call that was up when the file was changed (alice's side)");
                well(emil, "the call that was up when the file was changed (emil's side)");
            }
            System.out.println(
                    "first call    3 applications before and after, both directions, BYE");
            try (Sipp alice = sipp(root, folder, "alice-again", "alice-second", ALICE, List.of())) {
                well(alice, "the next call (alice's side)");
                well(dora, "the next call (dora's side)");
            }
            System.out.println("second call   2 applications, both directions, BYE");
        }
    }

    private static void awaitCall(ServerProcess server) throws IOException {
        Pattern up = Pattern.compile("\"confirmed\" *: *[1-9]");
        for (int i = 0; i < PATIENCE_SECONDS; i++) {
            if (up.matcher(ControlCommand.run(server, "status", "--json")).find()) {
                return;
            }
            Pause.millis(500);
        }
        throw new IOException("no call came up");
    }

    /** A complete new file is renamed over the old one, so that no half of it is read. */
    private static void withoutForwarding(Path router) throws IOException {
        Path changed = router.resolveSibling("chain.properties.new");
        try (Stream<String> lines = Files.lines(router)) {
            List<String> left =
                    lines.filter(line -> !line.contains("\"call-forwarding\"")).toList();
            Files.write(changed, left);
        }
        Files.move(changed, router, StandardCopyOption.REPLACE_EXISTING);
        System.out.println("router file   call-forwarding taken out");
    }

    private void showWay(ServerProcess server, String when, int applications) throws IOException {
        String there = "@127.0.0.1:" + port;
        String from = "sip:alice" + there;
        String to = "sip:dora" + there;
        String said = ControlCommand.run(server, "route", "--from", from, "--uri", to);
        System.out.println("---- " + when + " ----\n" + said.strip() + "\n----");
        long visited = said.lines().filter(line -> line.matches("\\d+\\. .*")).count();
        if (visited != applications) {
            throw new IOException("route names " + visited + " applications " + when);
        }
    }
}
