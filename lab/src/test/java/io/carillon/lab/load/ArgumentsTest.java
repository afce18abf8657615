package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line of {@code ./carillon load}. */
class ArgumentsTest {
    private static LoadSettings settings(String... arguments) throws IOException {
        LoadCommand command = new LoadCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.settings();
    }

    @Test
    void theBasicB2buaRingsTenSecondsAndTalksThirty() throws IOException {
        LoadSettings settings = settings("--rate", "400", "--duration", "10m");
        assertThat(settings.workload()).isEqualTo(Workload.B2BUA);
        assertThat(settings.ring()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.hold()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.duration()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.local()).isEqualTo("127.0.0.1");
    }

    @Test
    void aRampLastsForAllItsSteps() throws IOException {
        LoadSettings settings = settings("--rate", "100..1000:100/30s");
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(300));
        assertThat(settings.rate().at(0)).isEqualTo(100);
        assertThat(settings.rate().at(Duration.ofSeconds(29).toNanos())).isEqualTo(100);
        assertThat(settings.rate().at(Duration.ofSeconds(30).toNanos())).isEqualTo(200);
        assertThat(settings.rate().at(Duration.ofSeconds(299).toNanos())).isEqualTo(1000);
    }

    @Test
    void stepsLastAsLongAsTheySayAndTheLastHasNoEnd() throws IOException {
        LoadSettings settings = settings("--rate", "100/10s,500/60s,100/20s");
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.rate().at(Duration.ofMillis(9_999).toNanos())).isEqualTo(100);
        assertThat(settings.rate().at(Duration.ofSeconds(10).toNanos())).isEqualTo(500);
        assertThat(settings.rate().at(Duration.ofSeconds(70).toNanos())).isEqualTo(100);
        assertThat(settings.rate().at(Duration.ofSeconds(900).toNanos())).isEqualTo(100);
        assertThat(settings.rate()).hasToString("100/10s,500/60s,100/20s");
    }

    @Test
    void theRequestUriFollowsTheWorkload() throws IOException {
        LoadAddresses places =
                new LoadAddresses(
                        io.carillon.sip.hop.Transport.UDP,
                        new java.net.InetSocketAddress("127.0.0.1", 5060),
                        new java.net.InetSocketAddress("127.0.0.1", 5061),
                        new java.net.InetSocketAddress("127.0.0.1", 5062));
        assertThat(settings().callPlan(places).requestUri()).isEqualTo("sip:callee@127.0.0.1:5062");
        assertThat(settings("--to", "b2bua").callPlan(places).requestUri())
                .isEqualTo("sip:b2bua@127.0.0.1:5062");
        assertThat(settings("--workload", "uas").callPlan(places).requestUri())
                .isEqualTo("sip:uas@127.0.0.1:5060");
        assertThat(settings("--to", "sip:a@b").callPlan(places).requestUri()).isEqualTo("sip:a@b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workload | tennis | --workload is one of",
                "--rate | 0 | a rate is a number of calls per second above 0",
                "--rate | fast | a rate is",
                "--rate | 1..2 | a rate is",
                "--rate | 100..200:0/30s | a rate is",
                "--rate | 100/10s,50 | a rate is",
                "--rate | 100/0s | a rate is",
                "--redial | 5s..2s | --redial is a time above 0",
                "--redial | 0s | --redial is a time above 0",
                "--header | nonsense | --header is a line like",
                "--duration | 3 days | a time is written like",
                "--hold | -1s | a time is written like",
                "--arrivals | bursty | --arrivals is even or poisson",
                "--target | udp | --target is udp:HOST:PORT, or with tcp, tls, ws or wss for udp, not udp",
                "--target | udp:127.0.0.1:0 | --target is",
                "--callee-transport | sctp | --callee-transport is udp, tcp, tls, ws or wss, not sctp",
                "--target | sctp:127.0.0.1:443 | --target is",
                "--calls | 0 | --calls is at least 1",
                "--max-held | 0 | --max-held is at least 1",
                "--max-failed | -1 | --max-failed is at least 0",
                "--callee-port | 70000 | --callee-port is a port from 0 to 65535",
                "--user | alice | a user is name:password",
                "--users | /nonexistent/users | there is no file /nonexistent/users",
                "--server-pid | 999999999 | there is no process 999999999",
                "--workload | register | needs --user NAME:PASSWORD"
            })
    void aWrongArgumentIsOneSentence(String option, String value, String sentence) {
        assertThatThrownBy(() -> settings(option, value))
                .hasMessageContaining(sentence)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--target | tls:127.0.0.1:5061 | scenarios go by udp or tcp: --target tls:127.0.0.1:5061 needs",
                "--target | ws:127.0.0.1:5080 | scenarios go by udp or tcp",
                "--target | wss:127.0.0.1:5081 | scenarios go by udp or tcp",
                "--callee-transport | tcp | --callee-transport tcp needs a workload",
                "--workload | b2bua | SIPp is not told of --workload",
                "--redial | 2s..10s | SIPp is not told of --redial",
                "--ring | 1s | SIPp is not told of --ring",
                "--max-held | 300000 | SIPp is not told of --max-held",
                "--user | alice:secret | SIPp is not told of --user:",
                "--users | /nonexistent/users | SIPp is not told of --users",
                "--histogram-log | h.log | SIPp is not told of --histogram-log",
                "--expires | 60 | SIPp is not told of --expires",
                "--self-warmup | 0s | SIPp is not told of --self-warmup",
                "--web | http://127.0.0.1/call | SIPp is not told of --web:",
                "--web-page | http://127.0.0.1/ | SIPp is not told of --web-page",
                "--web-events | http://127.0.0.1/events | SIPp is not told of --web-events",
                "--web-times | times.json | SIPp is not told of --web-times",
                "--web-hang-up | http://127.0.0.1/end | SIPp is not told of --web-hang-up",
                "--rate | 1..2:1/1s | SIPp keeps one rate"
            })
    void whatSippCannotDoOrIsNotToldIsRefused(
            String option, String value, String sentence, @TempDir Path folder) throws IOException {
        Path scenario = Files.writeString(folder.resolve("uac.xml"), "<scenario/>");
        assertThatThrownBy(() -> settings("--scenario-uac", scenario.toString(), option, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aScenarioGoesByTheTransportOfTheTarget(@TempDir Path folder) throws IOException {
        Path scenario = Files.writeString(folder.resolve("uac.xml"), "<scenario/>");
        LoadSettings settings =
                settings(
                        "--scenario-uac",
                        scenario.toString(),
                        "--target",
                        "tcp:127.0.0.1:5060",
                        "--callee-transport",
                        "tcp");
        assertThat(settings.calleeTransport()).isEqualTo(settings.transport());
        assertThat(settings.maxHeld()).isEqualTo(300_000);
    }

    @Test
    void aWrongLineOfAUsersFileIsNamed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("users");
        Files.writeString(file, "# who\nalice:secret\n\nbob\n");
        assertThatThrownBy(() -> settings("--workload", "register", "--users", file.toString()))
                .hasMessageContaining("users, line 4: a user is name:password");
        Files.writeString(file, "alice:se:cret\nbob:x\n");
        assertThat(settings("--workload", "register", "--users", file.toString()).users())
                .containsExactly(
                        new RegisteredUser("alice", "se:cret"), new RegisteredUser("bob", "x"));
    }
}
