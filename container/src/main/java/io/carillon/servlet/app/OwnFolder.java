package io.carillon.servlet.app;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders and files that hold secrets, or code that will run: only the user of this process may
 * read or write them, whatever the umask says. Where a file system knows no such rights nothing is
 * checked. Stateless; any thread; blocks.
 */
public final class OwnFolder {
    private static final Logger LOG = LoggerFactory.getLogger(OwnFolder.class);
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");

    private OwnFolder() {}

    /**
     * As {@link #make}, for a folder that an operator may have put elsewhere: a link to one on
     * another disk is followed, and one of root's, as the root of a mounted volume is, is taken as
     * it is where nobody but root and its group can write.
     *
     * @throws IOException when it is no folder, or another user's: in a sentence
     */
    public static void makeHere(Path named) throws IOException {
        Path folder = Files.isSymbolicLink(named) ? named.toRealPath() : named;
        if (!Files.exists(folder) || !posix(folder) || !ofRoot(folder)) {
            make(folder);
        }
    }

    /**
     * Makes the folder, and those above it that are missing, or takes the rights of others from one
     * that is there; that is logged.
     *
     * @throws IOException when it is a symbolic link, no folder, or another user's: in a sentence
     */
    public static void make(Path folder) throws IOException {
        if (!posix(folder)) {
            Files.createDirectories(folder);
            return;
        }
        create(folder);
        Set<PosixFilePermission> before = ours(folder);
        if (!before.equals(FOLDER)) {
            Files.setPosixFilePermissions(folder, FOLDER);
            told(folder, before);
        }
    }

    /** Is it root's, who is not us, and may we and nobody but its group write in it? */
    private static boolean ofRoot(Path folder) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        return attributes.isDirectory()
                && attributes.owner().getName().equals("root")
                && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                && Files.isWritable(folder)
                && !attributes.owner().equals(user());
    }

    /**
     * Makes a folder that is to hold others of ours, and is perhaps shared.
     *
     * @throws IOException when it belongs to neither us nor root: in a sentence
     */
    public static void makeShared(Path folder) throws IOException {
        if (!posix(folder)) {
            Files.createDirectories(folder);
            return;
        }
        create(folder);
        UserPrincipal owner = Files.getOwner(folder);
        if (!owner.getName().equals("root") && !owner.equals(user())) {
            throw new IOException(folder + " belongs to " + owner.getName());
        }
    }

    /**
     * Is it a folder that only this user can have put something into?
     *
     * @throws IOException when not: in a sentence that says what to do
     */
    public static void check(Path folder) throws IOException {
        if (!posix(folder)) {
            return;
        }
        Set<PosixFilePermission> rights = ours(folder);
        if (!rights.equals(FOLDER)) {
            throw new IOException(
                    folder
                            + " has the rights "
                            + PosixFilePermissions.toString(rights)
                            + ", so others could have put something there; look who did, then:"
                            + " chmod 700 "
                            + folder);
        }
    }

    /**
     * Takes the rights of others from the files in the folder; that is logged, but for new ones.
     */
    public static void tightenFiles(Path folder, boolean quietly) throws IOException {
        tightenFiles(folder, "", quietly);
    }

    /** As {@link #tightenFiles(Path, boolean)}, for files whose names begin so: others stay. */
    public static void tightenFiles(Path folder, String begin, boolean quietly) throws IOException {
        if (!posix(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (String.valueOf(file.getFileName()).startsWith(begin)
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    tighten(file, quietly);
                }
            }
        }
    }

    private static void tighten(Path file, boolean quietly) throws IOException {
        Set<PosixFilePermission> before =
                Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        if (!FILE.containsAll(before)) {
            Files.setPosixFilePermissions(file, FILE);
            if (!quietly) {
                told(file, before);
            }
        }
    }

    /** Writes a file; one that was not there is made for this user alone. */
    public static void write(Path file, byte[] bytes) throws IOException {
        FileAttribute<?>[] rights =
                posix(file)
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
                        : new FileAttribute<?>[0];
        Set<StandardOpenOption> options =
                EnumSet.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SYNC);
        try (var channel = Files.newByteChannel(file, options, rights)) {
            var buffer = java.nio.ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    private static void create(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        }
    }

    /** Its rights, when it is a folder and ours. */
    private static Set<PosixFilePermission> ours(Path folder) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isSymbolicLink()) {
            throw new IOException(
                    folder + " is a symbolic link; a folder is needed that only you can change");
        }
        if (!attributes.isDirectory()) {
            throw new IOException(folder + " is no folder");
        }
        UserPrincipal user = user();
        if (!attributes.owner().equals(user)) {
            throw new IOException(
                    folder
                            + " belongs to "
                            + attributes.owner().getName()
                            + ", and this process runs as "
                            + user.getName()
                            + ": run it as its owner, or give the folder away (chown)");
        }
        return attributes.permissions();
    }

    /** By a file that we make: names of users may mislead, and may not be there. */
    private static UserPrincipal user() throws IOException {
        Path probe = Files.createTempFile("carillon-owner", ".probe");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static void told(Path path, Set<PosixFilePermission> before) {
        LOG.warn(
                "{} could be used by others ({}); now only its owner can",
                path,
                PosixFilePermissions.toString(before));
    }

    /**
     * Deletes a folder with all that is in it. Somebody else may be at the same work, as an
     * application that ends is while the server removes the folder of all of them: what he took is
     * gone, which is no failure.
     *
     * @throws IOException when something is there that cannot be deleted
     */
    public static void delete(Path tree) throws IOException {
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException failure) throws IOException {
                        if (failure != null && !(failure instanceof NoSuchFileException)) {
                            throw failure;
                        }
                        Files.deleteIfExists(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
