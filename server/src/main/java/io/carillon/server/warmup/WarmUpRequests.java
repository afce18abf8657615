package io.carillon.server.warmup;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * OPTIONS on one connection of the loopback interface, some at a time. What is answered does not
 * matter. Owner: the thread that runs it.
 */
final class WarmUpRequests {
    private static final int OPEN = 32;
    private static final int QUIET_MILLIS = 500;
    private static final int READ_BYTES = 65_536;

    /** An answer without a body ends with an empty line. */
    private static final int END = 0x0d0a0d0a;

    private final Socket socket;
    private final String own;
    private final String run = Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, 36);
    private int sent;
    private int last;

    private WarmUpRequests(Socket socket) {
        this.socket = socket;
        own = "127.0.0.1:" + socket.getLocalPort();
    }

    /**
     * Sends so many, or until the time is over.
     *
     * @return how many were answered
     */
    static int send(int port, int requests, long deadlineNanos) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(QUIET_MILLIS);
            socket.setTcpNoDelay(true);
            return new WarmUpRequests(socket).send(requests, deadlineNanos);
        }
    }

    private int send(int requests, long deadlineNanos) throws IOException {
        InputStream answers = socket.getInputStream();
        byte[] read = new byte[READ_BYTES];
        int answered = 0;
        while (answered < requests && System.nanoTime() - deadlineNanos < 0) {
            more(Math.min(requests - sent, OPEN - (sent - answered)));
            int length;
            try {
                length = answers.read(read);
            } catch (SocketTimeoutException e) {
                return answered; // who answers nothing is not waited for
            }
            if (length < 0) {
                return answered;
            }
            answered += ends(read, length);
        }
        return answered;
    }

    private int ends(byte[] read, int length) {
        int found = 0;
        for (int i = 0; i < length; i++) {
            last = (last << 8) | (read[i] & 0xff);
            found += last == END ? 1 : 0;
        }
        return found;
    }

    private void more(int count) throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String id = sent++ + run;
            all.append("OPTIONS sip:warm-up.invalid SIP/2.0\r\nVia: SIP/2.0/TCP ")
                    .append(own)
                    .append(";branch=z9hG4bK")
                    .append(id)
                    .append("\r\nFrom: <sip:warm@warm-up.invalid>;tag=w\r\n")
                    .append("To: <sip:warm-up.invalid>\r\nCall-ID: ")
                    .append(id)
                    .append("\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n");
        }
        socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.US_ASCII));
    }
}
