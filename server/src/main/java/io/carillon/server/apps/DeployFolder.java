package io.carillon.server.apps;

import io.carillon.servlet.app.DeploymentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder whose archives are deployed, redeployed when they changed, and undeployed when they are
 * gone. What changes is left alone until it looks the same twice: it may still be written.
 *
 * <p>One thread calls {@link #look}; nothing here sleeps or knows the time. Deployments may run on
 * other threads, one for an archive at a time, so that an application that starts slowly does not
 * keep the next one waiting; what came of them is taken in by the next look.
 */
public final class DeployFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DeployFolder.class);

    /** How an archive looks from outside: another mark, another content. */
    private record Mark(long files, long bytes, long newestMillis) {}

    /** What is known of one archive. */
    private static final class Entry {
        @Nullable Mark seen;
        @Nullable Mark tried;
        @Nullable String application;

        /** Of that application, as the deployer counts. */
        int version;

        boolean deploying;
    }

    private final Path folder;
    private final Deployer deployer;
    private final Executor deploying;
    private final Map<Path, Entry> entries = new HashMap<>();

    /** From the threads that deploy; at most one for each archive. */
    private final Queue<Runnable> outcomes = new ConcurrentLinkedQueue<>();

    private boolean unreadable;

    /**
     * @param deploying runs deployments after {@link #begin}: at once, or on threads of its own
     */
    public DeployFolder(Path folder, Deployer deployer, Executor deploying) {
        this.folder = folder;
        this.deployer = deployer;
        this.deploying = deploying;
    }

    /** The first look: what lies there is deployed at once, in the order of names. */
    public void begin() {
        look(Runnable::run);
        look(Runnable::run);
    }

    /** Compares the folder with what was seen before, and does what follows. */
    public void look() {
        look(deploying);
    }

    private void look(Executor where) {
        takeOutcomes();
        Map<Path, Mark> now;
        try {
            now = marks();
            unreadable = false;
        } catch (IOException | UncheckedIOException e) {
            // Nothing is undeployed because a disk is away for a moment.
            if (!unreadable) {
                LOG.error("The deploy folder {} cannot be read: {}", folder, e.toString());
            }
            unreadable = true;
            return;
        }
        for (Path gone : entries.keySet().stream().filter(p -> !now.containsKey(p)).toList()) {
            removed(gone);
        }
        now.forEach((archive, mark) -> {
            if (!liesBesideItsArchive(archive, now)) {
                found(archive, mark, where);
            }
        });
        takeOutcomes();
    }

    /** Maven leaves the unpacked application beside the archive: that is one, not two versions. */
    private static boolean liesBesideItsArchive(Path folder, Map<Path, Mark> now) {
        String name = String.valueOf(folder.getFileName());
        return now.containsKey(folder.resolveSibling(name + ".war"))
                || now.containsKey(folder.resolveSibling(name + ".sar"));
    }

    private void takeOutcomes() {
        for (Runnable outcome; (outcome = outcomes.poll()) != null; ) {
            outcome.run();
        }
    }

    private void found(Path archive, Mark mark, Executor where) {
        Entry entry = entries.computeIfAbsent(archive, a -> new Entry());
        boolean settled = mark.equals(entry.seen);
        entry.seen = mark;
        if (settled && !mark.equals(entry.tried) && !entry.deploying) {
            entry.tried = mark;
            entry.deploying = true;
            where.execute(() -> deploy(archive, entry));
        }
    }

    /** On a thread of the executor. */
    private void deploy(Path archive, Entry entry) {
        ApplicationStatus status = null;
        try {
            status = deployer.deploy(archive);
            LOG.info(
                    "Deployed {}: application {} version {}",
                    archive.getFileName(),
                    status.name(),
                    status.version());
        } catch (DeploymentException e) {
            LOG.error("Not deployed: {}", e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Not deployed: {}", archive.getFileName(), e);
        }
        ApplicationStatus deployed = status;
        outcomes.add(() -> tried(entry, deployed));
    }

    /**
     * @param deployed null where it failed
     */
    private void tried(Entry entry, @Nullable ApplicationStatus deployed) {
        entry.deploying = false;
        if (deployed == null) {
            return;
        }
        String before = entry.application;
        // Two archives of one name may be deployed at once, and be heard of in the other order: the
        // application is whose version is the last one.
        boolean replaced =
                entries.values().stream()
                        .anyMatch(other ->
                                deployed.name().equals(other.application)
                                        && other.version > deployed.version());
        if (replaced) {
            entry.application = null;
        } else {
            entries.values().stream()
                    .filter(other -> deployed.name().equals(other.application))
                    .forEach(other -> other.application = null);
            entry.application = deployed.name();
            entry.version = deployed.version();
        }
        if (before != null && !before.equals(deployed.name())) {
            deployer.undeploy(before, false); // the archive's new content has another name
        }
    }

    private void removed(Path archive) {
        Entry entry = entries.get(archive);
        if (entry != null && entry.deploying) {
            return; // the look after its deployment takes it away again
        }
        entries.remove(archive);
        String application = entry == null ? null : entry.application;
        if (application != null && deployer.undeploy(application, false)) {
            LOG.info("Undeployed {}: its archive {} is gone", application, archive.getFileName());
        }
    }

    private Map<Path, Mark> marks() throws IOException {
        Map<Path, Mark> marks = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                Mark mark = mark(path);
                if (mark != null) {
                    marks.put(path, mark);
                }
            }
        }
        return marks;
    }

    /** Null when it is no archive, or goes away while we look. */
    private static @Nullable Mark mark(Path path) throws IOException {
        String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.startsWith(".")) {
            return null; // hidden: what a copying program has not finished
        }
        try {
            if (Files.isDirectory(path.resolve("WEB-INF"))) {
                return markOfTree(path);
            }
            boolean archive = name.endsWith(".war") || name.endsWith(".sar");
            if (!archive || Files.isDirectory(path)) {
                return null;
            }
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new Mark(1, attributes.size(), attributes.lastModifiedTime().toMillis());
        } catch (java.nio.file.NoSuchFileException e) {
            return null;
        }
    }

    private static Mark markOfTree(Path tree) throws IOException {
        long[] sums = new long[3];
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        sums[0]++;
                        sums[1] += attributes.size();
                        sums[2] = Math.max(sums[2], attributes.lastModifiedTime().toMillis());
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        return FileVisitResult.CONTINUE; // gone while we look
                    }
                });
        return new Mark(sums[0], sums[1], sums[2]);
    }

    /** Whether it can be watched at all. */
    public static boolean usable(Path folder) {
        return Files.isDirectory(folder) && Files.isReadable(folder);
    }

    /** The folder, for messages. */
    public Path folder() {
        return folder;
    }
}
