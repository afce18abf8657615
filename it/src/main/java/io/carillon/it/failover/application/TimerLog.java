package io.carillon.it.failover.application;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Which timers have fired, a line each: Call-ID, number of the timer, when it was due and when it
 * fired (both in milliseconds of the wall clock), node. A line is with the kernel when {@link
 * #fired} returns, so it outlives the process. Any thread.
 */
final class TimerLog {
    private final FileChannel file;
    private final String node;

    /** Appends to that file. */
    TimerLog(Path path, String node) throws IOException {
        this.node = node;
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void fired(String callId, String timer, String due) throws IOException {
        String line =
                callId + ' ' + timer + ' ' + due + ' ' + System.currentTimeMillis() + ' ' + node;
        ByteBuffer bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.US_ASCII));
        synchronized (this) {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }
    }
}
