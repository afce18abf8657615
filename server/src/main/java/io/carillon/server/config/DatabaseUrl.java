package io.carillon.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC URL of the server's database, as somebody wrote it, and what is needed beside it so that
 * an answer to a phone is never ahead of the database's file.
 */
public final class DatabaseUrl {
    private static final String H2 = "jdbc:h2:";
    private static final String WRITE_DELAY = "WRITE_DELAY";
    private static final String CLOSE_ON_EXIT = "DB_CLOSE_ON_EXIT";

    private final String text;

    /**
     * @throws IllegalArgumentException when it is no URL of a database that is known, or one whose
     *     database would lose what it has acknowledged
     */
    public DatabaseUrl(String text) {
        this.text = text;
        if (!isH2() && !text.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "database.url must begin with jdbc:h2: or jdbc:postgresql:");
        }
        String delay = setting(WRITE_DELAY);
        if (delay != null && !delay.equals("0")) {
            throw new IllegalArgumentException(
                    "database.url has WRITE_DELAY="
                            + delay
                            + ", with which registrations that were answered with 200 are lost when"
                            + " the process is killed; leave it out, or write WRITE_DELAY=0");
        }
    }

    /** H2, in this process or elsewhere. */
    public boolean isH2() {
        return text.startsWith(H2);
    }

    /** H2 in memory: what it has is gone with the process. */
    public boolean isInMemory() {
        return isH2() && place().startsWith("mem:");
    }

    /** H2 in a process of its own. */
    private boolean isElsewhere() {
        return isH2() && (place().startsWith("tcp:") || place().startsWith("ssl:"));
    }

    /**
     * The URL to connect by. H2 leaves what was committed in its memory for half a second where
     * nothing else is said (its documentation, <i>Durability</i>); and its own hook would close the
     * database before the server has ended.
     */
    public String toConnectBy() {
        if (!isH2() || isInMemory()) {
            return text;
        }
        StringBuilder whole = new StringBuilder(text);
        if (setting(WRITE_DELAY) == null) {
            whole.append(";WRITE_DELAY=0");
        }
        if (setting(CLOSE_ON_EXIT) == null && !isElsewhere()) {
            whole.append(";DB_CLOSE_ON_EXIT=FALSE");
        }
        return whole.toString();
    }

    private String place() {
        return text.substring(H2.length());
    }

    private @Nullable String setting(String name) {
        if (!isH2()) {
            return null;
        }
        List<String> settings = settings();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals > 0 && setting.substring(0, equals).toUpperCase(Locale.ROOT).equals(name)) {
                return setting.substring(equals + 1).strip();
            }
        }
        return null;
    }

    /** What stands behind the name; {@code \;} belongs to a value. */
    private List<String> settings() {
        List<String> found = new ArrayList<>();
        int begin = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ';') {
                if (begin >= 0) {
                    found.add(text.substring(begin, i));
                }
                begin = i + 1;
            }
        }
        if (begin >= 0) {
            found.add(text.substring(begin));
        }
        return found;
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
