package io.carillon.lab.peers;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An archive of the user's own, as {@code ./carillon check} reads it. */
public final class OwnArchive {
    /** RFC 3261 25.1, user: unreserved, escaped and user-unreserved characters. */
    private static final Pattern USER =
            Pattern.compile("(?:[A-Za-z0-9\\-_.!~*'()&=+$,;?/]|%[0-9A-Fa-f]{2})+");

    private static final long CHECK_SECONDS = 120;
    private static final long END_SECONDS = 10;

    private OwnArchive() {}

    /**
     * The archive that was asked for.
     *
     * @throws IllegalArgumentException in a sentence, for a file that is no archive of an
     *     application, or a user that cannot stand in a SIP URI
     */
    public static Application of(Path root, String archive, String user) throws IOException {
        if (user.isEmpty()) {
            throw new IllegalArgumentException(
                    "--archive needs --user NAME, the user part that the calls go to");
        }
        if (!USER.matcher(user).matches()) {
            throw new IllegalArgumentException(
                    "--user is the user part of a SIP URI, which '" + user + "' cannot be");
        }
        Path file = Path.of(archive).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("--archive: there is no file " + file);
        }
        return read(file, user, check(root, file));
    }

    /** What the server says of it: its own name of the application, by descriptor or annotation. */
    private static String check(Path root, Path file) throws IOException {
        Path log = Files.createTempFile("carillon-check", ".json");
        try {
            List<String> command =
                    List.of(Folders.launcher(root).toString(), "check", "--json", file.toString());
            try (ChildProcess check = ChildProcess.start("check", "", command, log, END_SECONDS)) {
                if (!check.await(CHECK_SECONDS)) {
                    throw new IOException(
                            "./carillon check did not end within " + CHECK_SECONDS + " s");
                }
                return check.said();
            }
        } finally {
            Files.deleteIfExists(log);
        }
    }

    /**
     * The archive by what {@code check} said of it.
     *
     * @throws IllegalArgumentException where that names no application
     * @throws IOException for an answer that is none
     */
    static Application read(Path file, String user, String said) throws IOException {
        // The launcher may have said something before.
        int begin = said.indexOf('{');
        if (begin < 0) {
            throw new IllegalArgumentException(
                    "--archive: " + said.strip().replaceFirst("^carillon: ", ""));
        }
        JsonNode found;
        try {
            found = Json.LINES.readTree(said.substring(begin));
        } catch (JacksonException e) {
            throw new IOException("./carillon check said of " + file + ": " + said, e);
        }
        String name = found.path("application").asString("");
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "--archive: "
                            + file
                            + " holds no application that can be deployed; ./carillon check says why");
        }
        return new Application(name, file.toString(), user, found.path("execution").asString(""));
    }
}
