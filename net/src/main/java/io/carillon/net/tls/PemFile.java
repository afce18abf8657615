package io.carillon.net.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The blocks of a PEM file (RFC 7468). Immutable. Text between blocks is passed over. */
final class PemFile {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final List<Block> blocks;

    /** One block. */
    static final class Block {
        private final String label;
        private final byte[] der;
        private final boolean enciphered;

        private Block(String label, byte[] der, boolean enciphered) {
            this.label = label;
            this.der = der;
            this.enciphered = enciphered;
        }

        /** As in {@code CERTIFICATE}. */
        String label() {
            return label;
        }

        /** Its contents, not copied: who has read a key may wipe it. Empty when enciphered. */
        byte[] der() {
            return der;
        }

        /** In the old way of OpenSSL, with headers inside of the block (RFC 1421). */
        boolean enciphered() {
            return enciphered;
        }
    }

    private PemFile(List<Block> blocks) {
        this.blocks = blocks;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** Does it look like PEM at all? PKCS#12 does not. */
    static boolean looksLike(String text) {
        return text.contains(BEGIN);
    }

    /**
     * Reads a file's text.
     *
     * @throws IllegalArgumentException when a block does not end or is no Base64
     */
    static PemFile parse(String text) {
        List<Block> blocks = new ArrayList<>();
        String label = null;
        boolean enciphered = false;
        StringBuilder body = new StringBuilder();
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            if (label == null) {
                if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
                    label = line.substring(BEGIN.length(), line.length() - DASHES.length());
                    enciphered = false;
                    body.setLength(0);
                }
            } else if (line.equals(END + label + DASHES)) {
                blocks.add(new Block(label, enciphered ? new byte[0] : decode(body), enciphered));
                label = null;
            } else if (line.indexOf(':') >= 0) {
                enciphered |= line.startsWith("Proc-Type:") && line.contains("ENCRYPTED");
            } else {
                body.append(line);
            }
        }
        if (label != null) {
            throw new IllegalArgumentException("its block " + label + " has no end");
        }
        return new PemFile(List.copyOf(blocks));
    }

    private static byte[] decode(StringBuilder body) {
        try {
            return Base64.getDecoder().decode(body.toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a block of it is no Base64", e);
        }
    }

    /** A block as text. */
    static String print(String label, byte[] der) {
        return BEGIN
                + label
                + DASHES
                + "\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n"
                + END
                + label
                + DASHES
                + "\n";
    }
}
