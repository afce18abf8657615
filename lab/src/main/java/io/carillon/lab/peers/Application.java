package io.carillon.lab.peers;

import io.carillon.lab.process.Folders;
import java.nio.file.Path;

/**
 * What the servlet containers of a comparison run, and whom the calls are for.
 *
 * @param name of the example, or the one by which the router knows the user's own archive
 * @param archive file of the user's own archive; empty: the example of each checkout
 * @param user user part of the calls' Request-URIs; empty: as the load has it
 * @param execution where its handlers run as it stands, as {@code io.carillon.execution} has it
 */
public record Application(String name, String archive, String user, String execution) {
    /** Both examples that can be compared declare this. */
    private static final String OF_EXAMPLES = "non-blocking";

    /** The example of that name, called as the load does it. */
    public static Application example(String name) {
        return new Application(name, "", "", OF_EXAMPLES);
    }

    /** Whether it is the user's own. */
    public boolean isOwn() {
        return !archive.isEmpty();
    }

    /** The file that a server of this checkout runs. */
    public Path file(Path checkout) {
        return isOwn() ? Path.of(archive) : Folders.example(checkout, name);
    }

    /** What it is, for the results. */
    public String description() {
        return isOwn()
                ? "Archive "
                        + archive
                        + ", whose own execution is "
                        + execution
                        + "; calls go to the user "
                        + user
                : "Example " + name + ", which declares itself " + execution;
    }
}
