package io.carillon.server.api;

import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;

/**
 * Archives that are sent to be deployed. They stay in a folder of the server's, by their names, so
 * that the next version of one is known as such; the server deploys them again by itself never. Any
 * thread; waits for the body.
 */
final class Uploads {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\.[ws]ar");

    private final Path folder;
    private final long largest;

    Uploads(Path folder, long largest) {
        this.folder = folder;
        this.largest = largest;
    }

    /** What is done with an archive that came. */
    interface Then {
        void go(ApiCall call) throws Problem, ControlFailure, IOException;
    }

    /** Takes an archive in, and goes on with a call whose archive lies in the folder. */
    void receive(Exchange exchange, ApiCall call, Then then)
            throws Problem, ControlFailure, IOException {
        String name = call.text("name");
        if (!NAME.matcher(name).matches()) {
            throw Problem.bad(
                    "the name of an archive ends with .war or .sar and has letters, digits, dots,"
                            + " - and _; '"
                            + name
                            + "' is none");
        }
        if (exchange.request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > largest) {
            throw tooLarge();
        }
        OwnFolder.make(folder);
        Path coming = Files.createTempFile(folder, "coming", ".part");
        try {
            copy(exchange, coming);
            Path archive = folder.resolve(name);
            synchronized (this) {
                Files.move(
                        coming,
                        archive,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
            then.go(call);
        } finally {
            Files.deleteIfExists(coming);
        }
    }

    /** A file that is not there yet. */
    Path fresh() throws Problem {
        try {
            OwnFolder.make(folder);
            return folder.resolve("copy-" + UUID.randomUUID() + ".zip");
        } catch (IOException e) {
            throw new Problem(
                    HttpStatus.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()), e);
        }
    }

    /** Where an archive lies that came. */
    Path of(ApiCall call) {
        return folder.resolve(call.text("name"));
    }

    private void copy(Exchange exchange, Path to) throws IOException, Problem {
        long sum = 0;
        byte[] part = new byte[64 << 10];
        try (InputStream in = Content.Source.asInputStream(exchange.request);
                OutputStream out = Files.newOutputStream(to, StandardOpenOption.WRITE)) {
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                sum += count;
                if (sum > largest) {
                    throw tooLarge();
                }
                out.write(part, 0, count);
            }
        }
        if (sum == 0) {
            throw Problem.bad("the body is empty; it has to be the archive");
        }
    }

    private Problem tooLarge() {
        return new Problem(
                HttpStatus.PAYLOAD_TOO_LARGE_413,
                "an archive has at most " + largest + " bytes (admin.max-archive)");
    }
}
