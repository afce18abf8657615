package io.carillon.grid.link;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Has a process ended? Its host says so when it refuses connections to the port of which the
 * process had connections that were closed just now: a process that is stopped, or busy, or behind
 * a cut wire refuses nothing.
 */
final class DeathProof {
    private static final int CONNECT_MILLIS = 500;

    /** A process that ends closes one thing after the other. */
    private static final long[] LOOKS_AFTER_MILLIS = {0, 20, 50, 100, 200};

    private DeathProof() {}

    /** Waits for half a second, or longer where nobody answers. */
    static boolean isDead(InetSocketAddress address) throws InterruptedException {
        for (long wait : LOOKS_AFTER_MILLIS) {
            Thread.sleep(wait);
            try (Socket socket = new Socket()) {
                socket.connect(address, CONNECT_MILLIS);
            } catch (ConnectException e) {
                return true;
            } catch (IOException e) {
                // No answer: no proof.
                return false;
            }
        }
        return false;
    }
}
