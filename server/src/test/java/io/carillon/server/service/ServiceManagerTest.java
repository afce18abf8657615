package io.carillon.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** sd_notify(3). */
class ServiceManagerTest {
    private final List<String> told = new ArrayList<>();

    @TempDir private Path folder;

    @Test
    void itIsToldThatTheServerIsReadyAndThatItDrains() {
        ServiceManager manager = new ServiceManager(told::add);

        manager.ready("READY in 1 s\n second line");
        manager.stopping(Duration.ofSeconds(60));

        assertThat(told)
                .containsExactly(
                        "READY=1\nSTATUS=READY in 1 s  second line",
                        "STOPPING=1\nSTATUS=Draining\nEXTEND_TIMEOUT_USEC=60000000");
    }

    @Test
    void withoutOneNothingHappensAndADeafOneStopsNobody() {
        new ServiceManager(null).ready("x");
        new ServiceManager(
                        lines -> {
                            throw new IOException("deaf");
                        })
                .ready("x");
    }

    /** Python has the datagram sockets that Java lacks. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aRealSocketTakesIt() throws Exception {
        for (String name : List.of(folder.resolve("notify").toString(), "@" + folder)) {
            Process receiver =
                    new ProcessBuilder(
                                    "python3",
                                    "-c",
                                    """
                                    import socket, sys
                                    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                                    s.bind(sys.argv[1].replace('@', chr(0), 1) if sys.argv[1][0] == '@' else sys.argv[1])
                                    print('bound', flush=True)
                                    print(s.recv(4096).decode().replace(chr(10), ';'), flush=True)
                                    """,
                                    name)
                            .redirectErrorStream(true)
                            .start();
            try (BufferedReader said = receiver.inputReader()) {
                assertThat(said.readLine()).isEqualTo("bound");
                new NotifySocket(name).send("READY=1\nSTATUS=\u00fc");
                assertThat(said.readLine()).isEqualTo("READY=1;STATUS=\u00fc");
            } finally {
                receiver.destroy();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aSocketThatIsNotThereIsAFailureInASentence() {
        assertThatThrownBy(() -> new NotifySocket(folder + "/none").send("READY=1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nobody takes");
        assertThatThrownBy(() -> new NotifySocket("/" + "x".repeat(200)).send("READY=1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("107 bytes");
    }
}
