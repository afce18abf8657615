package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders and files of call records are the owner's alone: they say who calls whom. */
final class SpoolFolder {
    private SpoolFolder() {}

    static Path make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Path parent = folder.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (posix(folder)) {
                Files.createDirectory(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(folder);
            }
        }
        return folder;
    }

    /** Makes an empty file that only its owner reads. */
    static void ownersOnly(Path file) throws IOException {
        try {
            if (posix(file)) {
                Files.createFile(
                        file,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-r-----")));
            } else {
                Files.createFile(file);
            }
        } catch (FileAlreadyExistsException e) {
            // It keeps the permissions that its owner gave it.
            return;
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
