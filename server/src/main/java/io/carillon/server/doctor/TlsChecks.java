package io.carillon.server.doctor;

import io.carillon.server.measure.ServerStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server's certificates. */
public final class TlsChecks {
    private static final String EXPIRY = "tls-certificate-expiry";
    private static final long WEEK = 7;
    private static final long MONTH = 30;

    private TlsChecks() {}

    /**
     * Of the running server.
     *
     * @param tls its state; null while nothing needed TLS
     */
    public static List<Finding> of(ServerStatus.@Nullable Tls tls) {
        if (tls == null || tls.certificates().isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        if (!tls.lastFailure().isEmpty()) {
            findings.add(
                    Finding.fault(
                            "tls-reload",
                            "The newest certificate files are wrong and not in use: "
                                    + tls.lastFailure(),
                            "The server goes on with the old ones until they expire, and does not start again with"
                                    + " the new ones.",
                            "./carillon tls reload"));
        }
        for (ServerStatus.TlsCertificate one : tls.certificates()) {
            findings.add(expiry(one));
        }
        return findings;
    }

    private static Finding expiry(ServerStatus.TlsCertificate one) {
        String which = "The certificate for " + String.join(", ", one.names());
        String where = " (" + one.file() + ")";
        if (one.secondsLeft() <= 0) {
            return Finding.fault(
                    EXPIRY,
                    which + where + " is expired since " + one.notAfter() + ".",
                    "Every peer that checks it refuses new connections.",
                    "./carillon tls reload");
        }
        String found = which + where + " has " + one.daysLeft() + " days left.";
        if (one.daysLeft() < WEEK) {
            return Finding.fault(
                    EXPIRY,
                    found,
                    "Then every peer that checks it refuses new connections.",
                    "./carillon tls reload");
        }
        if (one.daysLeft() < MONTH) {
            return Finding.warning(
                    EXPIRY,
                    found,
                    "It should have been renewed by now: robots renew a month before the end.",
                    "./carillon tls reload");
        }
        return Finding.ok(EXPIRY, found);
    }

    /** What keeps a server from starting with this configuration. */
    public static Finding broken(String message) {
        return Finding.fault(
                "tls-files", message, "A server with this configuration does not start.");
    }
}
