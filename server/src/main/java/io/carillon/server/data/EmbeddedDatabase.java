package io.carillon.server.data;

import io.carillon.server.config.DatabaseUrl;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the embedded database: a folder of its owner alone, and a password that was drawn at
 * random and lies beside them. Whoever gets hold of the database's file alone (a backup, a copy)
 * does not open it with a password that everybody knows.
 *
 * <p>Where the configuration names a file of H2, that file and those beside it that begin with its
 * name are the owner's alone; their folder, which may hold other things, is left as it is where it
 * is there. Without a password of the configuration's the database gets one too.
 *
 * <p>With the monitor of {@link Database}; blocks.
 */
final class EmbeddedDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

    /** H2's error code for a wrong user name or password. */
    private static final int WRONG_PASSWORD = 28000;

    private static final int PASSWORD_BYTES = 32;

    private final H2Url url;
    private final Path folder;

    /** Nothing but the database is in the folder. */
    private final boolean alone;

    private final Path passwordFile;

    /** Where the settings name none. */
    EmbeddedDatabase(Path folder) {
        Path file = folder.toAbsolutePath().resolve("carillon");
        this.url = new H2Url(new DatabaseUrl("jdbc:h2:file:" + file).toConnectBy(), file);
        this.folder = folder;
        this.alone = true;
        this.passwordFile = folder.resolve("password");
    }

    @Override
    public String toString() {
        return "H2 in " + folder.toAbsolutePath().normalize();
    }

    /** At a URL of the settings. */
    EmbeddedDatabase(H2Url url) {
        this.url = url;
        this.folder = url.folder();
        this.alone = false;
        this.passwordFile = url.beside(".password");
    }

    String url() {
        return url.text();
    }

    /** False where the URL says the password itself, or one for its encryption. */
    boolean wantsPassword() {
        return !url.has("PASSWORD") && !url.has("CIPHER");
    }

    /**
     * Makes the folder, or takes the rights of others from it and its files.
     *
     * @throws SQLException with a sentence for the user
     */
    void closeToOthers() throws SQLException {
        try {
            if (alone) {
                OwnFolder.makeHere(folder);
            } else if (!Files.exists(folder)) {
                OwnFolder.make(folder);
            }
            tighten(false);
            if (!alone && !url.has("IFEXISTS") && !Files.exists(file())) {
                // Made here for its owner alone: H2 takes an empty file for a new database.
                OwnFolder.write(file(), new byte[0]);
            }
        } catch (IOException e) {
            throw new SQLException("the folder of the database cannot be used: " + reason(e), e);
        }
    }

    /** As {@link #closeToOthers}, where there is a database already. */
    void closeToOthersIfThere() throws SQLException {
        if (Files.exists(alone ? folder : file(), LinkOption.NOFOLLOW_LINKS)) {
            closeToOthers();
        }
    }

    Path file() {
        return url.beside(".mv.db");
    }

    /** It need not be there. */
    Path passwordFile() {
        return passwordFile;
    }

    private void tighten(boolean quietly) throws IOException {
        if (alone) {
            OwnFolder.tightenFiles(folder, quietly);
        } else {
            OwnFolder.tightenFiles(folder, url.name() + ".", quietly);
        }
    }

    /** What H2 has made has the umask's rights: they are taken away again. */
    void tightenWhatWasMade() {
        try {
            tighten(true);
        } catch (IOException e) {
            LOG.error("Files in {} may be readable by others: {}", folder, e.toString());
        }
    }

    /**
     * The password to open the database with; it is the database's own when this returns.
     *
     * @throws SQLException with a sentence for the user
     */
    String password(@Nullable String user) throws SQLException {
        try {
            // By our loader: an application's, which may be the thread's, does not know it.
            Class.forName("org.h2.Driver", true, EmbeddedDatabase.class.getClassLoader());
            boolean there = Files.exists(file());
            if (!Files.exists(passwordFile)) {
                if (there && !opens(user, "")) {
                    throw new SQLException(
                            passwordFile
                                    + " is gone, which holds the password of the database beside"
                                    + " it; bring it back");
                }
                OwnFolder.write(passwordFile, drawn().getBytes(StandardCharsets.US_ASCII));
            }
            String password = Files.readString(passwordFile).strip();
            // The file is written first: an end of the process in between costs nothing.
            if (there && !opens(user, password)) {
                takeOver(user, password);
            }
            return password;
        } catch (ClassNotFoundException e) {
            throw new SQLException("H2 is not on the class path", e);
        } catch (IOException e) {
            throw new SQLException(passwordFile + " cannot be used: " + reason(e), e);
        }
    }

    private Connection connect(@Nullable String user, String password) throws SQLException {
        Properties who = new Properties();
        if (user != null) {
            who.setProperty("user", user); // else the URL may say it
        }
        who.setProperty("password", password);
        return DriverManager.getConnection(url(), who);
    }

    private boolean opens(@Nullable String user, String password) throws SQLException {
        try (Connection open = connect(user, password)) {
            return open.isValid(0);
        } catch (SQLException e) {
            if (e.getErrorCode() == WRONG_PASSWORD) {
                return false;
            }
            throw e;
        }
    }

    private void takeOver(@Nullable String user, String password) throws SQLException {
        try (Connection open = connect(user, "");
                Statement statement = open.createStatement()) {
            // Letters, digits, - and _ alone: nothing in it has to be escaped.
            statement.execute("SET PASSWORD '" + password + "'");
            LOG.info("The database {} has a password now; it lies in {}", file(), passwordFile);
        } catch (SQLException e) {
            if (e.getErrorCode() == WRONG_PASSWORD) {
                throw new SQLException(
                        "the password in "
                                + passwordFile
                                + " is not that of the database beside it",
                        e);
            }
            throw e;
        }
    }

    private static String drawn() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String reason(IOException e) {
        return e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
    }
}
