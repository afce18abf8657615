package io.carillon.server;

import io.carillon.server.start.StartException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the arguments of {@code run} mean: archives, exploded applications, folders of archives. */
final class Archives {
    private Archives() {}

    /**
     * Each argument as the applications it stands for, in order.
     *
     * @throws StartException when an argument is no archive and no folder with one
     */
    static List<Path> of(List<Path> arguments) throws StartException {
        List<Path> archives = new ArrayList<>();
        for (Path argument : arguments) {
            if (!Files.exists(argument)) {
                throw new StartException(argument + ": there is no such file or folder");
            }
            if (!Files.isDirectory(argument)) {
                if (!isArchive(argument)) {
                    throw new StartException(
                            argument + ": an application is a .war, a .sar or a folder");
                }
                archives.add(argument);
            } else if (Files.isDirectory(argument.resolve("WEB-INF"))) {
                archives.add(argument);
            } else {
                archives.addAll(inFolder(argument));
            }
        }
        return archives;
    }

    private static List<Path> inFolder(Path folder) throws StartException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder, Archives::isArchive)) {
            entries.forEach(found::add);
        } catch (IOException e) {
            throw new StartException(folder + ": cannot be read", e);
        }
        if (found.isEmpty()) {
            throw new StartException(
                    folder
                            + ": neither an application (no WEB-INF) nor a folder with a .war or .sar");
        }
        found.sort(null);
        return found;
    }

    private static boolean isArchive(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".war") || name.endsWith(".sar");
    }
}
