package io.carillon.server.identity;

import io.carillon.server.config.IdentitySettings;
import io.carillon.server.config.SignSettings;
import io.carillon.server.config.VerifySettings;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.feature.identity.CredentialCache;
import io.carillon.servlet.feature.identity.CredentialSource;
import io.carillon.servlet.feature.identity.Es256Signer;
import io.carillon.servlet.feature.identity.Es256Verifier;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.identity.TrustFolder;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.security.IdentityAsserter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says of identities, with its files read. Immutable.
 *
 * @param settings as configured
 * @param trusted certificates for verifying; null where nothing is verified
 * @param key for signing; null where nothing is signed
 */
public record Identities(
        IdentitySettings settings, @Nullable TrustFolder trusted, @Nullable PrivateKey key) {

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException naming the one that is no such thing
     */
    public static Identities open(IdentitySettings settings) {
        Path folder = settings.verify().trustFolder();
        Path key = settings.sign().key();
        return new Identities(
                settings,
                settings.verify().mode() == VerifySettings.Mode.OFF || folder == null
                        ? null
                        : TrustFolder.read(folder),
                settings.sign().mode() == SignSettings.Mode.OFF || key == null ? null : key(key));
    }

    /** PKCS #8, as {@code openssl pkcs8 -topk8 -nocrypt} writes it. */
    static PrivateKey key(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII);
            int from = text.indexOf("-----BEGIN PRIVATE KEY-----");
            int to = text.indexOf("-----END PRIVATE KEY-----");
            if (from < 0 || to < from) {
                throw new IllegalArgumentException(
                        file
                                + " holds no private key in PKCS #8; openssl pkcs8 -topk8 -nocrypt"
                                + " makes it one");
            }
            String body = text.substring(from + "-----BEGIN PRIVATE KEY-----".length(), to);
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " holds no key of the curve P-256", e);
        }
    }

    /** Tells the container; before the first deployment. */
    public void applyTo(SipContainer container) {
        if (settings.privacyService()) {
            container.settings().privacyService(new PrivacyService(settings.boundary()));
        }
        if (settings.assertCallers()) {
            container.security().asserter(new IdentityAsserter(settings.domains()));
        }
        TrustFolder folder = trusted;
        if (folder != null) {
            VerifySettings verify = settings.verify();
            container
                    .settings()
                    .verification(
                            new VerificationPolicy(
                                    new Es256Verifier(
                                            source(folder, container),
                                            verify.fresh().toSeconds(),
                                            verify.remembered(),
                                            settings.trusted()),
                                    verify.mode() == VerifySettings.Mode.REQUIRE));
        }
        PrivateKey own = key;
        if (own != null) {
            container
                    .settings()
                    .signing(
                            new SigningPolicy(
                                    signer(settings, own),
                                    settings.trusted(),
                                    settings.sign().mode() == SignSettings.Mode.ALL));
        }
    }

    private CredentialSource source(TrustFolder folder, SipContainer container) {
        VerifySettings verify = settings.verify();
        return verify.fetchHosts().isEmpty()
                ? folder
                : new CredentialCache(
                        folder,
                        new HttpsCertificates(verify.fetchTimeout()),
                        verify.fetchHosts().stream()
                                .map(host -> host.toLowerCase(Locale.ROOT))
                                .collect(Collectors.toSet()),
                        verify.keep().toMillis(),
                        new CredentialCache.Limits(verify.certificates(), verify.fetches()),
                        container::millis);
    }

    static Es256Signer signer(IdentitySettings settings, PrivateKey own) {
        SignSettings sign = settings.sign();
        return new Es256Signer(
                own,
                Objects.requireNonNull(sign.certificate(), "checked where it is read"),
                sign.numbers(),
                settings.domains(),
                sign.form() == SignSettings.Form.FULL,
                sign.attest() == SignSettings.Attest.NONE ? null : sign.attest().name(),
                sign.origid());
    }
}
