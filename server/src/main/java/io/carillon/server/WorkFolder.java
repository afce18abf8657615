package io.carillon.server;

import io.carillon.server.start.StartException;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of processes of one home, each named by its process: unpacked archives, and what the
 * flight recorder writes. What a killed process left goes when the next one begins. One thread.
 */
final class WorkFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);

    private final Path folder;

    private WorkFolder(Path folder) {
        this.folder = folder;
    }

    /** The folder of this process, fresh; those of dead processes go. */
    static WorkFolder open(Path parent) throws StartException {
        Path folder = ofThisProcess(parent);
        try {
            OwnFolder.makeHere(parent);
            try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
                for (Path old : all) {
                    long pid = pid(old);
                    if (old.equals(folder) || ProcessHandle.of(pid).isEmpty()) {
                        OwnFolder.delete(old);
                    }
                }
            }
            return new WorkFolder(Files.createDirectory(folder));
        } catch (IOException e) {
            throw new StartException(
                    "the folder for unpacked archives, " + parent + ", cannot be used: " + e, e);
        }
    }

    /** Where the folder of this process is, or will be. */
    static Path ofThisProcess(Path parent) {
        return parent.resolve(Long.toString(ProcessHandle.current().pid()));
    }

    Path path() {
        return folder;
    }

    @Override
    public void close() {
        try {
            OwnFolder.delete(folder);
        } catch (IOException e) {
            LOG.warn("The folder {} could not be removed: {}", folder, e.toString());
        }
    }

    /** The process that a folder is named by; -1, which no process has, for another name. */
    private static long pid(Path folder) {
        String name = folder.getFileName().toString();
        return name.matches("\\d{1,10}") ? Long.parseLong(name) : -1;
    }
}
