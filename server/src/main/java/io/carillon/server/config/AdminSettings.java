package io.carillon.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Administration by HTTP and its console.
 *
 * @param directory of accounts and the audit log
 * @param sessionIdle of a browser that does nothing
 * @param sessionMax of any browser
 * @param maxStreams of events
 * @param maxArchive that may be sent
 * @param auditFile bytes of one file of the audit log
 * @param auditKeep bytes of all of them
 * @param oidc accounts elsewhere
 */
public record AdminSettings(
        @Setting(
                        value =
                                "Folder of the accounts of administrators, the audit log, and archives that were sent; open"
                                        + " to its owner only.",
                        standardText = ".carillon/admin in Carillon's folder")
                @Nullable Path directory,
        @Setting(
                        value =
                                "A browser's session in which nothing is asked for so long is over.",
                        standard = "30 min",
                        min = "1 min",
                        max = "24 h")
                Duration sessionIdle,
        @Setting(
                        value = "A browser's session is over after so long, whatever it does.",
                        standard = "12 h",
                        min = "1 min",
                        max = "168 h")
                Duration sessionMax,
        @Setting(
                        value = "Event streams that may be open; an account may have 32 of them.",
                        standard = "64",
                        min = "1",
                        max = "1000")
                int maxStreams,
        @Setting(
                        value = "The largest archive that may be sent to be deployed.",
                        standard = "256 MiB",
                        min = "1 MiB",
                        max = "2 GiB")
                ByteSize maxArchive,
        @Setting(
                        value =
                                "A file of the audit log with so many bytes is closed, and another begun.",
                        standard = "16 MiB",
                        min = "64 KiB",
                        max = "1 GiB")
                ByteSize auditFile,
        @Setting(
                        value = "Of more bytes of audit log the oldest files are deleted.",
                        standard = "1 GiB",
                        min = "1 MiB",
                        max = "1000 GiB")
                ByteSize auditKeep,
        @Setting("Administrators whose accounts are elsewhere (OpenID Connect).")
                OidcSettings oidc) {}
