package io.carillon.server.service;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service manager how far the process is, as sd_notify(3) describes: systemd waits for
 * READY before it starts what needs the server, and for the end of the drain before it kills. Does
 * nothing where no service manager asked. Any thread.
 */
public final class ServiceManager {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);
    private static final ServiceManager OF_PROCESS =
            new ServiceManager(channel(System.getenv("NOTIFY_SOCKET")));

    /** Where the lines go. */
    interface Channel {
        void send(String text) throws IOException;
    }

    private final @Nullable Channel channel;

    ServiceManager(@Nullable Channel channel) {
        this.channel = channel;
    }

    /** That of this process. */
    public static ServiceManager ofProcess() {
        return OF_PROCESS;
    }

    private static @Nullable Channel channel(@Nullable String name) {
        return name == null || name.isEmpty() ? null : new NotifySocket(name);
    }

    /** What needs the server can start. */
    public void ready(String status) {
        tell("READY=1\nSTATUS=" + line(status));
    }

    /** The process is about to end, and may take so long. */
    public void stopping(Duration atMost) {
        tell(
                "STOPPING=1\nSTATUS=Draining\nEXTEND_TIMEOUT_USEC="
                        + Math.max(1, atMost.toNanos() / 1000));
    }

    private void tell(String lines) {
        Channel open = channel;
        if (open == null) {
            return;
        }
        try {
            open.send(lines);
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn(
                    "The service manager was not told \"{}\" (NOTIFY_SOCKET): {}",
                    lines.substring(0, lines.indexOf('\n')),
                    String.valueOf(e.getMessage()));
        }
    }

    private static String line(String text) {
        return text.replaceAll("\\R", " ").strip();
    }
}
