package io.carillon.net.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.InvalidKeySpecException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys, and finds what would only be noticed by the first peer: a key of
 * another certificate, one that is expired, a chain with a gap. One use, one thread.
 */
final class CredentialFiles {

    private static final int LEAST_RSA_BITS = 2048;
    private static final String CERTIFICATE = "CERTIFICATE";

    private final Instant now;
    private final Set<X500Principal> authorities;
    private final List<String> warnings = new ArrayList<>();

    /**
     * @param now for the dates
     * @param authorities names of those that chains may end at
     */
    CredentialFiles(Instant now, Set<X500Principal> authorities) {
        this.now = now;
        this.authorities = authorities;
    }

    /** What is no fault but should be mended; each a sentence. */
    List<String> warnings() {
        return warnings;
    }

    /**
     * Reads and checks one certificate with its key.
     *
     * @throws TlsFault naming the setting, the file, and what is allowed
     */
    Credential read(CertificateSource source) throws TlsFault {
        String at = source.at() + ".certificate";
        byte[] bytes = bytes(at, source.certificate());
        char[] password = password(source);
        try {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            Credential read =
                    PemFile.looksLike(text)
                            ? pem(source, text, password)
                            : pkcs12(source, bytes, password);
            check(read);
            return read;
        } finally {
            if (password != null) {
                Arrays.fill(password, '\0');
            }
        }
    }

