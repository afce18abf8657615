package io.carillon.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.tls.CertificateMaker.Made;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every form of certificate and key that is read, and every fault that is told. */
class CredentialFilesTest {

    private static final String PASSWORD = "Vogelnest 12";

    private final Made own = TlsFiles.signed("sip.example.com");
    private TlsFiles files;
    private CredentialFiles reader;

    @BeforeEach
    void start(@TempDir Path folder) {
        files = new TlsFiles(folder);
        reader =
                new CredentialFiles(
                        TlsFiles.NOW,
                        CredentialFiles.subjects(List.of(TlsFiles.AUTHORITY.certificate())));
    }

    private Credential read(String certificates, String key) throws TlsFault {
        return reader.read(
                new CertificateSource(
                        "certificates[0]",
                        files.write("a.crt", certificates),
                        files.write("a.key", key),
                        files.write("a.password", PASSWORD + "\nsecond line"),
                        List.of()));
    }

    private void fault(String key, String message, String certificates, String keys) {
        assertThatThrownBy(() -> read(certificates, keys))
                .isInstanceOfSatisfying(
                        TlsFault.class, e -> assertThat(e.key()).isEqualTo("certificates[0]" + key))
                .hasMessageContaining(message)
                .hasMessageNotContaining(PASSWORD);
    }

    @Test
    void pkcs8IsRead() throws Exception {
        Credential read = read(own.certificatePem(), own.keyPem());
        assertThat(read.key()).isEqualTo(own.key());
        assertThat(read.names()).containsExactly("sip.example.com");
    }

    @Test
    void certificateAndKeyMayShareAFile() throws Exception {
        Path both = files.write("both.pem", own.keyPem() + own.certificatePem());
        CertificateSource source =
                new CertificateSource("certificates[0]", both, null, null, List.of("Other.Name"));
        assertThat(reader.read(source).names()).containsExactly("other.name");
    }

    @Test
    void theOldFormOfRsaIsRead() throws Exception {
        Made rsa = rsa(2048);
        DerReader whole = new DerReader(rsa.key().getEncoded()).enter(DerWriter.SEQUENCE);
        whole.enter(DerWriter.INTEGER);
        whole.enter(DerWriter.SEQUENCE);
        String old = PemFile.print("RSA PRIVATE KEY", whole.enter(DerWriter.OCTET_STRING).rest());
        assertThat(read(rsa.certificatePem(), old).key()).isEqualTo(rsa.key());
    }

