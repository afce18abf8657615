package io.carillon.it.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Shell commands of an example, as its page tells them. Stateless. */
final class Shell {
    private Shell() {}

    /**
     * Runs one in the project's folder.
     *
     * @throws IOException when it fails; the message is what it printed
     */
    static void run(Path root, String command) throws IOException {
        Process shell =
                new ProcessBuilder("sh", "-c", command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (shell.waitFor() != 0) {
                throw new IOException(command + ": " + said.strip());
            }
        } catch (InterruptedException e) {
            shell.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
