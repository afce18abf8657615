package io.carillon.server.watch;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for files to change. The system tells at once where it can; where it cannot, as on some
 * shared folders, the files are looked at each second. Owner: one thread.
 */
final class FolderChanges implements AutoCloseable {
    private static final long LOOK_EVERY_MILLIS = 1000;

    /** So long nothing may change before what was saved is taken as whole. */
    private static final long SETTLED_MILLIS = 30;

    private final WatchService told;
    private final Map<Path, WatchKey> keys = new HashMap<>();
    private List<Path> roots;
    private FileMarks seen;
    private @Nullable String deaf;

    FolderChanges(List<Path> roots) throws IOException {
        this.told = FileSystems.getDefault().newWatchService();
        this.roots = roots;
        this.seen = FileMarks.of(roots);
        listen();
    }

    /**
     * Looks elsewhere from now on; what was changed at places that it has looked at already is not
     * forgotten.
     */
    void watchToo(List<Path> others) throws IOException {
        if (!others.equals(roots)) {
            FileMarks there = FileMarks.of(others);
            Map<Path, FileMarks.Mark> marks = new HashMap<>(there.files());
            marks.replaceAll((file, mark) -> seen.files().getOrDefault(file, mark));
            roots = others;
            seen = new FileMarks(marks, there.folders());
            listen();
        }
    }

    /**
     * Waits a second at most.
     *
     * @return what has changed since the last time; empty: nothing
     */
    Set<Path> await() throws IOException, InterruptedException {
        try {
            WatchKey key = told.poll(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            drain(key);
        } catch (ClosedWatchServiceException e) {
            throw new IOException("the folder is watched no more", e);
        }
        FileMarks now = FileMarks.of(roots);
        if (now.changedSince(seen).isEmpty()) {
            return Set.of();
        }
        FileMarks last;
        do {
            last = now;
            TimeUnit.MILLISECONDS.sleep(SETTLED_MILLIS);
            now = FileMarks.of(roots);
        } while (!now.changedSince(last).isEmpty());
        Set<Path> changed = now.changedSince(seen);
        seen = now;
        listen();
        return changed;
    }

    private void drain(@Nullable WatchKey first) {
        for (WatchKey key = first; key != null; key = told.poll()) {
            key.pollEvents();
            key.reset();
        }
    }

    /** Folders that are new are listened to, those that are gone no more. */
    private void listen() {
        Iterator<Map.Entry<Path, WatchKey>> all = keys.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Path, WatchKey> one = all.next();
            if (!one.getValue().isValid()) {
                all.remove();
            }
        }
        for (Path folder : seen.folders()) {
            add(folder);
        }
        for (Path root : roots) {
            if (seen.files().containsKey(root) && root.getParent() != null) {
                add(root.getParent());
            }
        }
    }

    private void add(Path folder) {
        if (keys.containsKey(folder)) {
            return;
        }
        try {
            keys.put(
                    folder,
                    folder.register(
                            told,
                            StandardWatchEventKinds.ENTRY_CREATE,
                            StandardWatchEventKinds.ENTRY_DELETE,
                            StandardWatchEventKinds.ENTRY_MODIFY));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return; // gone again: the next look finds that
        } catch (IOException e) {
            deaf = String.valueOf(e.getMessage()); // it is looked at each second nevertheless
        }
    }

    /** Why the system does not tell of all changes at once; null where it does. */
    @Nullable String deaf() {
        return deaf;
    }

    @Override
    public void close() throws IOException {
        told.close();
    }
}
