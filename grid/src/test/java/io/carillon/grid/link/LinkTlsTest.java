package io.carillon.grid.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Who has the key of the cluster is let in, nobody else. */
class LinkTlsTest {
    private static final byte[] ONE = secret(1);
    private static final byte[] OTHER = secret(2);

    private static byte[] secret(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static LinkSockets sockets(String cluster, byte[]... secrets) throws Exception {
        return new LinkSockets(LinkTls.context(new ClusterKey(cluster, List.of(secrets))));
    }

    /** What the server reads from the client; fails when one of them refuses the other. */
    private static String talk(LinkSockets server, LinkSockets client) throws Exception {
        try (ServerSocket listening =
                server.createServerSocket("test", 0, 5, InetAddress.getLoopbackAddress())) {
            return talk(listening, client);
        }
    }

    private static String talk(ServerSocket listening, LinkSockets client) throws Exception {
        try (Socket socket =
                client.createSocket(
                        "test", InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
            CompletableFuture<String> read =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            // Closed with its peer: a TLS socket waits for that.
                            Socket accepted = listening.accept();
                            accepted.setSoTimeout(5_000);
                            byte[] bytes = accepted.getInputStream().readNBytes(5);
                            accepted.getOutputStream().write(bytes);
                            return new String(bytes, StandardCharsets.US_ASCII);
                        } catch (IOException e) {
                            return e.getClass().getSimpleName();
                        }
                    });
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            byte[] back = socket.getInputStream().readNBytes(5);
            if (back.length == 5 && socket instanceof SSLSocket tls) {
                assertThat(tls.getSession().getProtocol()).isEqualTo("TLSv1.3");
            }
            return back.length == 5 ? read.join() : "refused";
        }
    }

    @Test
    void membersWithTheSameKeyTalk() throws Exception {
        assertThat(talk(sockets("c", ONE), sockets("c", ONE))).isEqualTo("hello");
    }

    @Test
    void whileAKeyIsChangedMembersWithTheOldAndWithTheNewTalk() throws Exception {
        assertThat(talk(sockets("c", ONE, OTHER), sockets("c", OTHER, ONE))).isEqualTo("hello");
        assertThat(talk(sockets("c", ONE, OTHER), sockets("c", ONE))).isEqualTo("hello");
    }

    @Test
    void anotherKeyIsRefused() {
        assertThatThrownBy(() -> talk(sockets("c", ONE), sockets("c", OTHER)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void theServerRefusesAClientThatItDoesNotKnow() {
        // The client would take the server's key, the server not the client's.
        assertThatThrownBy(() -> talk(sockets("c", ONE), sockets("c", OTHER, ONE)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anotherClusterWithTheSameKeyIsRefused() {
        assertThatThrownBy(() -> talk(sockets("c", ONE), sockets("d", ONE)))
                .isInstanceOf(IOException.class);
    }

    /** JGroups accepts on one thread, and reads there. */
    @Test
    void strangersWhoSayNothingKeepNoMemberOut() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (ServerSocket listening =
                sockets("c", ONE)
                        .createServerSocket("test", 0, 200, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 2 * ProvedConnections.MOST; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort()));
            }
            assertThat(talk(listening, sockets("c", ONE))).isEqualTo("hello");
            assertThat(threads("cluster-handshake-"))
                    .isLessThanOrEqualTo(ProvedConnections.MOST_THREADS);
            assertThat(threads("cluster-deadline")).isLessThanOrEqualTo(2);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .count();
    }

    @Test
    void whoSaysNothingIsNotWaitedForLong() throws Exception {
        try (ServerSocket listening =
                        sockets("c", ONE)
                                .createServerSocket(
                                        "test", 0, 5, InetAddress.getLoopbackAddress());
                Socket silent =
                        new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
            assertThat(talk(listening, sockets("c", ONE))).isEqualTo("hello");
            silent.setSoTimeout(60_000);
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void whoAcceptsHearsOfTheEnd() throws Exception {
        ServerSocket listening =
                sockets("c", ONE)
                        .createServerSocket("test", 0, 5, InetAddress.getLoopbackAddress());
        CompletableFuture<Void> accepting =
                CompletableFuture.runAsync(() -> {
                    try {
                        listening.accept();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        listening.close();
        assertThatThrownBy(accepting::join).hasRootCauseInstanceOf(SocketException.class);
    }

    @Test
    void aCertificateOfAnotherNodesMarkIsRefused() throws Exception {
        ClusterKey key = new ClusterKey("c", List.of(ONE));
        LinkCertificate own = LinkCertificate.make(key);
        assertThat(LinkCertificate.isOf(key, own.certificate())).isTrue();
        own.certificate().verify(own.certificate().getPublicKey());
        // A mark stands for one public key.
        byte[] others = LinkCertificate.make(key).certificate().getPublicKey().getEncoded();
        String name = own.certificate().getSubjectX500Principal().getName().substring(3);
        assertThat(key.isMark(name, own.certificate().getPublicKey().getEncoded())).isTrue();
        assertThat(key.isMark(name, others)).isFalse();
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatThrownBy(() -> new ClusterKey("c", List.of(new byte[31])))
                .hasMessageContaining("32 bytes");
    }
}
