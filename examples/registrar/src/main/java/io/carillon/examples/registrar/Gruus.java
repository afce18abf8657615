package io.carillon.examples.registrar;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.servlet.sip.SipURI;
import javax.sql.DataSource;

/**
 * GRUUs (RFC 5627): URIs that lead to one user agent of an address of record. The public one is the
 * address of record with the instance in its {@code gr} parameter. A temporary one shows neither:
 * its user part is a row's number and chance, encrypted and signed, so that nobody can tell whose
 * it is, or that two are of one user agent. Taking the row's number away makes all of them void.
 */
final class Gruus {
    private static final String PREFIX = "tgruu.";
    private static final int BLOCK_BYTES = 16;

    /** RFC 5627 A.2 takes 80 bits. */
    private static final int MAC_BYTES = 10;

    private static final int TRIES = 3;

    /** A row ends with the last binding of its instance: {@link Bindings} takes both away. */
    static final String TABLE =
            "CREATE TABLE IF NOT EXISTS registrar_gruu (aor VARCHAR(300) NOT NULL,"
                    + " instance VARCHAR(300) NOT NULL, id BIGINT NOT NULL UNIQUE,"
                    + " call_id VARCHAR(300) NOT NULL, PRIMARY KEY (aor, instance))";

    private final DataSource database;
    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec cipherKey;
    private final SecretKeySpec macKey;

    /** Whom a GRUU means. */
    static final class Owner {
        final String aor;
        final String instance;

        Owner(String aor, String instance) {
            this.aor = aor;
            this.instance = instance;
        }
    }

