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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the embedded database: a folder of its owner alone, and a password that was drawn at
 * random and lies beside them. Whoever gets hold of the database's file alone (a backup, a copy)
 * does not open it with a password that everybody knows.
 *
 * <p>With the monitor of {@link Database}; blocks.
 */
final class EmbeddedDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

    /** H2's error code for a wrong user name or password. */
    private static final int WRONG_PASSWORD = 28000;

    private static final int PASSWORD_BYTES = 32;

    private final Path folder;
    private final Path passwordFile;

    EmbeddedDatabase(Path folder) {
        this.folder = folder;
        this.passwordFile = folder.resolve("password");
    }

    @Override
    public String toString() {
        return "H2 in " + folder.toAbsolutePath().normalize();
    }

    /** What was committed is in the file before its writer goes on. */
    String url() {
        return new DatabaseUrl("jdbc:h2:file:" + folder.toAbsolutePath().resolve("carillon"))
                .toConnectBy();
    }

    /**
     * Makes the folder, or takes the rights of others from it and its files.
     *
     * @throws SQLException with a sentence for the user
     */
    void closeToOthers() throws SQLException {
        try {
            OwnFolder.makeHere(folder);
            OwnFolder.tightenFiles(folder, false);
        } catch (IOException e) {
            throw new SQLException("the folder of the database cannot be used: " + reason(e), e);
        }
    }

    /** As {@link #closeToOthers}, where there is a database already. */
    void closeToOthersIfThere() throws SQLException {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            closeToOthers();
        }
    }

    /** What H2 has made has the umask's rights: they are taken away again. */
    void tightenWhatWasMade() {
        try {
            OwnFolder.tightenFiles(folder, true);
        } catch (IOException e) {
            LOG.error("Files in {} may be readable by others: {}", folder, e.toString());
        }
    }

    /**
     * The password to open the database with; it is the database's own when this returns.
     *
     * @throws SQLException with a sentence for the user
     */
    String password(String user) throws SQLException {
        try {
            // By our loader: an application's, which may be the thread's, does not know it.
            Class.forName("org.h2.Driver", true, EmbeddedDatabase.class.getClassLoader());
            boolean there = Files.exists(folder.resolve("carillon.mv.db"));
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

    private boolean opens(String user, String password) throws SQLException {
        try (Connection open = DriverManager.getConnection(url(), user, password)) {
            return open.isValid(0);
        } catch (SQLException e) {
            if (e.getErrorCode() == WRONG_PASSWORD) {
                return false;
            }
            throw e;
        }
    }

    private void takeOver(String user, String password) throws SQLException {
        try (Connection open = DriverManager.getConnection(url(), user, "");
                Statement statement = open.createStatement()) {
            // Letters, digits, - and _ alone: nothing in it has to be escaped.
            statement.execute("SET PASSWORD '" + password + "'");
            LOG.info("The database {} has a password now; it lies in {}", folder, passwordFile);
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
