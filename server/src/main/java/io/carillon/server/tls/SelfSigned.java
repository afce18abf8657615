package io.carillon.server.tls;

import io.carillon.net.tls.CertificateMaker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A certificate for trials, and its key, as files.
 *
 * @param certificate everybody may read it
 * @param key its owner alone may read it
 */
public record SelfSigned(Path certificate, Path key) {
    private static final String NAME =
            "(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:.]+";

    /**
     * Makes both; files that are there already are left alone, and it fails.
     *
     * @param names SIP domains, host names, addresses in digits
     * @throws IllegalArgumentException when a name is none
     */
    public static SelfSigned make(List<String> names, Duration valid, Path folder)
            throws IOException {
        for (String name : names) {
            if (!name.matches(NAME)) {
                throw new IllegalArgumentException("'" + name + "' is no host name and no address");
            }
        }
        SelfSigned files =
                new SelfSigned(folder.resolve("certificate.pem"), folder.resolve("key.pem"));
        for (Path file : List.of(files.certificate, files.key)) {
            if (Files.exists(file)) {
                throw new IOException(file + " is there already; it is not overwritten");
            }
        }
        CertificateMaker.Made made = CertificateMaker.of(names, valid).selfSigned();
        Files.createDirectories(folder);
        write(files.key, made.keyPem(), "rw-------");
        write(files.certificate, made.certificatePem(), "rw-r--r--");
        return files;
    }

    /** With its rights from the first byte on. */
    private static void write(Path file, String text, String rights) throws IOException {
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString(rights))
                        }
                        : new FileAttribute<?>[0];
        try (var channel = Files.newByteChannel(file, options, attributes)) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " is there already; it is not overwritten", e);
        }
    }

    /** What to write into the configuration, for the terminal. */
    public String told() {
        return """
        Made %1$s and %2$s. In the configuration (--config FILE):

        sip:
          listen: [udp:127.0.0.1:5060, tcp:127.0.0.1:5060, tls:127.0.0.1:5061]
        tls:
          certificates:
            - certificate: %1$s
              key: %2$s

        A phone that should believe it has to be given %1$s. docs/guides/tls.md goes on from here.
        """
                .formatted(certificate.toAbsolutePath(), key.toAbsolutePath());
    }
}
