package io.carillon.examples.clicktocall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A phone on a socket: it rings, and answers once it is let. A thread of its own. */
final class AnsweringPhone implements AutoCloseable {
    private final DatagramSocket socket =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch pickedUp = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().daemon().start(this::listen);

    AnsweringPhone() throws IOException {}

    String uri() {
        return "sip:phone@127.0.0.1:" + socket.getLocalPort();
    }

    /** From now on calls are answered. */
    AnsweringPhone pickUp() {
        pickedUp.countDown();
        return this;
    }

    /** The method of the next request, in order of coming. */
    String next() throws InterruptedException {
        return heard.take();
    }

    private void listen() {
        byte[] buffer = new byte[65_535];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                String text = new String(buffer, 0, packet.getLength(), StandardCharsets.US_ASCII);
                take(text, (InetSocketAddress) packet.getSocketAddress());
            } catch (SocketException closed) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    private void take(String request, InetSocketAddress from)
            throws IOException, InterruptedException {
        String method = request.substring(0, request.indexOf(' '));
        heard.add(method);
        if (method.equals("ACK")) {
            return;
        }
        if (method.equals("INVITE")) {
            reply(request, from, "180 Ringing", "");
            pickedUp.await();
            reply(
                    request,
                    from,
                    "200 OK",
                    "v=0\r\no=phone 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
                            + "m=audio 4000 RTP/AVP 0\r\n");
        } else {
            reply(request, from, "200 OK", "");
        }
    }

    private void reply(String request, InetSocketAddress to, String status, String body)
            throws IOException {
        StringBuilder out = new StringBuilder("SIP/2.0 ").append(status).append("\r\n");
        for (String line : request.substring(0, request.indexOf("\r\n\r\n")).split("\r\n")) {
            if (line.matches("(?i)(Via|From|Call-ID|CSeq):.*")) {
                out.append(line).append("\r\n");
            } else if (line.matches("(?i)To:.*")) {
                out.append(line).append(line.contains("tag=") ? "" : ";tag=phone").append("\r\n");
            }
        }
        out.append("Contact: <").append(uri()).append(">\r\n");
        if (!body.isEmpty()) {
            out.append("Content-Type: application/sdp\r\n");
        }
        out.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        byte[] bytes = out.toString().getBytes(StandardCharsets.US_ASCII);
        socket.send(new DatagramPacket(bytes, bytes.length, to));
    }

    @Override
    public void close() {
        socket.close();
        thread.interrupt();
    }
}
