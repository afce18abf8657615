package io.carillon.server;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.check.ArchiveCheck;
import io.carillon.servlet.check.CheckReport;
import io.carillon.servlet.check.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at archives that were deployed as {@code ./carillon check} does, and warns of what that
 * calls an error: one line for each archive. A deployment waits for nothing here. One thread of low
 * priority looks at one archive after the other, from {@link #begin} on. What fails in a look is
 * logged.
 *
 * <p>Owner: the server. At most {@value #MOST} archives wait; the others are not looked at, and
 * named. Any thread.
 */
final class DeployedChecks implements AutoCloseable {
    /** How many archives may wait. */
    static final int MOST = 64;

    private static final Logger LOG = LoggerFactory.getLogger(DeployedChecks.class);

    private static final int SHOWN = 3;
    private static final int LONGEST = 300;

    /** For the look at work, which reads files: its own folder goes with that of the server. */
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** Looks at one archive. */
    @FunctionalInterface
    interface Check {
        CheckReport of(Path archive) throws DeploymentException;
    }

    private final BlockingQueue<Path> waiting = new ArrayBlockingQueue<>(MOST);
    private final Check check;
    private final Consumer<String> log;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * @param work where archives are unpacked for a while
     */
    DeployedChecks(Path work) {
        this(archive -> ArchiveCheck.of(archive, work), LOG::warn);
    }

    DeployedChecks(Check check, Consumer<String> log) {
        this.check = check;
        this.log = log;
    }

    /** An archive was deployed, or deployed again; returns at once. */
    void deployed(Path archive) {
        if (!waiting.contains(archive) && !waiting.offer(archive)) {
            log.accept(
                    archive
                            + " is not checked: "
                            + MOST
                            + " archives wait for it; ./carillon check "
                            + archive
                            + " does it");
        }
    }

    /** From now on archives are looked at; behind the READY line. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing waits for it
    synchronized void begin() {
        if (thread == null && !closed) {
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("archive-check")
                            .priority(Thread.MIN_PRIORITY)
                            .start(this::run);
        }
    }

    private void run() {
        try {
            JvmThreads.niceOwnThread();
            while (!closed) {
                look(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server is closed
        }
    }

    /** One archive; whatever is wrong with it, or with the look, is a line in the log. */
    private void look(Path archive) {
        try {
            CheckReport report = check.of(archive);
            List<Finding> errors =
                    report.findings().stream()
                            .filter(finding -> finding.level() == Finding.Level.ERROR)
                            .toList();
            if (!errors.isEmpty()) {
                log.accept(line(archive, errors));
            }
        } catch (DeploymentException | RuntimeException | Error e) {
            if (!closed) { // the end of the server interrupts the look at work
                log.accept(archive + " could not be checked: " + shortened(e.toString()));
            }
        }
    }

    private static String line(Path archive, List<Finding> errors) {
        int shown = Math.min(errors.size(), SHOWN);
        String first =
                errors.stream()
                        .limit(shown)
                        .map(finding -> shortened(finding.text()))
                        .collect(Collectors.joining("; "));
        boolean one = errors.size() == 1;
        return archive
                + ": "
                + (one ? "an error" : errors.size() + " errors")
                + " of check, "
                + (one ? "" : "the first: ")
                + first
                + "; ./carillon check "
                + archive
                + " shows all";
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    /** Ends the look at work, and waits for it a moment: it has files in the server's folder. */
    @Override
    public void close() {
        closed = true;
        Thread looking;
        synchronized (this) {
            looking = thread;
        }
        if (looking != null) {
            looking.interrupt();
            try {
                looking.join(END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
