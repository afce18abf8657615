package io.carillon.server.cli;

import io.carillon.server.routes.RouteText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon route}: which applications a request would visit. */
@Command(
        name = "route",
        description =
                "Says which applications of the running server an initial request would visit, and"
                        + " why. Nothing is sent.",
        mixinStandardHelpOptions = true)
final class RouteCommand extends ControlQuestion {
    private static final int LARGEST_FILE = 8 << 10;
    private static final String ANONYMOUS = "sip:anonymous@anonymous.invalid";

    @Option(names = "--from", paramLabel = "URI", description = "Who sends it.")
    private String from = ANONYMOUS;

    @Option(names = "--method", paramLabel = "METHOD", description = "INVITE without this.")
    private String method = "INVITE";

    @Option(names = "--uri", paramLabel = "URI", description = "The Request-URI, and To.")
    private @Nullable String uri;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A file with a whole request, in place of the options.")
    private @Nullable Path file;

    RouteCommand() {
        super("route");
    }

    @Override
    String argument() throws IOException {
        return Base64.getEncoder().encodeToString(request());
    }

    @Override
    void print(String answer, PrintWriter out) {
        out.print(RouteText.terminal(RouteText.parse(answer)));
    }

    private byte[] request() throws IOException {
        Path given = file;
        if (given != null) {
            if (uri != null) {
                throw wrong("--uri and a file exclude each other");
            }
            return fromFile(given);
        }
        String to = uri;
        if (to == null) {
            throw wrong("--uri or a file with a request is needed");
        }
        return request(method, to, from);
    }

    /** An initial request without a body. */
    static byte[] request(String method, String to, @Nullable String from) {
        String text =
                method
                        + " "
                        + to
                        + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKroute\r\n"
                        + "Max-Forwards: 70\r\nFrom: <"
                        + (from == null ? ANONYMOUS : from)
                        + ">;tag=route\r\nTo: <"
                        + to
                        + ">\r\nCall-ID: route@127.0.0.1\r\nCSeq: 1 "
                        + method
                        + "\r\nContact: <sip:127.0.0.1:5060>\r\nContent-Length: 0\r\n\r\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Written by hand, so lines may end as the system's do and the empty line may be missing. */
    static byte[] fromFile(Path file) throws IOException {
        if (Files.size(file) > LARGEST_FILE) {
            throw new IOException(file + ": larger than " + LARGEST_FILE + " bytes");
        }
        String text = Files.readString(file).replace("\r\n", "\n");
        if (!text.contains("\n\n")) {
            text = text.stripTrailing() + "\n\n";
        }
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}