    private static Made rsa(int bits) {
        return CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9))
                .withRsa(bits)
                .signedBy(TlsFiles.AUTHORITY);
    }

    /** RFC 5915, as OpenSSL writes it: the curve before the key, or in it. */
    @Test
    void theOldFormOfEllipticCurvesIsRead() throws Exception {
        DerReader whole = new DerReader(own.key().getEncoded()).enter(DerWriter.SEQUENCE);
        whole.enter(DerWriter.INTEGER);
        byte[] curve = DerWriter.oid("1.2.840.10045.3.1.7");
        whole.enter(DerWriter.SEQUENCE);
        DerReader parts =
                new DerReader(whole.enter(DerWriter.OCTET_STRING).rest()).enter(DerWriter.SEQUENCE);
        byte[] version = DerWriter.of(DerWriter.INTEGER, parts.enter(DerWriter.INTEGER).rest());
        byte[] secret =
                DerWriter.of(DerWriter.OCTET_STRING, parts.enter(DerWriter.OCTET_STRING).rest());
        String bare =
                PemFile.print("EC PRIVATE KEY", DerWriter.of(DerWriter.SEQUENCE, version, secret));
        String named =
                PemFile.print(
                        "EC PRIVATE KEY",
                        DerWriter.of(
                                DerWriter.SEQUENCE, version, secret, DerWriter.explicit(0, curve)));
        String before = PemFile.print("EC PARAMETERS", curve) + bare;
        assertThat(number(read(own.certificatePem(), named).key())).isEqualTo(number(own.key()));
        assertThat(number(read(own.certificatePem(), before).key())).isEqualTo(number(own.key()));
        fault(".key", "does not name its curve", own.certificatePem(), bare);
    }

    private static BigInteger number(PrivateKey key) {
        return ((ECPrivateKey) key).getS();
    }

    @Test
    void anEncipheredKeyIsOpenedByItsPassword() throws Exception {
        assertThat(read(own.certificatePem(), enciphered(own.key(), PASSWORD)).key())
                .isEqualTo(own.key());
        fault(
                ".key",
                "cannot be opened with the password given",
                own.certificatePem(),
                enciphered(own.key(), "another"));
        Path key = files.write("b.key", enciphered(own.key(), PASSWORD));
        Path certificate = files.write("b.crt", own.certificatePem());
        assertThatThrownBy(() -> reader.read(CertificateSource.of("a", certificate, key)))
                .hasMessageContaining("key-password-file");
    }

    private static String enciphered(PrivateKey key, String password) throws Exception {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        SecretKey secret =
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.ENCRYPT_MODE, secret);
        byte[] parameters = cipher.getParameters().getEncoded();
        byte[] hidden = cipher.doFinal(key.getEncoded());
        // RFC 5958 3, RFC 8018 A.4
        byte[] pbes2 =
                DerWriter.of(
                        DerWriter.SEQUENCE, DerWriter.oid("1.2.840.113549.1.5.13"), parameters);
        return PemFile.print(
                "ENCRYPTED PRIVATE KEY",
                DerWriter.of(
                        DerWriter.SEQUENCE, pbes2, DerWriter.of(DerWriter.OCTET_STRING, hidden)));
    }

    @Test
    void pkcs12IsOpenedByItsPassword() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "any",
                own.key(),
                PASSWORD.toCharArray(),
                new Certificate[] {own.certificate(), TlsFiles.AUTHORITY.certificate()});
        Path file = files.path("a.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        Path password = files.write("password", PASSWORD + "\n");
        Credential read = reader.read(new CertificateSource("a", file, null, password, List.of()));
        assertThat(read.key()).isEqualTo(own.key());
        assertThat(read.chain()).hasSize(2);
        Path wrong = files.write("wrong", "wrong\n");
        assertThatThrownBy(
                        () -> reader.read(new CertificateSource("a", file, null, wrong, List.of())))
                .hasMessageContaining("cannot be opened with the password given");
        assertThatThrownBy(
                        () -> reader.read(new CertificateSource("a", file, null, null, List.of())))
                .hasMessageContaining("key-password-file");
    }

    @Test
    void faultsAreToldWithTheirSetting() {
        String certificate = own.certificatePem();
        String key = own.keyPem();
        fault(
                ".key",
                "the key does not belong to the certificate",
                certificate,
                TlsFiles.signed("x").keyPem());
        fault(".key", "does not belong", certificate, rsa(2048).keyPem());
        fault(".key", "holds no private key", certificate, certificate);
        fault(".key", "its block PRIVATE KEY has no end", certificate, key.substring(0, 80));
        fault(".key", "a block of it is no Base64", certificate, key.replace('M', '!'));
        fault(".certificate", "holds no certificate", key, key);
        fault(".certificate", "is neither PEM nor PKCS#12", "", key);
        Made expired = TlsFiles.expired("sip.example.com");
        fault(".certificate", "is expired since", expired.certificatePem(), expired.keyPem());
        Made early =
                CertificateMaker.of(List.of("a"), Duration.ofDays(9))
                        .withValidity(
                                TlsFiles.NOW.plus(Duration.ofDays(1)),
                                TlsFiles.NOW.plus(Duration.ofDays(9)))
                        .signedBy(TlsFiles.AUTHORITY);
        fault(".certificate", "is not valid before", early.certificatePem(), early.keyPem());
        Made weak = rsa(1024);
        fault(".certificate", "at least 2048", weak.certificatePem(), weak.keyPem());
        fault(
                ".key",
                "openssl pkcs8 -topk8",
                certificate,
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\nAAAA\n"
                        + "-----END RSA PRIVATE KEY-----\n");
    }

    @Test
    void aChainWithAGapIsAFault() throws Exception {
        Made root =
                CertificateMaker.of(List.of("Root"), Duration.ofDays(9)).asAuthority().selfSigned();
        Made middle =
                CertificateMaker.of(List.of("Middle"), Duration.ofDays(9))
                        .asAuthority()
                        .signedBy(root);
        Made leaf =
                CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9))
                        .signedBy(middle);
        fault(
                ".certificate",
                "the chain is incomplete; append the certificate of CN=Middle",
                leaf.certificatePem(),
                leaf.keyPem());
        fault(
                ".certificate",
                "certificate 2 of the chain has to be that of CN=Middle, and is that of CN=Root",
                leaf.certificatePem() + root.certificatePem(),
                leaf.keyPem());
        String whole = leaf.certificatePem() + middle.certificatePem() + root.certificatePem();
        assertThat(read(whole, leaf.keyPem()).chain()).hasSize(3);
    }

    @Test
    void filesThatAreNotThereAreNamed() {
        CertificateSource nowhere =
                CertificateSource.of("certificates[0]", files.path("no.crt"), files.path("no.key"));
        assertThatThrownBy(() -> reader.read(nowhere))
                .hasMessageEndingWith("no.crt: there is no such file");
    }

    @Test
    void aKeyThatEverybodyMayReadIsWarnedOf() throws Exception {
        CertificateSource source = files.source("a", own, List.of());
        Files.setPosixFilePermissions(
                files.path("a.key"), PosixFilePermissions.fromString("rw-r-----"));
        reader.read(source);
        assertThat(reader.warnings()).isEmpty();
        Files.setPosixFilePermissions(
                files.path("a.key"), PosixFilePermissions.fromString("rw-r--r--"));
        reader.read(source);
        assertThat(reader.warnings()).singleElement().asString().contains("chmod o= ");
    }

    @Test
    void nothingPrintsAKey() throws Exception {
        Credential read = read(own.certificatePem(), own.keyPem());
        assertThat(Set.of(read.toString(), own.toString()))
                .noneMatch(text -> text.contains("PRIVATE") || text.contains("sun."));
    }
}