    private static byte[] bytes(String at, Path file) throws TlsFault {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new TlsFault(at, file + ": there is no such file");
        } catch (IOException e) {
            throw new TlsFault(at, file + " cannot be read by this user");
        }
    }

    private char @Nullable [] password(CertificateSource source) throws TlsFault {
        Path file = source.keyPasswordFile();
        if (file == null) {
            return null;
        }
        String at = source.at() + ".key-password-file";
        byte[] bytes = bytes(at, file);
        warnOfReaders(file, "a password");
        String text = new String(bytes, StandardCharsets.UTF_8);
        Arrays.fill(bytes, (byte) 0);
        String first = text.lines().findFirst().orElse("");
        if (first.isEmpty()) {
            throw new TlsFault(at, file + ": its first line has to be the password");
        }
        return first.toCharArray();
    }

    private Credential pem(CertificateSource source, String text, char @Nullable [] password)
            throws TlsFault {
        String at = source.at() + ".certificate";
        PemFile certificates = pemFile(at, source.certificate(), text);
        List<X509Certificate> chain = certificates(at, source.certificate(), certificates);
        Path keyFile = source.key();
        String keyAt = source.at() + ".key";
        PemFile keys = certificates;
        if (keyFile == null) {
            keyFile = source.certificate();
        } else {
            byte[] bytes = bytes(keyAt, keyFile);
            keys = pemFile(keyAt, keyFile, new String(bytes, StandardCharsets.ISO_8859_1));
            Arrays.fill(bytes, (byte) 0);
        }
        warnOfReaders(keyFile, "a private key");
        try {
            PrivateKey key = PrivateKeys.find(keys, password);
            if (key == null) {
                throw new TlsFault(
                        keyAt,
                        keyFile
                                + " holds no private key; it has to be a PEM file with a block"
                                + " PRIVATE KEY, ENCRYPTED PRIVATE KEY, RSA PRIVATE KEY or EC"
                                + " PRIVATE KEY");
            }
            return new Credential(source, chain, key, names(source, chain.getFirst()));
        } catch (InvalidKeySpecException e) {
            throw new TlsFault(keyAt, keyFile + " " + e.getMessage());
        }
    }

    private static PemFile pemFile(String at, Path file, String text) throws TlsFault {
        try {
            return PemFile.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TlsFault(at, file + " is no whole PEM file: " + e.getMessage());
        }
    }

    /**
     * The certificates of a PEM file, in its order.
     *
     * @throws TlsFault when there is none
     */
    static List<X509Certificate> certificates(String at, Path file) throws TlsFault {
        String text = new String(bytes(at, file), StandardCharsets.ISO_8859_1);
        return certificates(at, file, pemFile(at, file, text));
    }

    private static List<X509Certificate> certificates(String at, Path file, PemFile pem)
            throws TlsFault {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemFile.Block block : pem.blocks()) {
                if (block.label().equals(CERTIFICATE)
                        && factory.generateCertificate(new ByteArrayInputStream(block.der()))
                                instanceof X509Certificate certificate) {
                    chain.add(certificate);
                }
            }
        } catch (CertificateException e) {
            throw new TlsFault(at, file + " holds a damaged certificate");
        }
        if (chain.isEmpty()) {
            throw new TlsFault(
                    at,
                    file
                            + " holds no certificate; it has to be a PEM file with a block"
                            + " CERTIFICATE, or PKCS#12");
        }
        return chain;
    }

    private Credential pkcs12(CertificateSource source, byte[] bytes, char @Nullable [] password)
            throws TlsFault {
        String at = source.at() + ".certificate";
        Path file = source.certificate();
        if (bytes.length == 0 || bytes[0] != DerWriter.SEQUENCE) {
            throw new TlsFault(at, file + " is neither PEM nor PKCS#12");
        }
        if (source.key() != null) {
            throw new TlsFault(
                    source.at() + ".key",
                    "beside a PKCS#12 file no key is named: it is in that file, " + file);
        }
        if (password == null) {
            throw new TlsFault(
                    at,
                    file + " is PKCS#12; key-password-file has to name a file with its password");
        }
        warnOfReaders(file, "a private key");
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)
                        && store.getKey(alias, password) instanceof PrivateKey key) {
                    List<X509Certificate> chain = new ArrayList<>();
                    for (Certificate one : store.getCertificateChain(alias)) {
                        if (one instanceof X509Certificate certificate) {
                            chain.add(certificate);
                        }
                    }
                    return new Credential(source, chain, key, names(source, chain.getFirst()));
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsFault(at, file + " cannot be opened with the password given");
        }
        throw new TlsFault(at, file + " holds no private key");
    }

    private static List<String> names(CertificateSource source, X509Certificate certificate) {
        List<String> names =
                source.names().isEmpty() ? PeerIdentities.domains(certificate) : source.names();
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private void warnOfReaders(Path file, String what) {
        try {
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
            if (rights.contains(PosixFilePermission.OTHERS_READ)) {
                warnings.add(
                        file
                                + " holds "
                                + what
                                + " and everybody on this machine may read it: chmod o= "
                                + file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            warnings.add(file + ": who may read it is not to be seen (" + e.getMessage() + ")");
        }
    }

    private void check(Credential read) throws TlsFault {
        String at = read.source().at() + ".certificate";
        Path file = read.source().certificate();
        X509Certificate own = read.certificate();
        if (!belongs(read.key(), own)) {
            throw new TlsFault(
                    read.source().at() + (read.source().key() == null ? ".certificate" : ".key"),
                    "the key does not belong to the certificate in " + file);
        }
        if (read.key() instanceof RSAKey rsa && rsa.getModulus().bitLength() < LEAST_RSA_BITS) {
            throw new TlsFault(
                    at,
                    file
                            + " is for an RSA key of "
                            + rsa.getModulus().bitLength()
                            + " bits; it has to have at least "
                            + LEAST_RSA_BITS);
        }
        if (now.isAfter(own.getNotAfter().toInstant())) {
            throw new TlsFault(at, file + " is expired since " + own.getNotAfter().toInstant());
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            throw new TlsFault(at, file + " is not valid before " + own.getNotBefore().toInstant());
        }
        for (X509Certificate one : read.chain()) {
            if (now.isAfter(one.getNotAfter().toInstant())) {
                warnings.add(
                        file
                                + ": in its chain "
                                + CertificateText.of(one.getSubjectX500Principal())
                                + " is expired since "
                                + one.getNotAfter().toInstant());
            }
        }
        checkChain(at, read);
    }

    /** RFC 8446 4.4.2: the sender's certificate first, each next one certifying the one before. */
    private void checkChain(String at, Credential read) throws TlsFault {
        List<X509Certificate> chain = read.chain();
        Path file = read.source().certificate();
        for (int i = 0; i + 1 < chain.size(); i++) {
            if (!signed(chain.get(i), chain.get(i + 1))) {
                throw new TlsFault(
                        at,
                        file
                                + ": certificate "
                                + (i + 2)
                                + " of the chain has to be that of "
                                + CertificateText.of(chain.get(i).getIssuerX500Principal())
                                + ", and is that of "
                                + CertificateText.of(chain.get(i + 1).getSubjectX500Principal()));
            }
        }
        X509Certificate last = chain.getLast();
        if (!signed(last, last) && !authorities.contains(last.getIssuerX500Principal())) {
            throw new TlsFault(
                    at,
                    file
                            + ": the chain is incomplete; append the certificate of "
                            + CertificateText.of(last.getIssuerX500Principal())
                            + " to the file, or name it in tls.trust when it is a root");
        }
    }

    private static boolean signed(X509Certificate one, X509Certificate by) {
        if (!one.getIssuerX500Principal().equals(by.getSubjectX500Principal())) {
            return false;
        }
        try {
            one.verify(by.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean belongs(PrivateKey key, X509Certificate certificate) {
        if (!key.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm())) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(
                            key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            byte[] probe = certificate.getSignature();
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The names of certificates, for {@code authorities}. */
    static Set<X500Principal> subjects(Iterable<X509Certificate> certificates) {
        Set<X500Principal> names = new HashSet<>();
        certificates.forEach(one -> names.add(one.getSubjectX500Principal()));
        return names;
    }
}
