package io.carillon.it.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How a phone reaches a router: by a datagram, or on a connection of its own. One thread sends, one
 * receives.
 */
public interface Line extends AutoCloseable {
    /** What stands in a Via. */
    String transport();

    /** Does nothing get lost on it, so that nothing is to be repeated? */
    boolean reliable();

    /** Host and port of the phone, as they stand in its messages. */
    String local();

    /** What of the transport stands in its Contact; empty for datagrams. */
    default String parameter() {
        return switch (transport()) {
            case "UDP" -> "";
            case "WSS" -> ";transport=ws";
            default -> ";transport=" + transport().toLowerCase(Locale.ROOT);
        };
    }

    void send(String message) throws IOException;

    /** The next message; empty where none comes in that time. */
    String receive(long millis) throws IOException;

    @Override
    void close() throws IOException;

    /** Opens one: {@code udp}, {@code tcp}, {@code tls} or {@code wss}. */
    static Line open(String transport, InetSocketAddress router) throws IOException {
        return switch (transport) {
            case "udp" -> new Datagrams(router);
            case "tcp" -> new Stream("TCP", new Socket(router.getAddress(), router.getPort()));
            case "tls" ->
                    new Stream(
                            "TLS",
                            Trusting.context()
                                    .getSocketFactory()
                                    .createSocket(router.getAddress(), router.getPort()));
            case "wss" -> new Web(router);
            default -> throw new IllegalArgumentException(transport);
        };
    }

    /** UDP, to one router or several: what is sent again goes to the next one. */
    final class Datagrams implements Line {
        private static final int LONGEST = 65_535;

        private final DatagramSocket socket;
        private final List<InetSocketAddress> routers;
        private String last = "";
        private int next;

        public Datagrams(InetSocketAddress... routers) throws IOException {
            this.routers = List.of(routers);
            this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        }

        @Override
        public String transport() {
            return "UDP";
        }

        @Override
        public boolean reliable() {
            return false;
        }

        @Override
        public String local() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void send(String message) throws IOException {
            if (message.equals(last)) {
                next = (next + 1) % routers.size();
            }
            last = message;
            byte[] bytes = message.getBytes(ISO_8859_1);
            socket.send(new DatagramPacket(bytes, bytes.length, routers.get(next)));
        }

        @Override
        public String receive(long millis) throws IOException {
            DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
            socket.setSoTimeout((int) Math.max(1, millis));
            try {
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                return "";
            }
            return new String(packet.getData(), 0, packet.getLength(), ISO_8859_1);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** TCP and TLS. */
    final class Stream implements Line {
        private final String transport;
        private final Socket socket;
        private final InputStream in;
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
        private int left = -1;

        Stream(String transport, Socket socket) throws IOException {
            this.transport = transport;
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
        }

        @Override
        public String transport() {
            return transport;
        }

        @Override
        public boolean reliable() {
            return true;
        }

        @Override
        public String local() {
            return socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
        }

        @Override
        public void send(String message) throws IOException {
            socket.getOutputStream().write(message.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
        }

        @Override
        public String receive(long millis) throws IOException {
            socket.setSoTimeout((int) Math.max(1, millis));
            try {
                while (left != 0) {
                    int next = in.read();
                    if (next < 0) {
                        throw new IOException("the connection has ended");
                    }
                    begun.write(next);
                    if (left > 0) {
                        left--;
                    } else if (next == '\n' && begun.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                        left = bodyLength(begun.toString(ISO_8859_1));
                    }
                }
            } catch (SocketTimeoutException e) {
                return "";
            }
            String message = begun.toString(ISO_8859_1);
            begun.reset();
            left = -1;
            return message;
        }

        private static int bodyLength(String head) {
            for (String line : head.split("\r\n", -1)) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    return Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
                }
            }
            return 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** WebSocket over TLS (RFC 7118). */
    final class Web implements Line, WebSocket.Listener {
        private static final long PATIENCE_SECONDS = 30;

        private final String name = Long.toString(System.nanoTime(), 36) + ".invalid";
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder begun = new StringBuilder();
        private final HttpClient client;
        private final WebSocket socket;
        private volatile @Nullable Throwable ended;

        Web(InetSocketAddress router) throws IOException {
            client = HttpClient.newBuilder().sslContext(Trusting.context()).build();
            try {
                socket =
                        client.newWebSocketBuilder()
                                .subprotocols("sip")
                                .buildAsync(
                                        URI.create(
                                                "wss://"
                                                        + router.getAddress().getHostAddress()
                                                        + ":"
                                                        + router.getPort()),
                                        this)
                                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("no WebSocket: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public String transport() {
            return "WSS";
        }

        @Override
        public boolean reliable() {
            return true;
        }

        @Override
        public String local() {
            return name;
        }

        @Override
        public void send(String message) throws IOException {
            try {
                socket.sendText(message, true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("not sent: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public String receive(long millis) throws IOException {
            try {
                String message = heard.poll(millis, TimeUnit.MILLISECONDS);
                Throwable why = ended;
                if ((message == null || message.isEmpty()) && why != null) {
                    throw new IOException("the WebSocket has ended", why);
                }
                return message == null ? "" : message;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence data, boolean last) {
            begun.append(data);
            if (last) {
                heard.add(begun.toString());
                begun.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket from, ByteBuffer data, boolean last) {
            return onText(from, ISO_8859_1.decode(data), last);
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            onError(from, new IOException("closed, " + status + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            ended = error;
            heard.add(""); // who waits for a message hears of it now
        }

        @Override
        public void close() {
            socket.abort();
            client.shutdownNow();
        }
    }

    /** Believes every server: its certificate was made for this run. */
    final class Trusting extends X509ExtendedTrustManager {
        private Trusting() {}

        public static SSLContext context() throws IOException {
            try {
                SSLContext context = SSLContext.getInstance("TLSv1.3");
                context.init(null, new TrustManager[] {new Trusting()}, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IOException("this Java has no TLS", e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String authType, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String authType, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String authType, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String authType, @Nullable SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
