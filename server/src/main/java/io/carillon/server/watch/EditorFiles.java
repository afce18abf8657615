package io.carillon.server.watch;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Files that editors and other tools keep for themselves beside those of a project. Stateless. */
final class EditorFiles {
    /** Hidden files, copies of what was before, and what a careful save writes first. */
    private static final Pattern NAMES =
            Pattern.compile("\\..*|.*~|.*___jb_(tmp|old)___|4913|.*\\.(swp|swx|bak|tmp)");

    private EditorFiles() {}

    /** Is it none of the project's own? */
    static boolean has(Path path) {
        return NAMES.matcher(String.valueOf(path.getFileName())).matches();
    }
}
