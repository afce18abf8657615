package io.carillon.server.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A line as it stands in the file: the entry, and the hash of the line before it, so that one that
 * was taken out or changed shows.
 *
 * @param entry itself
 * @param chain SHA-256 of the line before; empty for the first of all
 */
record AuditLine(AuditEntry entry, String chain) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Without the end of the line. */
    String text() {
        return JSON.writeValueAsString(this);
    }

    /** Null for one that was cut off as the process died. */
    static @Nullable AuditLine read(String line) {
        try {
            return JSON.readValue(line, AuditLine.class);
        } catch (JacksonException e) {
            return null; // told by whoever reads
        }
    }

    static String hash(String line) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(line.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