    Gruus(DataSource database) throws SQLException {
        this.database = database;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS registrar_secret (id INT NOT NULL PRIMARY KEY,"
                            + " secret VARCHAR(100) NOT NULL)");
        }
        byte[] secret = secret();
        cipherKey = new SecretKeySpec(secret, 0, BLOCK_BYTES, "AES");
        macKey = new SecretKeySpec(secret, BLOCK_BYTES, 2 * BLOCK_BYTES, "HmacSHA256");
    }

    /** One for all servers of this database, and for ever: GRUUs outlive a restart. */
    private byte[] secret() throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Connection connection = database.getConnection();
                    Statement select = connection.createStatement();
                    ResultSet row =
                            select.executeQuery(
                                    "SELECT secret FROM registrar_secret WHERE id = 1")) {
                if (row.next()) {
                    return Base64.getDecoder().decode(row.getString(1));
                }
            }
            byte[] made = new byte[3 * BLOCK_BYTES];
            random.nextBytes(made);
            try (Connection connection = database.getConnection();
                    PreparedStatement insert =
                            connection.prepareStatement(
                                    "INSERT INTO registrar_secret (id, secret) VALUES (1, ?)")) {
                insert.setString(1, Base64.getEncoder().encodeToString(made));
                insert.executeUpdate();
            } catch (SQLException e) {
                if (tries == TRIES || !"23505".equals(e.getSQLState())) {
                    throw e;
                } // another server was first: its secret counts
            }
        }
    }

    /**
     * RFC 5627 3.1.1: the same for ever.
     *
     * @param to the address of record as the user agent wrote it
     */
    static String publicGruu(SipURI to, String instance) {
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < instance.length(); i++) {
            char c = instance.charAt(i);
            // RFC 3261 25.1: what a URI parameter may hold.
            if (c < 128 && (Character.isLetterOrDigit(c) || "-_.!~*'()[]/:&+$".indexOf(c) >= 0)) {
                value.append(c);
            } else if (c < 128) {
                value.append('%').append(String.format("%02X", (int) c));
            }
        }
        return "sip:" + to.getUser() + "@" + host(to) + ";gr=" + value;
    }

    /**
     * A temporary GRUU that nobody has seen before.
     *
     * @param to the address of record as the user agent wrote it: its host is the GRUU's
     * @param callId of the REGISTER. RFC 5627 5.3: those given out before are void "when the
     *     contact is refreshed with a different Call-ID"
     * @param first no contact of this instance was registered before
     */
    String temporaryGruu(SipURI to, String instance, String callId, boolean first)
            throws SQLException {
        long id = id(Binding.addressOfRecord(to), instance, callId, first);
        byte[] plain =
                ByteBuffer.allocate(BLOCK_BYTES).putLong(id).putLong(random.nextLong()).array();
        byte[] hidden = crypt(Cipher.ENCRYPT_MODE, plain);
        byte[] token = Arrays.copyOf(hidden, BLOCK_BYTES + MAC_BYTES);
        System.arraycopy(sign(hidden), 0, token, BLOCK_BYTES, MAC_BYTES);
        String user = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        return "sip:" + user + "@" + host(to) + ";gr";
    }

    private static String host(SipURI to) {
        return to.getHost().toLowerCase(Locale.ROOT);
    }

    private long id(String aor, String instance, String callId, boolean first) throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Connection connection = database.getConnection()) {
                Long known = first ? null : known(connection, aor, instance, callId);
                if (known != null) {
                    return known;
                }
                forget(connection, aor, instance);
                long made = random.nextLong();
                try (PreparedStatement insert =
                        connection.prepareStatement(
                                "INSERT INTO registrar_gruu (aor, instance, id, call_id)"
                                        + " VALUES (?, ?, ?, ?)")) {
                    insert.setString(1, aor);
                    insert.setString(2, instance);
                    insert.setLong(3, made);
                    insert.setString(4, callId);
                    insert.executeUpdate();
                }
                return made;
            } catch (SQLException e) {
                if (tries == TRIES || !"23505".equals(e.getSQLState())) {
                    throw e;
                } // two registrations at once
            }
        }
    }

    private static Long known(Connection connection, String aor, String instance, String callId)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT id FROM registrar_gruu"
                                + " WHERE aor = ? AND instance = ? AND call_id = ?")) {
            select.setString(1, aor);
            select.setString(2, instance);
            select.setString(3, callId);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        }
    }

    /** The last contact of that instance is gone, and with it its temporary GRUUs. */
    static void forget(Connection connection, String aor, String instance) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM registrar_gruu WHERE aor = ? AND instance = ?")) {
            delete.setString(1, aor);
            delete.setString(2, instance);
            delete.executeUpdate();
        }
    }

    /** Null for what is no GRUU of ours, or no longer. */
    Owner owner(SipURI uri) throws SQLException {
        String gr = uri.getParameter("gr");
        String user = uri.getUser();
        if (gr == null || user == null) {
            return null;
        }
        if (!gr.isEmpty()) {
            return new Owner(Binding.addressOfRecord(uri), gr);
        }
        return user.startsWith(PREFIX) ? byToken(user.substring(PREFIX.length())) : null;
    }

    private Owner byToken(String text) throws SQLException {
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null; // not made here
        }
        if (token.length != BLOCK_BYTES + MAC_BYTES) {
            return null;
        }
        byte[] hidden = Arrays.copyOf(token, BLOCK_BYTES);
        byte[] written = Arrays.copyOfRange(token, BLOCK_BYTES, token.length);
        if (!MessageDigest.isEqual(Arrays.copyOf(sign(hidden), MAC_BYTES), written)) {
            return null;
        }
        long id = ByteBuffer.wrap(crypt(Cipher.DECRYPT_MODE, hidden)).getLong();
        try (Connection connection = database.getConnection();
                PreparedStatement select =
                        connection.prepareStatement(
                                "SELECT aor, instance FROM registrar_gruu WHERE id = ?")) {
            select.setLong(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new Owner(row.getString(1), row.getString(2)) : null;
            }
        }
    }

    private byte[] sign(byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(macKey);
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC with SHA-256", e);
        }
    }

    /** One block that is never the same twice: no mode is needed. */
    private byte[] crypt(int mode, byte[] block) {
        try {
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(mode, cipherKey);
            return cipher.doFinal(block);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES", e);
        }
    }
}
