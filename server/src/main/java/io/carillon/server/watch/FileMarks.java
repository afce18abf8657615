package io.carillon.server.watch;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** How files look from outside at one moment: another mark, another content. Immutable. */
record FileMarks(Map<Path, Mark> files, Set<Path> folders) {

    /** Of one file. */
    record Mark(long bytes, long changedNanos, Object key) {}

    /** Looks at files and folders, those of editors not; those that are not there have no mark. */
    static FileMarks of(List<Path> roots) throws IOException {
        Map<Path, Mark> files = new HashMap<>();
        Set<Path> folders = new TreeSet<>();
        for (Path root : roots) {
            if (Files.exists(root)) {
                Files.walkFileTree(root, new Look(root, files, folders));
            }
        }
        return new FileMarks(files, folders);
    }

    /** Files that are new, changed or gone since. */
    Set<Path> changedSince(FileMarks before) {
        Set<Path> changed = new TreeSet<>();
        files.forEach((file, mark) -> {
            if (!mark.equals(before.files.get(file))) {
                changed.add(file);
            }
        });
        for (Path file : before.files.keySet()) {
            if (!files.containsKey(file)) {
                changed.add(file);
            }
        }
        return changed;
    }

    private static final class Look extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Map<Path, Mark> files;
        private final Set<Path> folders;

        Look(Path root, Map<Path, Mark> files, Set<Path> folders) {
            this.root = root;
            this.files = files;
            this.folders = folders;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (!folder.equals(root) && EditorFiles.has(folder)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            folders.add(folder);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!EditorFiles.has(file)) {
                files.put(
                        file,
                        new Mark(
                                attributes.size(),
                                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                                String.valueOf(attributes.fileKey())));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // gone while we look
        }
    }
}
