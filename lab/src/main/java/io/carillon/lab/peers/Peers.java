package io.carillon.lab.peers;

import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench peers}: the other servlet containers, fetched only when a user asks for them. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Fetches Open Liberty and RestComm SIP Servlets from Maven Central for the comparisons, into"
                        + " .carillon/peers. They are no part of Carillon and have licences of their own.")
public final class Peers implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "install|remove|status",
            description = "status when it is left out")
    private String action = "status";

    @Parameters(
            index = "1..*",
            paramLabel = "NAME",
            description = "liberty (350 MB), restcomm (13 MB); both when it is left out")
    private List<String> names = new ArrayList<>();

    @Option(names = "--again", description = "fetch it even if it is there")
    private boolean again;

    @Override
    public Integer call() {
        List<PeerPackage> asked;
        try {
            asked =
                    names.isEmpty()
                            ? PeerPackage.ALL
                            : names.stream().map(PeerPackage::named).toList();
        } catch (IllegalArgumentException e) {
            return wrong(String.valueOf(e.getMessage()));
        }
        PeerInstall install = new PeerInstall(Folders.root());
        try {
            switch (action) {
                case "install" -> install(install, asked, System.out);
                case "remove" -> remove(install, asked, System.out);
                case "status" -> status(install, asked, System.out);
                default -> {
                    return wrong("peers takes install, remove or status, not '" + action + "'");
                }
            }
            return 0;
        } catch (IOException e) {
            System.err.println("carillon bench peers: " + e.getMessage());
            return 1;
        }
    }

    private static int wrong(String sentence) {
        System.err.println("carillon bench peers: " + sentence);
        return 2;
    }

    private void install(PeerInstall install, List<PeerPackage> asked, PrintStream console)
            throws IOException {
        for (PeerPackage peer : asked) {
            if (install.isInstalled(peer) && !again) {
                console.println(peer.name() + " is installed already: " + install.place(peer));
                continue;
            }
            console.println(peer.licence());
            console.println("Fetching " + peer.name() + " ...");
            install.install(peer);
            console.println(peer.name() + " is installed in " + install.place(peer));
        }
    }

    private static void remove(PeerInstall install, List<PeerPackage> asked, PrintStream console)
            throws IOException {
        for (PeerPackage peer : asked) {
            install.remove(peer);
            console.println(peer.name() + " is gone");
        }
    }

    private static void status(PeerInstall install, List<PeerPackage> asked, PrintStream console) {
        for (PeerPackage peer : asked) {
            console.println(
                    install.isInstalled(peer)
                            ? peer.name() + ": installed in " + install.place(peer)
                            : peer.name()
                                    + ": not installed; ./carillon bench peers install "
                                    + peer.name());
        }
    }
}
