package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a router: what it says, and what is told of a wrong one. */
class RouterConfigTest {
    private static final String GOOD =
            """
            # a router
            number: 2
            listen: udp:127.0.0.1:5070 as sip.example.com, udp:127.0.0.1:5071
            link: 127.0.0.1:7060
            nodes: 1@127.0.0.1:7061, 2@127.0.0.1:7062
            cluster: 5
            key-file: cluster.key
            """;

    @TempDir private Path folder;

    @BeforeEach
    void key() throws IOException {
        Files.writeString(
                folder.resolve("cluster.key"),
                "# new\n" + "ab".repeat(32) + "\n\n" + "cd".repeat(32) + "\n");
    }

    private RouterConfig read(String text) throws IOException {
        Path file = folder.resolve("router.conf");
        Files.writeString(file, text);
        return RouterConfig.read(file);
    }

    @Test
    void saysAllThatARouterIsTold() throws IOException {
        RouterConfig config = read(GOOD);
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        assertThat(config.number()).isEqualTo(2);
        assertThat(config.listen()).hasSize(2);
        assertThat(config.listen().getFirst().externalHost()).isEqualTo("sip.example.com");
        assertThat(config.link()).isEqualTo(new InetSocketAddress(loopback, 7060));
        assertThat(config.nodes())
                .containsEntry(1, new InetSocketAddress(loopback, 7061))
                .containsEntry(2, new InetSocketAddress(loopback, 7062));
        assertThat(config.cluster()).isEqualTo(5);
        assertThat(config.secrets()).hasSize(2);
        assertThat(config.http()).isNull();
        assertThat(read(GOOD + "http: 127.0.0.1:9090").http())
                .isEqualTo(new InetSocketAddress(loopback, 9090));
    }

    private void wrong(String from, String to, String told) {
        assertThatThrownBy(() -> read(GOOD.replace(from, to)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(told);
    }

    @Test
    void namesTheKeyThatIsWrong() {
        wrong("number: 2", "number: two", "number:");
        wrong("number: 2", "number: 256", "a router's number");
        wrong("number: 2", "numbre: 2", "numbre: there is no such key");
        wrong("udp:127.0.0.1:5070", "tcp:127.0.0.1:5070", "listen:");
        wrong("link: 127.0.0.1:7060", "link: 0.0.0.0:7060", "link:");
        wrong("link: 127.0.0.1:7060", "link: 7060", "link:");
        wrong("link: 127.0.0.1:7060\n", "", "link: is needed");
        wrong("1@127.0.0.1:7061", "127.0.0.1:7061", "nodes:");
        wrong("1@127.0.0.1:7061", "255@127.0.0.1:7061", "nodes:");
        wrong("1@127.0.0.1:7061", "1@127.0.0.1", "nodes:");
    }

    @Test
    void aKeyThatIsTooShortIsNotTold() throws IOException {
        Files.writeString(folder.resolve("cluster.key"), "abcdef");
        assertThatThrownBy(() -> read(GOOD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 32 bytes")
                .hasMessageNotContaining("abcdef");
        Files.writeString(folder.resolve("cluster.key"), "secret".repeat(20));
        assertThatThrownBy(() -> read(GOOD)).hasMessageNotContaining("secret");
        Files.writeString(folder.resolve("cluster.key"), "");
        assertThatThrownBy(() -> read(GOOD)).hasMessageStartingWith("key-file:");
    }

    @Test
    void aPointOnAllAddressesNeedsAName() throws IOException {
        RouterConfig config = read(GOOD.replace("udp:127.0.0.1:5071", "udp:0.0.0.0:5071"));
        assertThatThrownBy(() -> Router.start(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("as HOST");
    }
}
