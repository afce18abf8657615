package io.carillon.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.IdentitySettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the configuration says of identities, and its files. */
class IdentitiesTest {
    @TempDir private Path folder;

    private IdentitySettings settings(String text) throws ConfigurationException {
        return ConfigurationReader.read("test", "identity:\n" + text.indent(2), folder).identity();
    }

    @Test
    void nothingIsReadUnlessItIsAskedFor() throws Exception {
        Identities standard = Identities.open(settings("boundary: false"));
        assertThat(standard.trusted()).isNull();
        assertThat(standard.key()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'trusted-peers: [10.0.0.0/40]', 10.0.0.0/40",
        "'verify:\n  mode: report', trust-folder",
        "'sign:\n  mode: all', key",
        "'sign:\n  mode: all\n  key: k.pem\n  certificate: http://x/y', https",
        "'sign:\n  mode: all\n  key: k.pem', https",
        "'sign:\n  numbers: [\"+1\"]', +1",
    })
    void whatDoesNotFitTogetherIsSaid(String text, String named) {
        assertThatThrownBy(() -> settings(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aKeyIsReadOrNamed() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        Path file = folder.resolve("key.pem");
        Files.writeString(
                file,
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
        IdentitySettings settings =
                settings(
                        """
                        sign:
                          mode: sent
                          key: key.pem
                          certificate: https://cert.example.org/own.pem
                        """);
        PrivateKey read = Objects.requireNonNull(Identities.open(settings).key());
        assertThat(Identities.signer(settings, read).origid()).isNull(); // one for each call
        for (String wrong :
                new String[] {
                    "-----BEGIN EC PRIVATE KEY-----\n",
                    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
                }) {
            Files.writeString(file, wrong);
            assertThatThrownBy(() -> Identities.open(settings))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key.pem");
        }
        Files.delete(file);
        assertThatThrownBy(() -> Identities.open(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key.pem");
    }

    @Test
    void whatIsNotHttpsOrDoesNotAnswerIsAFailure() throws Exception {
        HttpsCertificates certificates = new HttpsCertificates(Duration.ofSeconds(5));
        assertThat(certificates.fetch(URI.create("http://127.0.0.1/x")).toCompletableFuture())
                .isCompletedExceptionally();
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThatThrownBy(() ->
                        certificates
                                .fetch(URI.create("https://127.0.0.1:" + closed + "/x"))
                                .toCompletableFuture()
                                .get())
                .isInstanceOf(ExecutionException.class);
    }
}
