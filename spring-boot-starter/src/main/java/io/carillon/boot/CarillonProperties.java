package io.carillon.boot;

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
 * @param listen where SIP is received, as {@code udp:HOST:PORT} or {@code tcp:HOST:PORT}; port 0
 *     takes a free one
 * @param externalHost what stands for this machine in Via, Contact and Record-Route; null: the
 *     address
 * @param domains host names that are ours beside the addresses
 * @param egressAllow ranges of addresses that requests may go to beside the usual ones, as {@code
 *     127.0.0.0/8} for an application that listens on all addresses and calls phones of this
 *     machine
 * @param shards event loops; 0: one per processor
 * @param maxSessions most application sessions at a time; a new call beyond it gets 503
 * @param sessionTimeout life of an application session without a message, in whole minutes; 0: for
 *     ever
 * @param nonBlocking handlers run on the event loops: each has to be {@code @NonBlocking}
 * @param heapRoom lets ZGC's soft maximum follow what lives ({@code -XX:+UseZGC} with a {@code
 *     -XX:SoftMaxHeapSize} below the maximum): ten times of it, at least what the JVM was started
 *     with
 * @param parameters context parameters of the application
 * @param drain how long a stop waits for calls to end before it ends them
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
        @DefaultValue("200000") int maxSessions,
        @DefaultValue("3m") Duration sessionTimeout,
        @DefaultValue("false") boolean nonBlocking,
        @DefaultValue("false") boolean heapRoom,
        @DefaultValue({}) Map<String, String> parameters,
        @DefaultValue("0s") Duration drain) {

    public CarillonProperties {
        if (shards < 0 || shards > 256) {
            throw new IllegalArgumentException("carillon.shards: 0 to 256, not " + shards);
        }
        if (maxSessions < 1) {
            throw new IllegalArgumentException(
                    "carillon.max-sessions: 1 or more, not " + maxSessions);
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
