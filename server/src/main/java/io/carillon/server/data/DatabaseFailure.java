package io.carillon.server.data;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Why the database is of no use now.
 *
 * @param sentence for the user: what is wrong, and where
 * @param cause as the driver said it
 */
record DatabaseFailure(String sentence, Throwable cause) {
    /** H2: "The database has been closed", by H2 itself when it could not write. */
    private static final int CLOSED = 90098;

    private static final int GENERAL_ERROR = 50000;

    /**
     * Has H2 given up the whole database, and not just one statement? It closes it when its file
     * cannot be written, and stays closed until every connection has gone.
     */
    static boolean isFatal(SQLException e) {
        return e.getErrorCode() == CLOSED
                || (e.getErrorCode() == GENERAL_ERROR && fromStore(e.getCause()));
    }

    private static boolean fromStore(@Nullable Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t.getClass().getName().equals("org.h2.mvstore.MVStoreException")) {
                return true;
            }
        }
        return false;
    }

    /** Did the operating system refuse something, as it does when a disk is full? */
    static boolean isOfFiles(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof IOException;
    }

    /** What lies under it all, in one line. */
    static String root(Throwable e) {
        String text = e.toString();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                text = cause.getMessage();
            }
        }
        int line = text.indexOf('\n');
        return line < 0 ? text : text.substring(0, line);
    }
}
