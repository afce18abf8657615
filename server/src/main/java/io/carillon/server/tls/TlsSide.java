package io.carillon.server.tls;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.CertificateStatus;
import io.carillon.net.tls.HandshakeTimes;
import io.carillon.net.tls.LiveTlsContexts;
import io.carillon.net.tls.TlsConfig;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.tls.TlsFault;
import io.carillon.net.tls.TlsStatus;
import io.carillon.net.tls.Verify;
import io.carillon.server.config.TlsSettings;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.start.SettingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of the running server. Any thread. */
public final class TlsSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsSide.class);

    private final LiveTlsContexts contexts;
    private final List<String> listeners;

    private TlsSide(LiveTlsContexts contexts, List<String> listeners) {
        this.contexts = contexts;
        this.listeners = listeners;
    }

    /**
     * Reads and checks what the configuration names. Without certificates and trust in it, nothing
     * is read before a connection needs TLS.
     *
     * @param points all listening points
     * @throws SettingException naming the setting and what is allowed
     */
    public static TlsSide open(TlsSettings settings, List<ListeningPoint> points)
            throws SettingException {
        List<String> secure = secure(points);
        try {
            checkListeners(settings, secure);
            TlsConfig config = settings.config();
            LiveTlsContexts contexts =
                    settings.meant()
                            ? LiveTlsContexts.open(config)
                            : LiveTlsContexts.whenNeeded(config);
            if (!secure.isEmpty()) {
                LOG.info("TLS is done by {}", contexts.status().provider());
            }
            warnings(settings, points, contexts).forEach(LOG::warn);
            return new TlsSide(contexts, List.copyOf(secure));
        } catch (TlsFault e) {
            throw new SettingException("tls." + e.key(), String.valueOf(e.getMessage()), e);
        }
    }

    /** What works, but not as its operator may think. */
    static List<String> warnings(
            TlsSettings settings, List<ListeningPoint> points, LiveTlsContexts contexts) {
        List<String> warnings = new ArrayList<>();
        if (settings.verify() == Verify.NONE) {
            warnings.add(
                    "tls.verify is none: the certificates of servers on this machine are not checked");
        } else if (settings.verify() == Verify.CHAIN) {
            warnings.add(
                    "tls.verify is chain: a server may have a certificate of another domain than"
                            + " the one that is called");
        }
        for (String one : contexts.unproven(points)) {
            warnings.add(
                    one
                            + ". \"as NAME\" behind the listener's address says what they should"
                            + " name");
        }
        return warnings;
    }

    private static void checkListeners(TlsSettings settings, List<String> secure) throws TlsFault {
        if (!secure.isEmpty() && settings.certificates().isEmpty()) {
            throw new TlsFault(
                    "certificates",
                    secure.getFirst()
                            + " needs a certificate; ./carillon tls self-signed makes one for"
                            + " trials (docs/guides/tls.md)");
        }
        for (String name : settings.clientCertificatesAt().keySet()) {
            if (!secure.contains(name)) {
                throw new TlsFault(
                        "client-certificates-at",
                        "'"
                                + name
                                + "' is no listener with TLS; allowed: "
                                + (secure.isEmpty() ? "none" : String.join(", ", secure)));
            }
        }
    }

    /**
     * Reads and checks what other settings name.
     *
     * @param points all listening points then
     * @return makes them the ones that are used, and is run once or not at all
     * @throws SettingException naming the setting and what is allowed; nothing has changed then
     */
    public Runnable prepare(TlsSettings settings, List<ListeningPoint> points)
            throws SettingException {
        try {
            checkListeners(settings, secure(points));
            return contexts.prepare(settings.config());
        } catch (TlsFault e) {
            throw new SettingException("tls." + e.key(), String.valueOf(e.getMessage()), e);
        }
    }

    private static List<String> secure(List<ListeningPoint> points) {
        List<String> secure = new ArrayList<>();
        for (ListeningPoint point : points) {
            if (point.transport().secure()) {
                secure.add(LiveTlsContexts.listener(point));
            }
        }
        return secure;
    }

    /** For the network. */
    public TlsContexts contexts() {
        return contexts;
    }

    /**
     * For HTTP: the certificates of each moment.
     *
     * @throws SettingException where there is none
     */
    public SSLContext https() throws SettingException {
        try {
            return contexts.https();
        } catch (TlsFault e) {
            throw new SettingException("tls." + e.key(), String.valueOf(e.getMessage()), e);
        }
    }

    /** Who hears from now on how long handshakes take. */
    public void times(HandshakeTimes hears) {
        contexts.times(hears);
    }

    /** Begins to look after the files. */
    public void start() {
        contexts.watch();
    }

    /** The command {@code tls-reload} of the control socket. */
    public Map<String, ControlCommand> commands() {
        return Map.of("tls-reload", nothing -> reload());
    }

    private String reload() throws ControlFailure {
        try {
            contexts.reload();
        } catch (TlsFault e) {
            throw new ControlFailure(
                    "the old certificates stay in use: tls." + e.key() + ": " + e.getMessage());
        }
        StringBuilder text = new StringBuilder("read again:\n");
        for (CertificateStatus one : contexts.status().certificates()) {
            text.append(String.join(", ", one.names()))
                    .append(", valid until ")
                    .append(one.notAfter())
                    .append(" (")
                    .append(one.file())
                    .append(")\n");
        }
        return text.toString();
    }

    /** Handshakes and reloads since the start, by name. */
    public Map<String, Long> counts() {
        return contexts.counts();
    }

    /** For the status; null while nothing was read. */
    public ServerStatus.@Nullable Tls status() {
        TlsStatus now = contexts.status();
        if (now.loaded().equals(Instant.EPOCH)) {
            return null;
        }
        List<ServerStatus.TlsCertificate> certificates = new ArrayList<>();
        for (CertificateStatus one : now.certificates()) {
            certificates.add(
                    new ServerStatus.TlsCertificate(
                            one.names(),
                            one.subject(),
                            one.issuer(),
                            one.keyType(),
                            one.notBefore().toString(),
                            one.notAfter().toString(),
                            one.left(Instant.now()).toSeconds(),
                            one.file().toString(),
                            one.standard(),
                            listeners));
        }
        String failure = now.lastFailure();
        return new ServerStatus.Tls(
                now.provider(),
                certificates,
                now.loaded().toString(),
                now.reloads(),
                now.reloadFailures(),
                failure == null ? "" : failure);
    }

    @Override
    public void close() {
        contexts.close();
    }
}
