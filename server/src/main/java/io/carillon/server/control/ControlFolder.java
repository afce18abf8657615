package io.carillon.server.control;

import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folder of control sockets: one socket for each running server, named by its process. */
public final class ControlFolder {
    /** The system's limit for the path of a Unix socket is 108 bytes on Linux, 104 on macOS. */
    private static final int LONGEST_PATH = 100;

    private final Path folder;

    private ControlFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * The folder to use: the configured one; else Carillon's own; where that is too long for a
     * socket's path, one in the folder for temporary files that is made for this user and in its
     * place.
     */
    public static ControlFolder of(@Nullable Path configured, Path usual) {
        if (configured != null) {
            return new ControlFolder(configured.toAbsolutePath());
        }
        Path own = usual.toAbsolutePath();
        if (length(own.resolve("1234567.sock")) <= LONGEST_PATH) {
            return new ControlFolder(own);
        }
        String name =
                "carillon-"
                        + System.getProperty("user.name")
                        + "-"
                        + Integer.toHexString(own.hashCode());
        return new ControlFolder(Path.of(System.getProperty("java.io.tmpdir", "/tmp"), name));
    }

    /** The socket of a process. */
    public Path socket(long pid) {
        return folder.resolve(pid + ".sock");
    }

    /**
     * Makes the folder, open to its owner only.
     *
     * @throws IOException when it cannot be made, or belongs to or is open to others
     */
    public void create() throws IOException {
        OwnFolder.make(folder);
    }

    /**
     * The sockets in the folder, of running and of dead servers.
     *
     * @throws IOException when somebody else can have put them there: a server would be asked, and
     *     told secrets, that is not ours
     */
    public List<Path> sockets() throws IOException {
        List<Path> found = new ArrayList<>();
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return found;
        }
        OwnFolder.check(folder);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.sock")) {
            entries.forEach(found::add);
        }
        found.sort(null);
        return found;
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
