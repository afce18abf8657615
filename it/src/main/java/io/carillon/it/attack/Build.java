package io.carillon.it.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Which build a table was measured with. */
final class Build {
    private Build() {}

    /**
     * The commit of the checkout, with "-dirty" behind it where files were changed since; "unknown"
     * outside of a git checkout.
     */
    static String of(Path root) {
        ProcessBuilder git =
                new ProcessBuilder(
                        "git",
                        "-C",
                        root.toString(),
                        "describe",
                        "--always",
                        "--dirty",
                        "--match=");
        git.redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = git.start();
            try (InputStream out = process.getInputStream()) {
                String said = new String(out.readAllBytes(), UTF_8).strip();
                return process.waitFor() == 0 && !said.isEmpty() ? said : "unknown";
            }
        } catch (IOException e) {
            return "unknown"; // there is no git
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
