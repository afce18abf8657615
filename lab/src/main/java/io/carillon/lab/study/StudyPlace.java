package io.carillon.lab.study;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/** Where this checkout is, where a study leaves its results, and a port for the server. */
final class StudyPlace {
    /** Studies that begin within a second. */
    private static final int MOST_AT_ONCE = 100;

    /** The workloads that need nothing beside the server, each with its example. */
    private static final List<String> WORKLOADS = List.of("b2bua", "proxy200", "uas");

    private StudyPlace() {}

    static Path root() {
        return Path.of(System.getProperty("carillon.home", ".")).toAbsolutePath().normalize();
    }

    static String launcher() {
        return root().resolve("carillon").toString();
    }

    static Path example(String name) {
        return root().resolve("examples/" + name + "/target/" + name + ".war");
    }

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
        Path archive =
                named.isEmpty()
                        ? example(workload.equals("proxy200") ? "proxy" : workload)
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

    /** The folder that was asked for, which must be empty, or a new one under lab/target. */
    static Path results(String asked, String study) throws IOException, WrongSetting {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        String time = form.format(LocalDateTime.now(ZoneId.systemDefault()));
        if (asked.isEmpty()) {
            return unused(root().resolve("lab/target"), study + "-" + time);
        }
        Path folder = Path.of(asked).toAbsolutePath();
        Files.createDirectories(folder);
        try (Stream<Path> content = Files.list(folder)) {
            if (content.findAny().isPresent()) {
                throw new WrongSetting(
                        folder + " is not empty; choose a new one, or go on in it with --resume");
            }
        }
        return folder;
    }

    /** A new folder of that name; of two studies that begin in the same second each has its own. */
    private static Path unused(Path parent, String name) throws IOException {
        Files.createDirectories(parent);
        for (int i = 1; ; i++) {
            Path folder = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                return Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                if (i == MOST_AT_ONCE) {
                    throw e;
                }
            }
        }
    }

    /** A port of 127.0.0.1 that is free for UDP and TCP now. */
    static int freePort() throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        for (int i = 0; i < 100; i++) {
            try (ServerSocket tcp = new ServerSocket(0, 1, loopback)) {
                if (isFree(tcp.getLocalPort(), loopback)) {
                    return tcp.getLocalPort();
                }
            }
        }
        throw new IOException("no port of 127.0.0.1 is free for UDP and TCP");
    }

    private static boolean isFree(int port, InetAddress address) {
        try (DatagramSocket udp = new DatagramSocket(port, address)) {
            return udp.isBound();
        } catch (IOException e) {
            // Taken by someone: the next one is tried, and a hundred in vain are an error.
            return false;
        }
    }
}
