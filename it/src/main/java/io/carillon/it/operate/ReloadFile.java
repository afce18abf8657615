package io.carillon.it.operate;

import io.carillon.server.tls.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The configuration of a run of reloads, another one with each number. Owner: one thread. */
final class ReloadFile {
    /** What each number changes, and the key that shows it. */
    static final List<String> KINDS =
            List.of(
                    "sip.listen",
                    "sip.domains",
                    "guard.stream-rate",
                    "sessions.max",
                    "sessions.slow-handler",
                    "peers.acme.weight",
                    "log.levels.io.carillon.none",
                    "log.format",
                    "trace.standard-calls",
                    "database.connections",
                    "tls.certificates[0].certificate",
                    "egress.deny");

    private final Path folder;
    private final int port;
    private final int secure;
    private final int other;

    /**
     * @param port that stays, for UDP and TCP
     * @param secure that stays, for TLS
     * @param other that comes and goes, for UDP and TCP
     */
    ReloadFile(Path folder, int port, int secure, int other) throws IOException {
        this.folder = folder;
        this.port = port;
        this.secure = secure;
        this.other = other;
        for (int i = 0; i < 2; i++) {
            SelfSigned.make(
                    List.of("localhost", "127.0.0.1"),
                    Duration.ofDays(30),
                    folder.resolve("certificates" + i));
        }
    }

    Path path() {
        return folder.resolve("carillon.yaml");
    }

    Path routes() {
        return folder.resolve("routes.properties");
    }

    /** What that number shows to clients of TLS. */
    Path certificate(int number) {
        return folder.resolve("certificates" + number % 2 + "/certificate.pem");
    }

    /** Does that number have a route for MESSAGE? */
    static boolean routesMessages(int number) {
        return number % 2 == 0;
    }

    int securePort() {
        return secure;
    }

    /** Does that number listen at the other port? */
    static boolean listensElsewhere(int number) {
        return number % 2 == 0;
    }

    void write(int number) throws IOException {
        write(number, "certificates" + number % 2 + "/certificate.pem", "");
    }

    private void write(int number, String certificate, String more) throws IOException {
        String listen =
                "'udp:127.0.0.1:%d', 'tcp:127.0.0.1:%d', 'tls:127.0.0.1:%d'"
                        .formatted(port, port, secure);
        if (listensElsewhere(number)) {
            listen += ", 'udp:127.0.0.1:%d', 'tcp:127.0.0.1:%d'".formatted(other, other);
        }
        Files.writeString(
                path(),
                """
                sip:
                  listen: [%s]
                  domains: [d%d.example]
                guard: {trusted: [127.0.0.0/8], stream-rate: %d}
                sessions: {max: %d, slow-handler: %d ms}
                peers: {acme: {addresses: [192.0.2.7], weight: %d}}
                log: {levels: {io.carillon.none: %s}, format: %s}
                trace: {standard-calls: %d}
                database: {connections: %d}
                tls: {certificates: [{certificate: %s, key: certificates%d/key.pem}]}
                egress: {deny: [198.51.100.%d]}
                router: routes.properties
                """
                                .formatted(
                                        listen,
                                        number,
                                        5000 + number,
                                        50_000 + number,
                                        1000 + number,
                                        1 + number % 50,
                                        number % 2 == 0 ? "debug" : "info",
                                        number % 2 == 0 ? "json" : "text",
                                        100 + number,
                                        5 + number % 10,
                                        certificate,
                                        number % 2,
                                        1 + number % 200)
                        + more);
        Files.writeString(
                routes(),
                "# number "
                        + number
                        + "\n"
                        + route("INVITE")
                        + route("OPTIONS")
                        + (routesMessages(number) ? route("MESSAGE") : ""));
    }

    private static String route(String method) {
        return method + ": (\"uas\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\")\n";
    }

    /** A file with a fault, and what has to be said of it. */
    record Fault(String what, String said) {}

    /** Writes a faulty one for that number. */
    Fault fault(int number) throws IOException {
        return switch (number % 4) {
            case 0 -> {
                write(number, "certificates0/certificate.pem", "sip2: {}\n");
                yield new Fault("unknown key", path() + ":13: unknown key sip2");
            }
            case 1 -> {
                write(number, "none.pem", "");
                yield new Fault(
                        "certificate that is not there",
                        path() + ":10: tls.certificates[0].certificate");
            }
            case 2 -> {
                write(number);
                Files.writeString(
                        path(),
                        Files.readString(path())
                                .replace("domains:", "domains: [unclosed, ")
                                .replace("d" + number + ".example]", "d.example]]"));
                yield new Fault("a list in a list", path() + ":3");
            }
            default -> {
                write(number);
                Files.writeString(routes(), "# a comment\nINVITE: (\"uas\"\n");
                yield new Fault("routes that cannot be read", "routes.properties:2");
            }
        };
    }
}
