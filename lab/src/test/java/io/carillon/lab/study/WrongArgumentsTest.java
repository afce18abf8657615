package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.overload.OverloadCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

/** What a user typed wrongly is a line on standard error and exit code 2. */
@ResourceLock(Resources.SYSTEM_ERR)
class WrongArgumentsTest {
    @Test
    void ofTheJvmStudy() {
        refused(new JvmCommand(), "there is no setting 'cms'", withApp("--settings", "cms"));
        refused(new JvmCommand(), "the setting g1 is named twice", withApp("--settings", "g1,g1"));
        refused(new JvmCommand(), "--heap is a size", "--heap", "lots");
        refused(new JvmCommand(), "--minutes is more than 0", "--minutes", "0");
        refused(new JvmCommand(), "--first-rate is at least 1", "--first-rate", "9000");
        refused(
                new JvmCommand(),
                "--compact-headers is on, off or both",
                withApp("--compact-headers", "x"));
        refused(new JvmCommand(), "there is no ", "--app", "no-such.war");
        refused(
                new JvmCommand(),
                "--workload is b2bua, proxy200, uas here, not no-such",
                "--workload",
                "no-such");
        refused(new JvmCommand(), "--workload is b2bua", withApp("--workload", "register"));
        refused(new JvmCommand(), "--workload is b2bua", withApp("--workload", "web-voice-mail"));
        refused(new JvmCommand(), "holds no study", "--resume", "no-such-folder");
        refused(
                new JvmCommand(),
                "--server-cpus names processor 9999",
                withApp("--server-cpus", "9999"));
        refused(new JvmCommand(), "--load-cpus is a list", withApp("--load-cpus", "one"));
    }

    @Test
    void ofTheRamp() {
        refused(new RampCommand(), "--from is at least 1", "--from", "0");
        refused(new RampCommand(), "--from is at least 1", "--from", "10", "--to", "9");
        refused(new RampCommand(), "--seconds is at least 2", "--seconds", "1");
        refused(new RampCommand(), "--workload is b2bua", withApp("--workload", "register"));
        refused(
                new RampCommand(),
                "--workload is b2bua, proxy200, uas here, not B2BUA",
                "--only-peer",
                "--peer",
                "kamailio",
                "--workload",
                "B2BUA");
        refused(new RampCommand(), "--only-peer needs --peer", "--only-peer");
        refused(
                new RampCommand(),
                "--peer is udp:HOST:PORT or kamailio",
                "--only-peer",
                "--peer",
                "tcp:x:1");
        refused(
                new RampCommand(),
                "--peer is udp:HOST:PORT",
                "--only-peer",
                "--peer",
                "udp:127.0.0.1:99999");
    }

    @Test
    void ofTheTransports() {
        refused(new TransportsCommand(), "--rate is at least 1", "--rate", "0");
        refused(new TransportsCommand(), "--workloads is proxy200", "--workloads", "uas");
        refused(new TransportsCommand(), "--pairs is all, or a list", "--pairs", "udp");
        refused(new TransportsCommand(), "names udp-udp twice", "--pairs", "udp-udp,udp-udp");
        refused(
                new TransportsCommand(),
                "--server-cpus names processor 9999",
                "--server-cpus",
                "9999");
        refused(new TransportsCommand(), "holds no study", "--resume", "no-such-folder");
    }

    @Test
    void ofTheOverload() {
        refused(new OverloadCommand(), "--factor is from 1 to 100", "--factor", "0");
        refused(new OverloadCommand(), "--seconds is at least 2", "--seconds", "1");
        refused(new OverloadCommand(), "--app is b2bua or proxy", "--app", "tennis");
        refused(new OverloadCommand(), "--transport is udp or tcp", "--transport", "ws");
        refused(new OverloadCommand(), "--parts is all, or some of", "--parts", "some");
        refused(new OverloadCommand(), "--compute is a time as in 10ms", "--compute", "10");
        refused(
                new OverloadCommand(),
                "--quota is a share of one CPU from 1 to 100",
                "--quota",
                "0");
        refused(new OverloadCommand(), "there is no file", "--archive", "no-such.war");
    }

    /** An archive that exists, so that what comes after it is looked at. */
    private static String[] withApp(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--app";
        all[1] = "pom.xml";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return all;
    }

    private static void refused(Object command, String reason, String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int code;
        try {
            code = new CommandLine(command).execute(arguments);
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(reason).hasLineCount(1);
        assertThat(code).isEqualTo(2);
    }
}
