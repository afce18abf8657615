package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

/** What a user typed wrongly is a line on standard error and exit code 2; nothing starts. */
@ResourceLock(Resources.SYSTEM_ERR)
class CompareCommandTest {
    @TempDir private Path results;

    @Test
    void ofTheArchive() {
        refused("--archive needs --user NAME", "--archive", "my.war");
        refused("--user goes with --archive", "--user", "proxy");
        refused("there is no file ", "--archive", "no-such.war", "--user", "proxy");
        refused(
                "--user is the user part of a SIP URI, which 'a@b' cannot be",
                "--archive",
                "pom.xml",
                "--user",
                "a@b");
        refused(
                "--archive takes the place of --application",
                "--archive",
                "pom.xml",
                "--user",
                "a",
                "--application",
                "b2bua");
        refused("--application must be proxy or b2bua, not 'uas'", "--application", "uas");
    }

    @Test
    void ofTheServers() {
        refused("there is no mode of execution 'fast'", "--peers", "carillon,carillon-fast");
        refused(
                "plain is a proxy of its own",
                "--peers",
                "carillon,plain",
                "--application",
                "b2bua");
        refused("--together", "--together", "--as-shipped");
        refused("--limit is a ratio above 0", "--limit", "1.05");
        refused("--limit is a ratio above 0", "--together", "--limit=-1");
        refused("traced is not as shipped", "--as-shipped", "--peers", "carillon,traced");
        refused("--as-shipped goes without", "--as-shipped", "--server-argument=--jvm");
        refused("--as-shipped ends its windows", "--as-shipped", "--measure", "300");
        refused("one-shard is not as shipped", "--as-shipped", "--peers", "carillon,one-shard");
    }

    private void refused(String reason, String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int code;
        Path folder = results.resolve("out");
        try {
            code =
                    new CommandLine(new CompareCommand())
                            .execute(with(arguments, "--out", folder.toString()));
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(reason).hasLineCount(1);
        assertThat(code).isEqualTo(2);
        assertThat(Files.exists(folder)).isFalse();
    }

    private static String[] with(String[] arguments, String... more) {
        String[] all = new String[arguments.length + more.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }
}
