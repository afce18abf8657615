package io.carillon.net.tls;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Private keys out of PEM: PKCS#8, enciphered or not, and the older forms of RSA (PKCS#1) and of
 * elliptic curves (SEC 1). No message holds a part of a key or a password.
 */
final class PrivateKeys {

    private static final String RSA = "1.2.840.113549.1.1.1";
    private static final String EC = "1.2.840.10045.2.1";
    private static final String PBES2 = "1.2.840.113549.1.5.13";

    private PrivateKeys() {}

    /**
     * The first private key of a file; null when there is none.
     *
     * @param password of an enciphered one, or null
     * @throws InvalidKeySpecException with the second half of a sentence that begins with the file
     */
    static @Nullable PrivateKey find(PemFile file, char @Nullable [] password)
            throws InvalidKeySpecException {
        byte[] curve = null;
        for (PemFile.Block block : file.blocks()) {
            if (block.enciphered()) {
                throw new InvalidKeySpecException(
                        "holds a key that is enciphered in OpenSSL's old form; convert it with"
                                + " 'openssl pkcs8 -topk8 -in OLD -out NEW'");
            }
            switch (block.label()) {
                case "EC PARAMETERS" -> curve = block.der();
                case "PRIVATE KEY" -> {
                    return pkcs8(block.der());
                }
                case "ENCRYPTED PRIVATE KEY" -> {
                    return pkcs8(decipher(block.der(), password));
                }
                case "RSA PRIVATE KEY" -> {
                    return pkcs8(
                            wrap(DerWriter.oid(RSA), DerWriter.of(DerWriter.NULL), block.der()));
                }
                case "EC PRIVATE KEY" -> {
                    return pkcs8(wrap(DerWriter.oid(EC), curve(block.der(), curve), block.der()));
                }
                default -> {}
            }
        }
        return null;
    }

    /** RFC 5958: the version, whose key it is, the key itself. */
    private static byte[] wrap(byte[] algorithm, byte[] parameters, byte[] key) {
        return DerWriter.of(
                DerWriter.SEQUENCE,
                DerWriter.integer(0),
                DerWriter.of(DerWriter.SEQUENCE, algorithm, parameters),
                DerWriter.of(DerWriter.OCTET_STRING, key));
    }

    /** RFC 5915 3: the curve stands in the key, else in the block before it. */
    private static byte[] curve(byte[] key, byte @Nullable [] before)
            throws InvalidKeySpecException {
        DerReader parts = new DerReader(key).enter(DerWriter.SEQUENCE);
        parts.enter(DerWriter.INTEGER);
        parts.enter(DerWriter.OCTET_STRING);
        if (parts.more() && parts.peek() == 0xa0) {
            return parts.enter(0xa0).rest();
        }
        if (before == null) {
            throw new InvalidKeySpecException("holds a key that does not name its curve");
        }
        return before;
    }

    private static byte[] decipher(byte[] der, char @Nullable [] password)
            throws InvalidKeySpecException {
        if (password == null) {
            throw new InvalidKeySpecException(
                    "holds an enciphered key; its password belongs into a file that"
                            + " key-password-file names");
        }
        PBEKeySpec secret = new PBEKeySpec(password);
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            AlgorithmParameters parameters = info.getAlgParameters();
            String name = info.getAlgName();
            if (parameters != null && (name.equals(PBES2) || name.equals("PBES2"))) {
                name = parameters.toString();
            }
            return info.getKeySpec(SecretKeyFactory.getInstance(name).generateSecret(secret))
                    .getEncoded();
        } catch (InvalidKeyException | InvalidKeySpecException e) {
            throw new InvalidKeySpecException("cannot be opened with the password given", e);
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new InvalidKeySpecException(
                    "is enciphered in a way that is not known here; make it anew with"
                            + " 'openssl pkcs8 -topk8 -v2 aes-256-cbc'",
                    e);
        } finally {
            secret.clearPassword();
        }
    }

    private static PrivateKey pkcs8(byte[] der) throws InvalidKeySpecException {
        DerReader parts = new DerReader(der).enter(DerWriter.SEQUENCE);
        parts.enter(DerWriter.INTEGER);
        byte[] algorithm = parts.enter(DerWriter.SEQUENCE).enter(DerWriter.OID).rest();
        String name;
        if (Arrays.equals(DerWriter.of(DerWriter.OID, algorithm), DerWriter.oid(RSA))) {
            name = "RSA";
        } else if (Arrays.equals(DerWriter.of(DerWriter.OID, algorithm), DerWriter.oid(EC))) {
            name = "EC";
        } else {
            throw new InvalidKeySpecException("holds a key of another kind than RSA and EC");
        }
        try {
            return KeyFactory.getInstance(name).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
            throw new InvalidKeySpecException("holds a damaged key", e);
        } finally {
            Arrays.fill(der, (byte) 0);
        }
    }
}
