package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.access.AdminRequests;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands as requests to a server elsewhere. */
class RemoteCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    status             |                      | GET /status
                    applications       |                      | GET /applications
                    bans               |                      | GET /bans
                    bans-clear         |                      | DELETE /bans
                    bans-clear         | 192.0.2.1            | DELETE /bans/192.0.2.1
                    bans-clear         | 2001:db8::/64        | DELETE /bans/2001%3Adb8%3A%3A
                    cluster            |                      | GET /cluster
                    config-show        |                      | GET /configuration
                    config-diff        |                      | GET /configuration/changes
                    reload             |                      | POST /configuration/reload
                    stop               |                      | POST /server/stop
                    hand-over          |                      | POST /cluster/hand-over
                    tls-reload         |                      | POST /tls/reload
                    router-reload      |                      | POST /routes/reload
                    log-show           |                      | GET /logs/raised
                    log-reset          |                      | DELETE /logs/levels
                    log-set            | debug io.carillon    | PUT /logs/levels
                    call               | a/b@c                | GET /call?id=a%2Fb%40c
                    hangup             | a b                  | DELETE /call?id=a%20b
                    undeploy           | shop                 | DELETE /applications/shop
                    undeploy-now       | shop                 | DELETE /applications/shop?now=true
                    trace-off          |                      | DELETE /traces
                    trace-off          | 3                    | DELETE /traces/3
                    trace-clear        |                      | DELETE /traces/calls
                    trace-list         | 20                   | GET /traces?limit=20
                    audit-verify       |                      | GET /audit/verification
                    """)
    void aCommandIsARequest(String command, String argument, String wanted) throws Exception {
        RemoteCommand asked = RemoteCommand.of(command, argument == null ? "" : argument);
        assertThat(asked.method() + " " + asked.path()).isEqualTo(wanted);
    }

    @Test
    void bodiesAreWhatTheOperationsTake() throws Exception {
        assertThat(RemoteCommand.of("log-set", "debug io.carillon").body())
                .isEqualTo("{\"level\":\"debug\",\"logger\":\"io.carillon\"}");
        assertThat(RemoteCommand.of("log-set", "debug").body())
                .isEqualTo("{\"level\":\"debug\",\"logger\":\"\"}");
        String base64 =
                Base64.getEncoder().encodeToString("INVITE".getBytes(StandardCharsets.UTF_8));
        assertThat(RemoteCommand.of("route", base64).body()).isEqualTo("{\"request\":\"INVITE\"}");
        String token =
                new AdminRequests.Asked(
                                AdminRequests.Action.TOKEN,
                                "anna",
                                null,
                                List.of("viewer"),
                                "ci",
                                60L)
                        .line();
        assertThat(RemoteCommand.of("admin", token))
                .extracting(RemoteCommand::path, RemoteCommand::body)
                .containsExactly(
                        "/tokens",
                        "{\"account\":\"anna\",\"roles\":[\"viewer\"],\"label\":\"ci\",\"seconds\":60}");
    }

    @Test
    void anArchiveIsSentAndAFolderCannotBe(@TempDir Path folder) throws Exception {
        Path archive = Files.writeString(folder.resolve("shop.war"), "x");
        RemoteCommand asked = RemoteCommand.of("replace", archive.toString());
        assertThat(asked.path()).isEqualTo("/applications?name=shop.war&replace=true");
        assertThat(asked.archive()).isEqualTo(archive);
        assertThatThrownBy(() -> RemoteCommand.of("deploy", folder.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no archive");
    }

    @Test
    void whatIsForThisMachineAloneSaysSo() {
        assertThatThrownBy(() -> RemoteCommand.of("database-copy", "/tmp/x"))
                .hasMessageContaining("this machine alone");
    }

    @ParameterizedTest
    @CsvSource({
        "http://sip.example:8080",
        "ftp://sip.example",
        "sip.example:8443",
        "https:///status"
    })
    void aTokenLeavesByHttpsAlone(String url) {
        assertThatThrownBy(() -> new RemoteServer(URI.create(url), "secret", null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("https://HOST:PORT");
    }
}
