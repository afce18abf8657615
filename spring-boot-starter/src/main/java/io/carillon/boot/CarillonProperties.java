package io.carillon.boot;

import io.carillon.net.tls.ClientCertificates;
import io.carillon.net.tls.Verify;
import io.carillon.net.websocket.WebSocketConfig;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code carillon} properties of an application.
 *
 * @param enabled whether SIP is served at all
 * @param application the name of the SIP application; null: {@code spring.application.name}
 * @param listen where SIP is received, as {@code udp:HOST:PORT}; also {@code tcp}, {@code tls},
 *     {@code ws} and {@code wss}; port 0 takes a free one
 * @param externalHost what stands for this machine in Via, Contact and Record-Route; null: the
 *     address
 * @param domains host names that are ours beside the addresses
 * @param egressAllow ranges of addresses that requests may go to beside the usual ones, as {@code
 *     127.0.0.0/8} for an application that listens on all addresses and calls phones of this
 *     machine
 * @param shards event loops; 0: one per processor
 * @param maxSessions most application sessions at a time; a new call beyond it gets 503. 0: as many
 *     as half of the heap has room for beside other bounds, and no more than 200,000
 * @param sessionTimeout life of an application session without a message, in whole minutes; 0: for
 *     ever
 * @param nonBlocking handlers run on the event loops: each has to be {@code @NonBlocking}
 * @param heapRoom lets ZGC's soft maximum follow what lives ({@code -XX:+UseZGC} with a {@code
 *     -XX:SoftMaxHeapSize} below the maximum): ten times of it, at least what the JVM was started
 *     with
 * @param touchHeap takes ZGC's heap up to its soft maximum behind the start, so that the calls of
 *     the first minutes need not wait for memory; nothing without a soft maximum
 * @param parameters context parameters of the application
 * @param drain how long a stop waits for calls to end before it ends them
 * @param tls certificates and trust of TLS
 * @param ws who may connect by WebSocket
 */
@ConfigurationProperties("carillon")
public record CarillonProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String application,
        @DefaultValue({"udp:0.0.0.0:5060", "tcp:0.0.0.0:5060"}) List<String> listen,
        @Nullable String externalHost,
        @DefaultValue({}) List<String> domains,
        @DefaultValue({}) List<String> egressAllow,
        @DefaultValue("0") int shards,
        @DefaultValue("0") int maxSessions,
        @DefaultValue("3m") Duration sessionTimeout,
        @DefaultValue("false") boolean nonBlocking,
        @DefaultValue("false") boolean heapRoom,
        @DefaultValue("true") boolean touchHeap,
        @DefaultValue({}) Map<String, String> parameters,
        @DefaultValue("0s") Duration drain,
        @DefaultValue Tls tls,
        @DefaultValue Ws ws) {

    /**
     * TLS, for listeners {@code tls} and {@code wss} and for connections that we open. Its files
     * are read again when they change.
     *
     * @param certificates ours; the first is shown to clients that name no server or an unknown one
     * @param trust PEM file with the authorities whose servers we believe; null: the JDK's list
     * @param clientTrust PEM file with the authorities whose clients we believe; null: {@code
     *     trust}
     * @param clientCertificates whether those who connect are asked for a certificate
     * @param verify how the certificates of servers that we connect to are checked
     */
    public record Tls(
            @DefaultValue({}) List<Certificate> certificates,
            @Nullable File trust,
            @Nullable File clientTrust,
            @DefaultValue("none") ClientCertificates clientCertificates,
            @DefaultValue("full") Verify verify) {}

    /**
     * One certificate of ours.
     *
     * @param certificate PEM file with the certificate and its chain, or PKCS#12 with the key
     * @param key PEM file with the private key; null: in the file of the certificate
     * @param keyPasswordFile file whose first line opens the key or the PKCS#12
     * @param names server names (SNI) for which it is shown; none: those it is made out to
     */
    public record Certificate(
            File certificate,
            @Nullable File key,
            @Nullable File keyPasswordFile,
            @DefaultValue({}) List<String> names) {

        public Certificate {
            if (certificate == null) {
                throw new IllegalArgumentException(
                        "carillon.tls.certificates: each of them names a file, certificate");
            }
        }
    }

    /**
     * SIP over WebSocket (RFC 7118).
     *
     * @param path of the upgrade request; any other is answered with 404
     * @param origins web pages that may connect, as {@code https://phone.example.com}; none given:
     *     every page
     */
    public record Ws(@DefaultValue("/") String path, @DefaultValue({}) List<String> origins) {

        public Ws {
            var _ = config(path, origins);
        }

        WebSocketConfig config() {
            return config(path, origins);
        }

        private static WebSocketConfig config(String path, List<String> origins) {
            try {
                return new WebSocketConfig(
                        path,
                        origins,
                        WebSocketConfig.defaults().maxPings(),
                        WebSocketConfig.defaults().maxFragments());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("carillon.ws." + e.getMessage(), e);
            }
        }
    }

    public CarillonProperties {
        if (shards < 0 || shards > 256) {
            throw new IllegalArgumentException("carillon.shards: 0 to 256, not " + shards);
        }
        if (maxSessions < 0) {
            throw new IllegalArgumentException(
                    "carillon.max-sessions: 0 or more, not " + maxSessions);
        }
        if (sessionTimeout.isNegative()
                || !sessionTimeout.equals(Duration.ofMinutes(sessionTimeout.toMinutes()))) {
            throw new IllegalArgumentException(
                    "carillon.session-timeout: whole minutes, not " + sessionTimeout);
        }
        if (drain.isNegative()) {
            throw new IllegalArgumentException("carillon.drain: not negative: " + drain);
        }
    }
}
